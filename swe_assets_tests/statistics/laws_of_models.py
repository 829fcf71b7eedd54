"""The laws of the statistics of relations and models: correlation, normality, logit, separation, VIF."""

import math
from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from numpy.typing import NDArray

from swe_assets.statistics import (
    Undefined,
    detect_separation,
    epv,
    firth_logit,
    log1p,
    logit,
    shapiro_wilk,
    spearman,
    vif,
)
from swe_assets.statistics.firth import Firth
from swe_assets.statistics.logistic import Logit
from swe_assets.statistics.normality import Normality
from swe_assets.statistics.sample_size import EventsPerVariable
from swe_assets.statistics.separation import Separation
from swe_assets_tests.statistics.law import Laws, holds_for
from swe_assets_tests.statistics.samples import Sample, samples


def rho_of(x: tuple[int, ...], z: tuple[int, ...]) -> tuple[float, float]:
    """Return rho and p of two varying columns."""
    found = spearman({"x": x, "z": z})
    rho, p = found.rho["x", "z"], found.p["x", "z"]
    assert not isinstance(rho, Undefined) and not isinstance(p, Undefined)
    assert (found.rho["z", "x"], found.p["z", "x"]) == (rho, p)
    return rho, p


def spearman_bounds(s: Sample) -> None:
    """Rho lies in [-1, 1], p in [0, 1], and p is 0 just where rho is exactly 1 or -1."""
    rho, p = rho_of(s.x, s.z)
    assert -1 <= rho <= 1
    assert 0 <= p <= 1
    assert (p == 0) == (abs(rho) == 1)


def spearman_order(s: Sample) -> None:
    """The order of rows does not matter, to the last bit."""
    assert rho_of(s.x, s.z) == rho_of(s.shuffled().x, s.shuffled().z)


def spearman_monotone(s: Sample) -> None:
    """A rising transformation changes nothing; a falling one turns the sign alone."""
    rho, p = rho_of(s.x, s.z)
    assert rho_of(tuple(x**3 + x for x in s.x), s.z) == (rho, p)
    assert rho_of(tuple(-x for x in s.x), s.z) == (-rho, p)


def spearman_reference(s: Sample) -> None:
    """SciPy gives the same rho within 1e-12 and the same p within 1e-10 of it."""
    rho, p = rho_of(s.x, s.z)
    reference = scipy.stats.spearmanr(s.x, s.z)
    assert rho == pytest.approx(reference.statistic, abs=1e-12)
    if abs(rho) != 1:
        assert p == pytest.approx(reference.pvalue, rel=1e-10)


def shapiro_of(values: tuple[float, ...]) -> Normality:
    """Return the test of a varying column."""
    found = shapiro_wilk(values)
    assert isinstance(found, Normality)
    return found


def shapiro_bounds(s: Sample) -> None:
    """W lies in (0, 1], p in [0, 1], and the verdict follows p."""
    found = shapiro_of(s.x)
    assert 0 < found.w <= 1
    assert 0 <= found.p <= 1
    assert found.normal == (found.p >= 0.05)


def shapiro_invariance(s: Sample) -> None:
    """Neither order, nor scale, nor place matters."""
    found = shapiro_of(s.x)
    assert shapiro_of(s.shuffled().x).w == pytest.approx(found.w, rel=1e-12)
    assert shapiro_of(tuple(1e6 - 0.5 * x for x in s.x)).w == pytest.approx(found.w, rel=1e-9)


def shapiro_reference(s: Sample) -> None:
    """SciPy on the values as they are gives the same W and p."""
    found, reference = shapiro_of(s.x), scipy.stats.shapiro(s.x)
    assert (found.w, found.p) == pytest.approx((reference.statistic, reference.pvalue), rel=1e-7)


def fitted(s: Sample) -> Logit | None:
    """Return the fit of a sample, or None where there is none."""
    found = logit(s.outcome, s.predictors)
    return found if isinstance(found, Logit) else None


def logit_score(s: Sample) -> None:
    """At the estimate the score is 0: each predictor's sum over the resolved is the one expected."""
    if found := fitted(s):
        matrix = np.column_stack([np.ones(len(s.x)), s.x, s.z])
        chance = 1 / (1 + np.exp(-matrix @ [term.coef for term in found.terms]))
        assert np.abs(matrix.T @ (np.array(s.outcome) - chance)).max() < 1e-4
        assert found.llf <= 0 and found.llnull <= found.llf + 1e-9


def logit_flip(s: Sample) -> None:
    """Exchanging the classes turns the signs and inverts the odds ratios; order does not matter."""
    if found := fitted(s):
        other = fitted(s.flipped().shuffled())
        assert other is not None
        for term, turned in zip(found.terms, other.terms, strict=True):
            assert turned.coef == pytest.approx(-term.coef, rel=1e-5, abs=1e-6)
            assert turned.se == pytest.approx(term.se, rel=1e-5)


def logit_needs_overlap(s: Sample) -> None:
    """There is a fit just where the outcomes overlap and the predictors are not collinear."""
    separation = detect_separation(s.outcome, s.predictors)
    overlap = isinstance(separation, Separation) and separation.kind == "none"
    assert (fitted(s) is not None) == overlap


