"""The laws of power: what is detectable shrinks with the sample and grows with what is asked."""

import math

import pytest
from hypothesis import strategies as st
from statsmodels.stats.power import NormalIndPower

from swe_assets.statistics import (
    Undefined,
    detectable_odds_ratio,
    detectable_paired_difference,
    detectable_rate_difference,
    detectable_rho,
)
from swe_assets_tests.statistics.law import Laws, holds_for
from swe_assets_tests.statistics.numbers_found import number

sizes = st.integers(20, 5000)
rates = st.integers(5, 95).map(lambda hundredths: hundredths / 100)


@holds_for(st.tuples(sizes, rates))
def rate_has_its_power(drawn: tuple[int, float]) -> None:
    """A test of the rise that is found has the power asked for, within what its approximation differs."""
    n, rate = drawn
    found = detectable_rate_difference(n, n, rate)
    if isinstance(found, Undefined):
        assert rate > 0.5 or n < 60
        return
    effect = 2 * (math.asin(math.sqrt(rate + found)) - math.asin(math.sqrt(rate)))
    assert NormalIndPower().power(effect, n, 0.05) == pytest.approx(0.8, abs=0.1)
    assert number(detectable_rate_difference(4 * n, 4 * n, rate)) < found
    assert number(detectable_rate_difference(n, 10 * n, rate)) < found


@holds_for(st.tuples(sizes, rates))
def paired_solves_its_equation(drawn: tuple[int, float]) -> None:
    """What is found solves the equation of its docstring; more items need less."""
    n, q = drawn
    found = detectable_paired_difference(n, q)
    if isinstance(found, Undefined):
        assert n * q < 20
        return
    z, z_power = 1.959963984540054, 0.8416212335729143
    assert math.sqrt(n) * found == pytest.approx(z * math.sqrt(q) + z_power * math.sqrt(q - found**2))
    assert number(detectable_paired_difference(2 * n, q)) < found <= q


@holds_for(sizes)
def rho_within_bounds(n: int) -> None:
    """Detectable correlations lie in 0 to 1, shrink with rows and grow with power."""
    found = number(detectable_rho(n))
    assert 0 < number(detectable_rho(2 * n)) < found < number(detectable_rho(n, power=0.95)) < 1


@holds_for(st.tuples(sizes, rates))
def odds_ratio_symmetric(drawn: tuple[int, float]) -> None:
    """The rate and its complement are alike; collinearity counts as fewer rows."""
    n, rate = drawn
    found = number(detectable_odds_ratio(n, rate))
    assert found > 1
    assert detectable_odds_ratio(n, 1 - rate) == pytest.approx(found)
    assert detectable_odds_ratio(4 * n, rate, vif=4) == pytest.approx(found)


LAWS: Laws = {
    "detectable_odds_ratio": [odds_ratio_symmetric],
    "detectable_paired_difference": [paired_solves_its_equation],
    "detectable_rate_difference": [rate_has_its_power],
    "detectable_rho": [rho_within_bounds],
}
