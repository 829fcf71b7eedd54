"""The scales: what a person writes is read as what it means, or refused."""

import pytest

from swe_assets.errors import AuditError
from swe_assets.judging.audit_form import AuditForm, Scale, item_mark

FIVE = Scale("score", 1, 5)
HALVES = Scale("half", 0, 2, step=0.5)
ANY = Scale("any", 0, 10, step=None)
ASKED = Scale("solved", yes_no=True)


@pytest.mark.parametrize(
    ("scale", "text", "value"),
    [
        *((ASKED, word, 1.0) for word in ("sim", "SIM ", "VERDADEIRO", "true", "1", "1,0", "y", "是")),
        *((ASKED, word, 0.0) for word in ("não", "Nao", "FALSO", "FALSE", "0", "n")),
        *((FIVE, word, 4.0) for word in ("4", " 4 ", "4.0", "4,0", "+4", "４")),
        (HALVES, "1,5", 1.5),
        (ANY, "7.25", 7.25),
        (FIVE, " ", None),
        (ASKED, "", None),
    ],
)
def test_scores_are_read(scale: Scale, text: str, value: float | None) -> None:
    """A score in the forms of people and spreadsheets is that score, a blank cell none."""
    assert scale.read(text) == value


@pytest.mark.parametrize(
    ("scale", "text", "words"),
    [
        (FIVE, "0", "out of range .*whole number from 1 to 5"),
        (FIVE, "6", "out of range"),
        (FIVE, "3.5", "out of range"),
        (FIVE, "1-5", "no score"),
        (FIVE, "four", "no score"),
        (FIVE, "sim", "no score"),
        (FIVE, "1e0", "no score"),
        (FIVE, "nan", "no score"),
        (HALVES, "0.4", r"from 0 to 2 by 0\.5"),
        (ANY, "10,01", "or any between"),
        (ASKED, "2", "give sim or não"),
        (ASKED, "talvez", "give sim or não"),
    ],
)
def test_other_words_are_refused(scale: Scale, text: str, words: str) -> None:
    """What is no score, off the steps or out of range is refused with what can be given."""
    with pytest.raises(AuditError, match=words):
        scale.read(text)


@pytest.mark.parametrize("scale", [FIVE, HALVES, ASKED])
def test_written_scores_are_read_again(scale: Scale) -> None:
    """Each value of a scale is read from what is written for it."""
    assert [scale.read(scale.write(value)) for value in scale.values] == list(scale.values)
    assert scale.write(None) == ""


def test_columns_of_a_form() -> None:
    """A sheet has id, mark and auditor, a column a scale, and one for words."""
    columns = AuditForm((FIVE, ASKED), id_column="item_id").columns
    assert columns == ("item_id", "item", "auditor", "humano_score", "humano_solved", "humano_comentario")


def test_marks_tell_texts_apart() -> None:
    """A mark depends on each text and on where one ends, and is no number to a spreadsheet."""
    marks = {item_mark(texts) for texts in (["ab", "c"], ["a", "bc"], ["ab", ""], ["ab", "\ud800"])}
    assert len(marks) == 4 and all(mark.startswith("item-") for mark in marks)
