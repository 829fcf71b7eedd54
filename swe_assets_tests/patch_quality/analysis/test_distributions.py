"""Distributions of odd columns: neighbours among floating-point numbers, and numbers near the largest."""

import warnings

import pytest

from swe_assets.patch_quality.analysis.distribution_tables import distribution_table, histogram_table
from swe_assets.statistics.undefined import Undefined
from swe_assets_tests.patch_quality.analysis.studies import sided, study

NEIGHBOURS = [0.3, 0.30000000000000004]


@pytest.mark.parametrize(
    ("values", "bars"),
    [
        (NEIGHBOURS * 5, [(0.3, 0.30000000000000004, 10)]),
        ([0.5] * 10, [(0.5, 0.5, 10)]),
        ([0.5] * 5 + [1.6e308] * 5, [(0.5, 8e307, 5), (8e307, 1.6e308, 5)]),
        ([0, 1] * 5, [(0.0, 1.0, 5), (1.0, 2.0, 5)]),
    ],
)
def test_every_row_is_in_a_bar(values: list[float], bars: list[tuple[float, float, int]]) -> None:
    """Bars hold all ten rows: values next to each other, one value, numbers near the largest, whole ones."""
    evidence = study(sided(10).assign(violations=values))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [row for row in histogram_table(evidence).records() if row["column"] == "violations"]
    assert [(row["low"], row["high"], row["n"]) for row in found] == bars


def test_a_sum_beyond_the_largest_number() -> None:
    """The mean of numbers near the largest is undefined with its reason; the median is a number."""
    evidence = study(sided(10).assign(violations=[1e308] * 10))
    (row,) = (row for row in distribution_table(evidence).records() if row["column"] == "violations")
    assert row["mean"] == row["sd"] == Undefined("working it out passes the largest number")
    assert row["median"] == 1e308
