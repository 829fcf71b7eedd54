"""The laws that each statistic keeps, from one table that names every one of them."""

import warnings
from typing import Any

import pytest
from hypothesis import Phase, given, settings

import swe_assets.statistics as statistics
from swe_assets_tests.statistics import (
    laws_of_comparisons,
    laws_of_intervals,
    laws_of_judges,
    laws_of_logits,
    laws_of_models,
    laws_of_power,
    laws_of_ranks,
)
from swe_assets_tests.statistics.law import Law, Laws, inputs_of

LAWS: Laws = (
    laws_of_models.LAWS
    | laws_of_judges.LAWS
    | laws_of_intervals.LAWS
    | laws_of_comparisons.LAWS
    | laws_of_ranks.LAWS
    | laws_of_logits.LAWS
    | laws_of_power.LAWS
)


def test_every_statistic_has_laws() -> None:
    """The table names every public statistic, and nothing else."""
    assert set(LAWS) == set(statistics.__all__) - {"Undefined"}


@pytest.mark.parametrize(
    "law", [pytest.param(law, id=law.__name__) for laws in LAWS.values() for law in laws]
)
def test_law(law: Law) -> None:
    """The law holds for every drawn input."""
    inputs, examples = inputs_of(law)

    @settings(max_examples=examples, deadline=None, derandomize=True, database=None, phases=[Phase.generate])
    @given(drawn=inputs)
    def holds(drawn: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            law(drawn)

    holds()
