"""The laws of intervals: shares and the bootstrap."""

import warnings
from typing import Literal

import numpy as np
import pytest
import scipy.stats
from hypothesis import strategies as st
from numpy.typing import NDArray
from statsmodels.stats.proportion import proportion_confint

from swe_assets.statistics import (
    Undefined,
    bootstrap_interval,
    clopper_pearson_interval,
    mean_interval,
    wilson_interval,
)
from swe_assets.statistics.bootstrap import Bootstrap, Method
from swe_assets.statistics.estimate import Estimate
from swe_assets_tests.statistics.law import Laws, holds_for
from swe_assets_tests.statistics.numbers_found import numbers_of
from swe_assets_tests.statistics.samples import Sample

counts = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@holds_for(counts)
def wilson_reference(count: tuple[int, int]) -> None:
    """Statsmodels gives the same bounds, the complement mirrors them, and the share lies between."""
    right, n = count
    found, mirrored = numbers_of(wilson_interval(right, n)), numbers_of(wilson_interval(n - right, n))
    assert found[1:] == pytest.approx(proportion_confint(right, n, method="wilson"), abs=1e-12)
    assert [1 - mirrored.high, 1 - mirrored.low] == pytest.approx(found[1:], abs=1e-12)
    assert found.low <= found.value <= found.high


@holds_for(counts)
def clopper_pearson_inverts_the_binomial(count: tuple[int, int]) -> None:
    """At each bound inside 0 to 1 the binomial's tail is 2.5 %."""
    right, n = count
    found = numbers_of(clopper_pearson_interval(right, n))
    assert right or found.low == 0
    assert right < n or found.high == 1
    if right:
        assert scipy.stats.binom.sf(right - 1, n, found.low) == pytest.approx(0.025)
    if right < n:
        assert scipy.stats.binom.cdf(right, n, found.high) == pytest.approx(0.025)


def bootstrap_reference(s: Sample) -> None:
    """SciPy, given the same draws, has the same percentile and BCa intervals of a mean."""
    x = np.array(s.x, dtype=float)
    ways: tuple[tuple[Method, Literal["percentile", "BCa"]], ...] = (
        ("percentile", "percentile"),
        ("bca", "BCa"),
    )
    for method, theirs in ways:
        how = Bootstrap(method=method, draws=199, seed=3)
        found = bootstrap_interval(lambda w: w @ x / w.sum(axis=1), len(x), how=how)
        if not isinstance(found, Estimate) or found.note:
            continue
        random = np.random.default_rng(3)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # SciPy on degenerate draws
            reference = scipy.stats.bootstrap((x,), mean_along, n_resamples=199, method=theirs, rng=random)
        wanted = reference.confidence_interval
        assert [found.low, found.high] == pytest.approx([wanted.low, wanted.high], abs=1e-9)
        assert found.se == pytest.approx(float(reference.standard_error))


def mean_along(values: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    """Return the means along an axis."""
    return np.asarray(values.mean(axis=axis))


def mean_moves_with_the_values(s: Sample) -> None:
    """A shift and a scale of the values shift and scale the interval; clusters of one are items."""
    found = mean_interval(s.x, how=Bootstrap(draws=199))
    moved = mean_interval([10 + 3 * x for x in s.x], clusters=range(len(s.x)), how=Bootstrap(draws=199))
    if isinstance(found, Undefined) or isinstance(moved, Undefined):
        assert isinstance(found, Undefined) and isinstance(moved, Undefined)
        return
    wanted = [10 + 3 * number for number in numbers_of(found)]
    assert list(numbers_of(moved)) == pytest.approx(wanted)


LAWS: Laws = {
    "bootstrap_interval": [bootstrap_reference],
    "clopper_pearson_interval": [clopper_pearson_inverts_the_binomial],
    "mean_interval": [mean_moves_with_the_values],
    "wilson_interval": [wilson_reference],
}
