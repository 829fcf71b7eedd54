"""Cells as people read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swe_assets.reporting.readable import readable
from swe_assets.statistics.undefined import Undefined

READ = [
    (None, "number", ""),
    (Undefined("ties"), "number", "–"),
    (Undefined("far", infinite=True), "ratio", "∞"),
    (0.05, "p", "0.0500"),
    (0.0000123, "p", "1.2e-05"),
    (5e-324, "p", "< 1e-323"),
    (0.0, "p", "< 0.0001"),
    (0.0499999, "p", "0.0499999"),
    (0.0500001, "p", "0.0500001"),
    (0.01000004, "p", "0.01000004"),
    (0.00099996, "p", "0.00099996"),
    (0.0496, "p", "0.0496"),
    (0.99999, "p", "0.99999"),
    (0.00009999, "p", "9.999e-05"),
    (0.746, "share", "74.6\u00a0%"),
    (1, "share", "100.0\u00a0%"),
    (373, "integer", "373"),
    (2.71828, "ratio", "2.718"),
    (1234567.8, "number", "1.23e+06"),
    (0.00012345, "number", "0.000123"),
    (0.0, "number", "0.000"),
    (True, "truth", "yes"),
    ("M_defesa", "id", "M_defesa"),
]


@pytest.mark.parametrize(("value", "kind", "text"), READ)
def test_cell(value: object, kind: str, text: str) -> None:
    """A cell is put as its kind asks, and what has no value is never a number."""
    assert readable(value, kind, "en") == text


@given(st.floats(0, 1))
def test_no_p_changes_sides(p: float) -> None:
    """A printed p is below a level just where p is, for 0.05, 0.01, 0.001 and 0.0001."""
    text = readable(p, "p", "en")
    printed = float(text.removeprefix("< "))
    for level in (0.05, 0.01, 0.001, 0.0001):
        assert (printed < level or (text.startswith("<") and printed <= level)) is (p < level)
