"""Intervals of shares and means: ends, clusters, draws that say nothing."""

import numpy as np
import pytest

from swe_assets.errors import InputError
from swe_assets.statistics import (
    Undefined,
    bootstrap_interval,
    clopper_pearson_interval,
    mean_interval,
    wilson_interval,
)
from swe_assets.statistics.bootstrap import Bootstrap
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.resampling import resamples
from swe_assets_tests.statistics.numbers_found import answer, number, numbers_of


def test_wilson_by_hand() -> None:
    """All of 20: n / (n + z^2)."""
    found = numbers_of(wilson_interval(20, 20))
    assert list(found) == pytest.approx([1, 20 / (20 + 1.959963984540054**2), 1])


def test_shares_of_nothing_and_of_nonsense() -> None:
    """No trials are undefined; more successes than trials, or parts of one, are errors."""
    assert wilson_interval(0, 0) == clopper_pearson_interval(0, 0) == Undefined("a share of 0 trials")
    for right, n in ((3, 2), (-1, 2), (0.5, 2)):
        with pytest.raises(InputError, match="whole numbers"):
            wilson_interval(right, n)  # type: ignore[arg-type] # half a success is the point
    with pytest.raises(InputError, match="confidence 95"):
        wilson_interval(1, 2, confidence=95)


def test_all_right_is_no_certainty() -> None:
    """Twenty successes of twenty have a Wilson interval, and no bootstrap interval."""
    found = mean_interval([1] * 20)
    assert isinstance(found, Undefined)
    assert "width zero" in found.reason


def test_clusters_widen() -> None:
    """Five clusters of four equal values are five values, not twenty."""
    values = [v for v in (1, 3, 2, 5, 4) for _ in range(4)]
    clusters = [c for c in "abcde" for _ in range(4)]
    rows, groups = mean_interval(values), mean_interval(values, clusters=clusters)
    five = mean_interval((1, 3, 2, 5, 4))
    assert list(numbers_of(groups)) == pytest.approx(list(numbers_of(five)))
    assert number(answer(rows).width) < number(answer(groups).width)
    assert answer(groups).n == 5


def test_percentile_of_many_draws_is_the_exact_distribution() -> None:
    """Of two values the mean's draws are 0, 1/2, 1 with chances 1/4, 1/2, 1/4: the bounds are the ends."""
    found = mean_interval([0, 1], how=Bootstrap(method="percentile", draws=4000))
    assert isinstance(found, Estimate)
    assert (found.low, found.high) == (0, 1)
    assert found.se == pytest.approx(0.125**0.5, rel=0.05)


def test_bca_falls_back_and_says_so() -> None:
    """The largest value is never exceeded by a draw, so BCa has no value for it."""
    x = np.array([1.0, 2.0, 3.0])
    found = bootstrap_interval(lambda w: np.where(w > 0, x, 0).max(axis=1), 3, how=Bootstrap(draws=500))
    assert isinstance(found, Estimate)
    assert found.method == "bootstrap, BCa" or found.note.startswith("BCa has no value")


def test_undefined_draws_are_counted_or_too_many() -> None:
    """A few draws without a value are counted, many leave no interval."""
    x = np.arange(40.0)

    def mean_unless(rows_missing: int) -> object:
        def statistic(w: np.ndarray) -> np.ndarray:
            return np.where((w == 0).sum(axis=1) < rows_missing, w @ x / 40, np.nan)

        return bootstrap_interval(statistic, 40, how=Bootstrap(draws=500))

    few, many = mean_unless(19), mean_unless(15)
    assert isinstance(few, Estimate) and 0 < few.undefined_draws <= 25
    assert isinstance(many, Undefined) and many.reason.endswith("of 500 draws have no value")


def test_too_few_units() -> None:
    """One unit, or one cluster, cannot be drawn from; a statistic without a value has no interval."""
    assert mean_interval([3]) == Undefined("1 unit(s) to draw from, at least 2 are needed")
    assert mean_interval([1, 2], clusters=["a", "a"]) == mean_interval([3])
    assert mean_interval([]) == Undefined("0 unit(s) to draw from, at least 2 are needed")
    assert isinstance(bootstrap_interval(lambda w: np.full(len(w), np.nan), 5), Undefined)


def test_blocks_are_the_same_draws() -> None:
    """Draws that come in several blocks are those that come in one."""
    whole = np.concatenate(list(resamples(900, 3000, seed=1)))
    drawn = np.random.default_rng(1).integers(0, 900, (3000, 900))
    assert whole.shape == (3000, 900)
    assert (whole[2999] == np.bincount(drawn[2999], minlength=900)).all()


def test_refused() -> None:
    """No draws, an unknown method, and labels for other rows are errors."""
    with pytest.raises(InputError, match="at least 1 draw"):
        Bootstrap(draws=0)
    with pytest.raises(InputError, match="'percentile' or 'bca'"):
        Bootstrap(method="t")  # type: ignore[arg-type] # the point
    with pytest.raises(InputError, match="1 cluster labels for 2 rows"):
        mean_interval([1, 2], clusters=["a"])
