"""The laws of rho's companions: bootstrap intervals, permutation and partial correlation."""

from itertools import permutations

import numpy as np
import pytest
import scipy.stats

from swe_assets.statistics import (
    Undefined,
    partial_spearman,
    spearman,
    spearman_interval,
    spearman_permutation,
)
from swe_assets.statistics.bootstrap import Bootstrap
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.rank_permutation import PermutationTest
from swe_assets_tests.statistics.law import Laws, holds_for
from swe_assets_tests.statistics.numbers_found import answer, number
from swe_assets_tests.statistics.samples import Sample, samples

QUICK = Bootstrap(method="percentile", draws=60, seed=3)


@holds_for(samples(), examples=25)
def draws_are_ranked_anew(s: Sample) -> None:
    """Each draw's rho is that of the rows drawn, ranked anew; draws without one are counted."""
    found = spearman_interval(s.predictors, how=QUICK)["x", "z"]
    drawn = np.random.default_rng(3).integers(0, len(s.x), (60, len(s.x)))
    rhos = [spearman({"x": [s.x[i] for i in row], "z": [s.z[i] for i in row]}).rho["x", "z"] for row in drawn]
    kept = [rho for rho in rhos if not isinstance(rho, Undefined)]
    if not isinstance(found, Estimate):
        assert len(kept) < 57 or np.ptp(kept) < 1e-12
        return
    assert found.value == pytest.approx(spearman(s.predictors).rho["x", "z"], abs=1e-12)
    assert [found.low, found.high] == pytest.approx(np.quantile(kept, (0.025, 0.975)), abs=1e-9)
    assert found.undefined_draws == 60 - len(kept)


@holds_for(samples(), examples=25)
def intervals_are_monotone_invariant(s: Sample) -> None:
    """A rising map changes nothing, a pair's order neither, and clusters of one are rows."""
    how = Bootstrap(draws=60)
    found = spearman_interval(s.predictors, how=how)
    moved = spearman_interval({"z": s.z, "x": [x**3 + x for x in s.x]}, clusters=range(len(s.x)), how=how)
    assert found["x", "z"] == found["z", "x"]
    if isinstance(one := found["x", "z"], Estimate):
        other = answer(moved["x", "z"])
        assert [other.low, other.high] == pytest.approx([one.low, one.high], abs=1e-9)


def permutation_brute_force(s: Sample) -> None:
    """With few rows p is the share of all orders that reach rho; with more it is near SciPy's t p."""
    x, z = s.x[:6], s.z[:6]
    found = spearman_permutation({"x": x, "z": z})["x", "z"]
    if isinstance(found, PermutationTest):
        rho = number(spearman({"x": x, "z": z}).rho["x", "z"])
        orders = [number(spearman({"x": order, "z": z}).rho["x", "z"]) for order in permutations(x)]
        assert found.exact and found.p == pytest.approx(np.mean([abs(r) >= abs(rho) - 1e-12 for r in orders]))
    else:
        assert len(set(x)) == 1 or len(set(z)) == 1


def permutation_bounds(s: Sample) -> None:
    """P lies in (0, 1], for either order of the pair, and does not know monotone maps or signs."""
    found = spearman_permutation(s.predictors, draws=99)["x", "z"]
    turned = spearman_permutation({"x": [-x for x in s.x], "z": [z**3 for z in s.z]}, draws=99)["x", "z"]
    assert found == turned
    assert 0 < answer(found).p <= 1


def partial_by_formula(s: Sample) -> None:
    """With one column held rho is the textbook formula, and p is t's with n - 3 degrees of freedom."""
    third = tuple((3 * x + 2 * z + at % 3) % 7 for at, (x, z) in enumerate(zip(s.x, s.z, strict=True)))
    found = partial_spearman({**s.predictors, "g": third}, ["g"])
    rho = found.rho["x", "z"]
    ranks = [scipy.stats.rankdata(column) for column in (s.x, s.z, third)]
    if len(set(third)) == 1:
        assert isinstance(rho, Undefined)
        return
    r = np.corrcoef(np.array(ranks)).reshape(3, 3)
    scale = (1 - r[0, 2] ** 2) * (1 - r[1, 2] ** 2)
    if isinstance(rho, Undefined):
        assert scale == pytest.approx(0, abs=1e-9)
        return
    assert rho == pytest.approx((r[0, 1] - r[0, 2] * r[1, 2]) / np.sqrt(scale), abs=1e-7)
    assert found.rho["z", "x"] == rho
    df = len(s.x) - 3
    if abs(rho) < 1 - 1e-9:
        t = rho * np.sqrt(df / (1 - rho**2))
        assert found.p["x", "z"] == pytest.approx(2 * scipy.stats.t.sf(abs(t), df), rel=1e-6)


LAWS: Laws = {
    "partial_spearman": [partial_by_formula],
    "spearman_interval": [draws_are_ranked_anew, intervals_are_monotone_invariant],
    "spearman_permutation": [permutation_brute_force, permutation_bounds],
}
