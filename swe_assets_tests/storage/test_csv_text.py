"""CSV text is read back as it was, whatever stands in its cells."""

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from swe_assets.storage.csv_text import csv_text

CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@given(st.lists(st.lists(CELL, min_size=2, max_size=2)))
def test_every_cell_comes_back(rows: list[list[str]]) -> None:
    """Quotes, commas and line ends of every kind survive in cells, and each row ends in a unix one."""
    text = csv_text(["a", "b"], rows)
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["a", "b"], *rows]
    assert text.endswith("\n") and not text.endswith("\r\n")


def test_none_is_an_empty_cell() -> None:
    """An absent value is an empty cell, a number is written as Python writes it."""
    assert csv_text(["a", "b"], [[None, 1.5], ["x\ry", 2]]) == 'a,b\n,1.5\n"x\ry",2\n'
