"""The inner join of tables on instance_id."""

import pytest

from swe_assets.errors import MatrixError
from swe_assets.patch_quality.analysis.joining import inner_join


def test_only_what_all_tables_have() -> None:
    """Rows keep the first table's order; what is left out is said, with the tables that lack it."""
    joined = inner_join({"tests": [("b", 1), ("a", 0), ("c", 1)], "measures": [("a", 9), ("b", 8), ("d", 7)]})
    assert list(joined.rows.items()) == [("b", (1, 8)), ("a", (0, 9))]
    assert joined.missing == {"c": ("measures",), "d": ("tests",)}


@pytest.mark.parametrize("rows", [[("a", 1), ("a", 1)], [("a", 1), ("b", 2), ("a", 3)]])
def test_doubled_id_is_an_error(rows: list[tuple[str, int]]) -> None:
    """An id twice in a table, even with equal rows, is named and never makes two rows."""
    with pytest.raises(MatrixError, match="table 'measures' has instance_id twice: a;"):
        inner_join({"tests": [("a", 1)], "measures": rows})


def test_ids_are_text() -> None:
    """007 and 7 are two instances."""
    assert not inner_join({"l": [("007", 1)], "r": [("7", 1)]}).rows