def penalised(s: Sample, beta: NDArray[np.float64]) -> float:
    """Return Firth's log-likelihood, written down from its definition."""
    matrix = np.column_stack([np.ones(len(s.x)), s.x, s.z])
    chance = 1 / (1 + np.exp(-matrix @ beta))
    information = (matrix.T * (chance * (1 - chance))) @ matrix
    each = np.where(np.array(s.outcome) == 1, chance, 1 - chance)
    return float(np.log(each).sum() + 0.5 * np.linalg.slogdet(information)[1])


@holds_for(samples(), examples=10)
def firth_maximum(s: Sample) -> None:
    """No step away from Firth's estimate raises the penalised likelihood; the intervals hold the estimate."""
    found = firth_logit(s.outcome, s.predictors)
    if not isinstance(found, Firth):
        assert "collinear" in found.reason or "rows" in found.reason
        return
    beta = np.array([term.coef for term in found.terms])
    assert penalised(s, beta) == pytest.approx(found.penalised_loglik, rel=1e-8)
    for j, step in ((0, 0.01), (1, 0.01), (2, 0.01), (0, -0.01), (1, -0.01), (2, -0.01)):
        assert penalised(s, beta + step * np.eye(3)[j]) <= found.penalised_loglik + 1e-10
    for term in found.terms:
        assert isinstance(term.ci_low, Undefined) or term.ci_low < term.coef
        assert isinstance(term.ci_high, Undefined) or term.ci_high > term.coef


def separation_reference(s: Sample) -> None:
    """The exact extreme rays of the cone, found in integers, tell the same kind of separation."""
    found = detect_separation(s.outcome, s.predictors)
    if not isinstance(found, Separation):
        assert vif({"x": s.x, "z": s.z})["x"] == Undefined(
            "infinite: predictor 'x' is collinear with the others", infinite=True
        )
        return
    rows = [np.array([1, x, z]) * (1 if y else -1) for y, x, z in zip(s.outcome, s.x, s.z, strict=True)]
    crossed = [np.cross(a, b) for a, b in combinations({tuple(row): row for row in rows}.values(), 2)]
    rays = [sign * ray for ray in crossed for sign in (1, -1) if ray.any()]
    inside = [ray for ray in rays if all(row @ ray >= 0 for row in rows)]
    apart = sum(inside, np.zeros(3, dtype=int))
    kind = "none" if not inside else "complete" if all(row @ apart > 0 for row in rows) else "quasi-complete"
    assert found.kind == kind
    assert set(found.terms) == {
        name for j, name in enumerate(("const", "x", "z")) if any(r[j] for r in inside)
    }


def separation_flip(s: Sample) -> None:
    """Exchanging the classes turns each sign; order does not matter."""
    found, other = (detect_separation(t.outcome, t.predictors) for t in (s, s.flipped().shuffled()))
    if isinstance(found, Separation):
        assert isinstance(other, Separation)
        turned = {name: {"+": "-", "-": "+"}.get(sign, sign) for name, sign in found.terms.items()}
        assert (other.kind, dict(other.terms), other.alone) == (found.kind, turned, found.alone)


def vif_reference(s: Sample) -> None:
    """A VIF is at least 1, and the diagonal of the inverse correlation matrix."""
    found = vif(s.predictors)
    if isinstance(found["x"], Undefined):
        assert abs(np.corrcoef(s.x, s.z)[0, 1]) == pytest.approx(1)
        return
    diagonal = np.diag(np.linalg.inv(np.corrcoef(s.x, s.z)))
    assert [found["x"], found["z"]] == pytest.approx(diagonal, rel=1e-9)
    assert found["x"] >= 1


def vif_affine(s: Sample) -> None:
    """Neither scale nor place of a predictor matters, nor the order of rows."""
    found, moved = vif(s.predictors), vif({"x": [1000 - 3 * x for x in s.shuffled().x], "z": s.shuffled().z})
    for name, value in found.items():
        if isinstance(value, Undefined):
            assert isinstance(moved[name], Undefined)
        else:
            assert moved[name] == pytest.approx(value, rel=1e-8)


def epv_counts(s: Sample) -> None:
    """EPV counts the rarer class, whichever it is, over the predictors."""
    found, other = epv(s.outcome, 2), epv(s.flipped().outcome, 4)
    assert isinstance(found, EventsPerVariable) and isinstance(other, EventsPerVariable)
    assert found.value == 2 * other.value == min(s.outcome.count(0), s.outcome.count(1)) / 2


def log1p_inverse(s: Sample) -> None:
    """The exponential leads back, and the order of values stays."""
    counts = [abs(x) for x in s.x]
    found = [value for value in log1p(counts) if not isinstance(value, Undefined)]
    assert [math.expm1(value) for value in found] == pytest.approx(counts)
    assert np.argsort(found, stable=True).tolist() == np.argsort(counts, stable=True).tolist()


LAWS: Laws = {
    "detect_separation": [separation_reference, separation_flip],
    "epv": [epv_counts],
    "firth_logit": [firth_maximum],
    "log1p": [log1p_inverse],
    "logit": [logit_score, logit_flip, logit_needs_overlap],
    "shapiro_wilk": [shapiro_bounds, shapiro_invariance, shapiro_reference],
    "spearman": [spearman_bounds, spearman_order, spearman_monotone, spearman_reference],
    "vif": [vif_reference, vif_affine],
}
