"""How numbers and notes are put into words."""

import math

import pytest

from swe_assets.patch_quality.analysis.wording import imbalance_note, markdown_table, p_text, percent, plain
from swe_assets.statistics import Undefined


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "0.5000"),
        (-12.34567, "-12.3457"),
        (12345678.9, "1.235e+07"),
        (Undefined("why"), "–"),
        (Undefined("infinite", infinite=True), "∞"),
    ],
)
def test_plain(value: float | Undefined, text: str) -> None:
    """Four decimals; large numbers shortened; undefined is a dash, infinite its sign."""
    assert plain(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.04999, "0.04999"),
        (0.00009, "9.0e-05"),
        (0.0, "< 0.0001"),
        (math.nextafter(0, 1), "< 1e-323"),
        (1.0, "1.0000"),
    ],
)
def test_p(value: float, text: str) -> None:
    """Small p values keep two digits, none is rounded onto 0.05, and 0 and the smallest float are bounds."""
    assert p_text(value) == text
    assert p_text(Undefined("why")) == "–"


def test_shares() -> None:
    """A share has one decimal, its sign does not break off, and the note names the rarer class."""
    assert percent(373, 500) == "74.6\u00a0%"
    assert "a classe mais rara tem 127 (25.4\u00a0%)" in imbalance_note(373, 500)
    assert "0 de 3 instâncias" in imbalance_note(0, 3)


def test_markdown() -> None:
    """A table has a line for header, alignment and each row; a pipe in a cell is escaped."""
    assert markdown_table(("a", "b"), [("x|y", "1")]).splitlines() == [
        "| a | b |",
        "|:--|--:|",
        "| x\\|y | 1 |",
    ]
