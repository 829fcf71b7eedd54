"""Tables: shapes that are checked, JSON there and back, CSV at full precision."""

import csv
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swe_assets.errors import ReportError
from swe_assets.reporting.tables import Table, from_json, to_csv, to_json
from swe_assets.statistics.undefined import Undefined
from swe_assets_tests.reporting.sample_tables import COLUMNS, ROWS, analysis, table

CELLS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(), st.floats(allow_nan=False, allow_infinity=False),
    st.builds(Undefined, st.text(), st.booleans()),
)  # fmt: skip


def test_json_and_back() -> None:
    """An analysis read from its JSON is the one that was written, undefined and absent cells too."""
    assert from_json(to_json(analysis())) == analysis()


@given(st.tuples(*[CELLS] * len(COLUMNS)))
def test_any_cell_survives_json(row: tuple[object, ...]) -> None:
    """Whatever a cell may hold is the same after JSON, to the last digit and of the same type."""
    back = from_json(to_json(analysis((row,)))).tables["logit"].rows[0]
    assert back == row and [type(cell) for cell in back] == [type(cell) for cell in row]


@pytest.mark.parametrize("row", [(1,), ("a", float("nan"), 0.1, 0.1, 1, True), ("a", [], 0.1, 0.1, 1, True)])
def test_what_is_no_cell_is_refused(row: tuple[object, ...]) -> None:
    """A row of another length, NaN or a list is an error that names table and row."""
    with pytest.raises(ValueError, match="table 'logit', row 0"):
        table((row,))


def test_csv_has_every_digit_and_every_reason() -> None:
    """Numbers are written as Python reads them back; empty cells say in the last column why."""
    first, second = csv.DictReader(io.StringIO(to_csv(table()).decode()))
    assert (float(first["coef"]), first["p"], first["leads"]) == (0.30000000000000004, "1e-09", "true")
    assert (second["coef"], second["p"]) == ("", "")
    assert second["undefined"] == "coef: all values are equal; rate: beyond a float"


def test_csv_without_undefined_has_no_column_for_it() -> None:
    """A table whose cells all have values has only its own columns, and its marks in each row."""
    header, row = to_csv(table(ROWS[:1])).splitlines()
    assert header == b"term,coef,p,rate,n,leads,marks" and row.endswith(b",rehearsal")
    assert to_csv(replace(table(ROWS[:1]), marks=frozenset())).startswith(b"term,coef,p,rate,n,leads\n")


@pytest.mark.parametrize("text", ["=1+1", "+x", "-x", "@x", "\tx"])
def test_csv_text_is_no_formula(text: str) -> None:
    """A text that a spreadsheet would run is led by an apostrophe."""
    rows = list(
        csv.reader(io.StringIO(to_csv(table(((text, 1.0, 0.1, 0.1, 1, True),))).decode(), newline=""))
    )
    assert rows[1][0] == f"'{text}"


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": 1}', '{"format": 9}', "null", "[" * 100_000])
def test_what_is_no_analysis(text: str) -> None:
    """A text that is no analysis of this format is an error, not a crash."""
    with pytest.raises(ReportError):
        from_json(text)


def test_kind_that_nobody_knows() -> None:
    """A column of an unknown kind is an error that names it."""
    record = json.loads(to_json(analysis()))
    record["tables"]["logit"]["columns"][0]["kind"] = "colour"
    with pytest.raises(ReportError, match="colour"):
        from_json(json.dumps(record))


def test_columns_and_records() -> None:
    """A column is read by name, a row as a mapping."""
    found: Table = table()
    assert found.column("n") == (500, 0) and found.records()[0]["term"] == "M_defesa"
