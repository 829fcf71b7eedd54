"""Firth's regression against its closed form and an independent optimiser."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize

from swe_assets.statistics import Undefined, firth_logit, logit
from swe_assets.statistics.firth import Firth
from swe_assets.statistics.logistic import Logit

SEPARATED = [0, 0, 0, 0, 1, 1, 1, 1]
X = [1, 2, 3, 4, 6, 7, 8, 9]


def fitted(outcome: list[int], **predictors: Sequence[float]) -> Firth:
    """Return the fit of a sample that has one."""
    fit = firth_logit(outcome, predictors)
    assert isinstance(fit, Firth), fit
    return fit


def penalised(beta: NDArray[np.float64]) -> float:
    """Return the penalised log-likelihood of the separated sample, from its definition."""
    matrix = np.column_stack([np.ones(8), X])
    chance = 1 / (1 + np.exp(-matrix @ beta))
    each = np.where(np.array(SEPARATED) == 1, chance, 1 - chance)
    information = (matrix.T * (chance * (1 - chance))) @ matrix
    return float(np.log(each).sum() + np.linalg.slogdet(information)[1] / 2)


@pytest.mark.parametrize(("a", "b", "c", "d"), [(4, 0, 2, 4), (3, 5, 7, 2), (1, 9, 0, 10)])
def test_two_by_two_table_adds_a_half(a: int, b: int, c: int, d: int) -> None:
    """Of a saturated table the estimate is the log odds ratio with 1/2 added to each cell."""
    fit = fitted([1] * a + [0] * b + [1] * c + [0] * d, g=[1] * (a + b) + [0] * (c + d))
    wanted = math.log((a + 0.5) * (d + 0.5) / ((b + 0.5) * (c + 0.5)))
    assert fit.terms[1].coef == pytest.approx(wanted, rel=1e-8)


def test_independent_optimiser_agrees() -> None:
    """Nelder and Mead's search, which knows no derivative, ends at the same place."""

    def goal(beta: NDArray[np.float64]) -> float:
        return -penalised(beta)

    found = minimize(goal, [-4.0, 1.0], method="Nelder-Mead", tol=1e-10)
    assert [term.coef for term in fitted(SEPARATED, x=X).terms] == pytest.approx(found.x, rel=1e-5)


def test_profile_bounds_lie_on_the_chi_square() -> None:
    """At a bound of the slope the best intercept leaves the likelihood 3.841/2 below its maximum."""
    fit = fitted(SEPARATED, x=X)
    for bound in (fit.terms[1].ci_low, fit.terms[1].ci_high):
        assert not isinstance(bound, Undefined)
        best = max(penalised(np.array([intercept, bound])) for intercept in np.linspace(-25, 5, 6_001))
        assert 2 * (fit.penalised_loglik - best) == pytest.approx(3.8414588, abs=1e-4)


def test_close_to_maximum_likelihood_in_large_samples() -> None:
    """With thousands of rows the penalty hardly matters."""
    random = np.random.default_rng(8)
    x = random.normal(size=4000)
    outcome = (random.random(4000) < 1 / (1 + np.exp(0.5 - x))).astype(int).tolist()
    plain = logit(outcome, {"x": x})
    assert isinstance(plain, Logit)
    assert fitted(outcome, x=x.tolist()).terms[1].coef == pytest.approx(plain.terms[1].coef, rel=5e-3)


def test_one_class_is_marked() -> None:
    """One class only is finite, and the note says so."""
    assert fitted([1] * 6, x=[1, 2, 3, 4, 5, 6]).note == "all 6 outcomes are 1"


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"k": [3, 3, 3, 3]}, "constant predictor(s): k"),
        ({"a": [1, 2, 3, 4], "b": [2, 4, 6, 8]}, "4 rows, 3 parameters: collinear, or too few rows"),
    ],
)
def test_undefined(columns: dict[str, list[int]], reason: str) -> None:
    """Where the information is singular there is no penalty and no estimate."""
    assert firth_logit([0, 1, 0, 1], columns) == Undefined(reason)


def test_hardly_determined_sample_has_bounds_or_reasons() -> None:
    """Eleven rows for four predictors, two of them much alike, end in bounds around each coefficient."""
    rows = [(1, 2, 3, 45, 72), (1, 3, 2, 29, 53), (0, 2, 3, 20, 27), (0, 2, 2, 6, 19), (0, 1, 1, 25, 51)]
    rows += [(0, 2, 1, 12, 24), (1, 2, 3, 12, 26), (0, 2, 1, 24, 40), (1, 3, 2, 13, 32), (0, 2, 3, 17, 31)]
    outcome, depth, defence, cognitive, ncloc = zip(*rows, (1, 2, 3, 22, 44), strict=True)
    logs = {"cognitive": np.log1p(cognitive).tolist(), "ncloc": np.log1p(ncloc).tolist()}
    for term in fitted(list(outcome), depth=depth, defence=defence, **logs).terms:
        for bound, sign in ((term.ci_low, -1), (term.ci_high, 1)):
            assert isinstance(bound, Undefined) or (bound - term.coef) * sign > 0
