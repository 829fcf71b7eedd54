"""The consolidated matrix, checked value by value."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from swe_assets.errors import MatrixError
from swe_assets.patch_quality.analysis.labels import Labels
from swe_assets.patch_quality.analysis.matrix import METRICS, matrix_of, read_matrix
from swe_assets_tests.patch_quality.analysis.matrices import STAND_IN, frame, labelled, saved, with_value


def test_csv_and_frame_are_the_same_matrix(tmp_path: Path) -> None:
    """A matrix read back from its CSV is the one that was written."""
    assert read_matrix(saved(labelled(), tmp_path / "m.csv")) == matrix_of(labelled())


def test_other_columns_and_their_order_do_not_matter() -> None:
    """Columns that nobody asked for are ignored, and the nine may stand in any order."""
    table = frame()
    more = table[table.columns[::-1]].assign(delta_lines=-3, base_lines=None, notes="x;y")
    assert matrix_of(more) == matrix_of(table)


def test_sides_and_repositories_are_kept() -> None:
    """Base and delta columns are kept, a delta negative, a base empty; so are the repositories."""
    matrix = matrix_of(frame(2, delta_ncloc="-3", base_ncloc="", repo="o/n"))
    assert matrix.sides["delta_ncloc"] == (-3, -3) and matrix.repos == ("o/n", "o/n")
    assert [value != value for value in matrix.sides["base_ncloc"]] == [True, True]


@pytest.mark.parametrize(("column", "value"), [("base_ncloc", -1), ("delta_ncloc", "x"), ("base_ncloc", "x")])
def test_unusable_side_is_named(column: str, value: object) -> None:
    """A base that is negative, and a base or delta that is no number, is an error that names the column."""
    with pytest.raises(MatrixError, match=column):
        matrix_of(frame(3, **{column: value}))


def test_counts() -> None:
    """The matrix knows its size and how many instances are resolved."""
    matrix = matrix_of(frame())
    assert (matrix.n, matrix.resolved) == (160, int(frame()["pass@1"].sum()))


def test_numbers_with_decimals_and_text() -> None:
    """88.0, "88" and 88 are one value; large integers stay exact."""
    table = frame(3).assign(ncloc=pd.Series(["88.0", 88, 2**53 + 1], dtype=object))
    assert matrix_of(table).columns["ncloc"] == (88, 88, 2**53 + 1)


def test_labels_come_from_the_columns() -> None:
    """Columns judge and analyser label the matrix; without them there is no label."""
    assert matrix_of(labelled()).labels == Labels(rehearsal=True, stand_in=STAND_IN)
    assert matrix_of(frame(judge="gemini", analyser="sonarqube 25.11")).labels == Labels()
    assert matrix_of(frame(rehearsal="true")).labels.rehearsal


@pytest.mark.parametrize("name", ["instance_id", *METRICS])
def test_missing_column_is_named(name: str) -> None:
    """Each of the ten columns is needed, and the absent one is named."""
    with pytest.raises(MatrixError, match=f"lacks column\\(s\\) {name};"):
        matrix_of(frame().drop(columns=name))


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("many", "'many' is not a number"),
        ("", "'' is no value"),
        (None, "None is no value"),
        (float("nan"), "nan is no value"),
        (pd.NA, "<NA> is no value"),
        ("Infinity", "'Infinity' is infinite"),
        (10**400, "is infinite"),
        (-1, "-1 is negative"),
        ("1,5", "'1,5' is not a number"),
    ],
)
@pytest.mark.parametrize("name", ["ncloc", "violations"])
def test_unusable_value_is_named(name: str, value: object, fault: str) -> None:
    """An unusable value is named with its column, row and instance."""
    table = with_value(frame(), 6, name, value)
    with pytest.raises(MatrixError, match=f"column '{name}', row 7 \\('demo__pkg-6'\\): .*{fault}"):
        matrix_of(table)


@pytest.mark.parametrize("value", [2, 0.5, "-1"])
def test_outcome_is_binary(value: object) -> None:
    """A pass@1 other than 0 and 1 is refused."""
    table = with_value(frame(), 0, "pass@1", value)
    with pytest.raises(MatrixError, match="is neither 0 nor 1"):
        matrix_of(table)


def test_booleans_are_outcomes() -> None:
    """True and False, as pandas has them, are 1 and 0."""
    table = frame()
    assert matrix_of(table.assign(**{"pass@1": table["pass@1"].astype(np.bool_)})) == matrix_of(table)


def test_no_rows() -> None:
    """A header alone is refused."""
    with pytest.raises(MatrixError, match="no rows, only a header"):
        matrix_of(frame(0))


def test_doubled_ids_are_named_with_their_rows() -> None:
    """An instance that is there twice is named; of many, five and the number of the others."""
    table = frame(20)
    with pytest.raises(MatrixError, match=r"occurs twice: 'demo__pkg-0' \(rows 1 and 21\);"):
        matrix_of(pd.concat([table, table.head(1)]))
    with pytest.raises(MatrixError, match="and 15 more"):
        matrix_of(pd.concat([table, table]))


@pytest.mark.parametrize("value", ["", "  ", None, float("nan"), pd.NA])
def test_empty_id(value: object) -> None:
    """A row without an id is refused with its number."""
    table = with_value(frame(4), 2, "instance_id", value)
    with pytest.raises(MatrixError, match=r"instance_id, row 3: .* is empty"):
        matrix_of(table)
