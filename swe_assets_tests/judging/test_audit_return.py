"""The returned sheet: taken when it is whole, and refused with each fault told apart."""

import csv
import io

import pytest

from swe_assets.errors import AuditError
from swe_assets.judging.audit_form import AuditForm, DrawnItem, Scale
from swe_assets.judging.audit_return import ReturnedSheet, checked_auditor, read_return

FORM = AuditForm((Scale("solved", yes_no=True), Scale("score", 1, 5)))
DRAWN = (DrawnItem("a-1", "item-1"), DrawnItem("b-2", "item-2"), DrawnItem("c-3", "item-3"))
GOOD = (("a-1", "item-1", "Ana", "sim", "5", "bom"), ("b-2", "item-2", "Ana", "não", "2", ""))
LAST = ("c-3", "item-3", "Ana", "sim", "4", "")


def sheet(*rows: tuple[str, ...], delimiter: str = ",") -> bytes:
    """Return a sheet with the form's columns."""
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter).writerows([FORM.columns, *rows])
    return stream.getvalue().encode()


def taken(*rows: tuple[str, ...], partial: bool = False, auditor: str | None = None) -> ReturnedSheet:
    """Return what is read of a sheet of the three drawn items."""
    return read_return(
        sheet(*rows), FORM, DRAWN, known={"a-1", "b-2", "c-3", "d-4"}, auditor=auditor, partial=partial
    )


def test_whole_sheet() -> None:
    """A whole sheet gives auditor, scores and comments, in its own order of rows."""
    found = taken(LAST, *GOOD)
    assert (found.auditor, found.missing, found.unscored, found.notes) == ("Ana", (), (), ())
    assert [item.item_id for item in found.items] == ["c-3", "a-1", "b-2"]
    assert found.items[1].scores == {"solved": 1.0, "score": 5.0} and found.items[1].comment == "bom"


def test_record_is_the_sheet() -> None:
    """What is kept of a sheet gives the same sheet again."""
    found = taken(LAST, *GOOD)
    assert ReturnedSheet.from_record(found.record()) == found


FAULTS = [
    (("x-9", "item-9", "Ana", "sim", "4", ""), r"line 4: unknown id 'x-9'"),
    (("d-4", "item-4", "Ana", "sim", "4", ""), r"line 4: d-4 is of the study but was not drawn"),
    (("c-3", "item-2", "Ana", "sim", "4", ""), r"line 4: the id was changed: 'c-3' .* mark of 'b-2'"),
    (("3-Mar", "item-3", "Ana", "sim", "4", ""), r"line 4: the id was changed: '3-Mar' .* mark of 'c-3'"),
    (("c-3", "item-old", "Ana", "sim", "4", ""), r"line 4: c-3 was judged by another mark .* has changed"),
    (("c-3", "item-3", "Ana", "sim", "6", ""), r"line 4, c-3, humano_score: '6' is out of range"),
    (("c-3", "item-3", "Ana", "maybe", "4", ""), r"line 4, c-3, humano_solved: 'maybe' is no score"),
    (("a-1", "item-1", "Ana", "não", "5", "bom"), r"line 4: a-1 is there twice with different scores"),
    (("c-3", "item-3", "Rui", "sim", "4", ""), r"names several auditors: 'Ana', 'Rui'"),
    (("c-3", "item-3", "Ana", "sim", "", ""), r"score missing: c-3\n--partial"),
    (GOOD[0], r"row missing: c-3\n--partial"),
]


@pytest.mark.parametrize(("row", "words"), FAULTS)
def test_faults_are_told_apart(row: tuple[str, ...], words: str) -> None:
    """Each kind of fault refuses the sheet, with its line and its own words."""
    with pytest.raises(AuditError, match=words):
        taken(*GOOD, row)


def test_all_faults_at_once() -> None:
    """A sheet with several faults names them all in one message."""
    with pytest.raises(AuditError) as refused:
        taken(("x-9", "item-9", "Ana", "sim", "7", ""), GOOD[1])
    for words in ("unknown id 'x-9'", "'7' is out of range", "row missing: a-1, c-3"):
        assert words in str(refused.value)


def test_an_unreadable_score_is_one_fault() -> None:
    """A score that is no number is not also called missing, and --partial is not advised."""
    with pytest.raises(AuditError, match="b-2, humano_score") as refused:
        taken(GOOD[0], ("b-2", "item-2", "Ana", "sim", "nan", ""), LAST)
    assert "score missing" not in str(refused.value) and "--partial" not in str(refused.value)


def test_partial_sheet() -> None:
    """With partial, missing rows and scores are told and the rest is taken; a sheet without scores is not."""
    found = taken(GOOD[0], ("b-2", "item-2", "Ana", "", "", ""), partial=True)
    assert (found.missing, found.unscored) == (("c-3",), ("b-2",))
    with pytest.raises(AuditError, match="no score is filled in"):
        taken(("b-2", "item-2", "Ana", "", "", ""), partial=True)


def test_identical_rows_are_one() -> None:
    """A row that is there twice with the same scores counts once."""
    assert len(taken(*GOOD, LAST, GOOD[0]).items) == 3


def test_auditor_is_needed() -> None:
    """Who audited comes from the sheet or from the caller, who wins; with neither the sheet is refused."""
    blank = tuple((row[0], row[1], "", *row[3:]) for row in (*GOOD, LAST))
    assert taken(*blank, auditor=" Rui  Lima ").auditor == "Rui Lima"
    assert taken(*GOOD, LAST, auditor="Rui").auditor == "Rui"
    with pytest.raises(AuditError, match="names no auditor"):
        taken(*blank)


@pytest.mark.parametrize("name", ["", " ", "x" * 81, "a\x1bb", "a\u202eb"])
def test_unusable_names(name: str) -> None:
    """A name that is empty, long or holds controls is refused."""
    with pytest.raises(AuditError, match="name is"):
        checked_auditor(name)


def test_semicolons_and_more_columns() -> None:
    """A sheet saved with semicolons and with the columns to read is taken."""
    rows = [(*FORM.columns, "issue"), *((*row, "x;y\nz") for row in (*GOOD, LAST))]
    stream = io.StringIO()
    csv.writer(stream, delimiter=";").writerows(rows)
    found = read_return(stream.getvalue().encode("utf-8-sig"), FORM, DRAWN)
    assert len(found.items) == 3 and found.notes == ("separated by semicolons",)
