"""Cells as people read them."""

import pytest

from swe_assets.reporting.readable import readable
from swe_assets.statistics.undefined import Undefined

READ = [
    (None, "number", ""),
    (Undefined("ties"), "number", "–"),
    (Undefined("far", infinite=True), "ratio", "∞"),
    (0.05, "p", "0.0500"),
    (0.0000123, "p", "1.2e-05"),
    (5e-324, "p", "< 1e-323"),
    (0.0, "p", "0.0000"),
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
