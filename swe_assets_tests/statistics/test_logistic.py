"""The logit against closed forms, and each of its obstacles."""

import math

import numpy as np
import pytest

from swe_assets.errors import InputError
from swe_assets.statistics import Undefined, logit
from swe_assets.statistics.logistic import Logit, NoLogit, Term

# 30 of 50 succeed in group 1, 20 of 60 in group 0
GROUP = [1] * 50 + [0] * 60
OUTCOME = [1] * 30 + [0] * 20 + [1] * 20 + [0] * 40


def fitted(outcome: list[int], **predictors: object) -> Logit:
    """Return the fit of a sample that has one."""
    fit = logit(outcome, predictors)  # type: ignore[arg-type] # each caller gives columns
    assert isinstance(fit, Logit), fit
    return fit


def refused(outcome: list[int], **predictors: list[float]) -> NoLogit:
    """Return why a sample has no fit."""
    fit = logit(outcome, predictors)
    assert isinstance(fit, NoLogit), fit
    return fit


def group_term() -> Term:
    """Return the group's term of the two-by-two table."""
    return fitted(OUTCOME, group=GROUP).terms[1]


def test_two_by_two_table() -> None:
    """The odds ratio is (30/20)/(20/40) = 3, its log's standard error sqrt(1/30 + 1/20 + 1/20 + 1/40)."""
    term, se = group_term(), math.sqrt(1 / 30 + 1 / 20 + 1 / 20 + 1 / 40)
    assert term.odds_ratio == pytest.approx(3, rel=1e-8)
    assert term.se == pytest.approx(se, rel=1e-8)
    assert term.p == pytest.approx(math.erfc(math.log(3) / se / math.sqrt(2)), rel=1e-8)
    assert term.ci_high == pytest.approx(3 * math.exp(1.959964 * se), rel=1e-6)
    assert term.ci_low == pytest.approx(3 * math.exp(-1.959964 * se), rel=1e-6)


def test_likelihoods_by_hand() -> None:
    """Likelihoods, LR test, McFadden, AIC and BIC follow from the table's shares."""
    fit = fitted(OUTCOME, group=GROUP)
    full = 30 * math.log(0.6) + 20 * math.log(0.4) + 20 * math.log(1 / 3) + 40 * math.log(2 / 3)
    null = 50 * math.log(50 / 110) + 60 * math.log(60 / 110)
    assert (fit.llf, fit.llnull) == pytest.approx((full, null), rel=1e-10)
    assert (fit.lr, fit.mcfadden) == pytest.approx((2 * (full - null), 1 - full / null), rel=1e-8)
    assert (fit.aic, fit.bic) == pytest.approx((4 - 2 * full, 2 * math.log(110) - 2 * full))
    assert fit.lr_p == pytest.approx(math.erfc(math.sqrt(fit.lr / 2)), rel=1e-8)  # chi-square with 1 df


@pytest.mark.parametrize(("scale", "shift"), [(1e-9, 0), (1, 1e7), (1e8, -1e12)])
def test_scale_of_a_predictor(scale: float, shift: float) -> None:
    """The fit is the same on any scale of the predictor: z and likelihood stay, the coefficient scales."""
    plain, moved = group_term(), fitted(OUTCOME, g=[scale * g + shift for g in GROUP]).terms[1]
    assert moved.coef * scale == pytest.approx(plain.coef, rel=1e-6)
    assert moved.z == pytest.approx(plain.z, rel=1e-6)


def test_odds_ratio_beyond_a_float_is_said() -> None:
    """An odds ratio that no float holds is undefined and infinite, not inf."""
    ratio = fitted(OUTCOME, g=[1e-9 * g for g in GROUP]).terms[1].odds_ratio
    assert isinstance(ratio, Undefined) and ratio.infinite


def test_summary_is_statsmodels_without_the_clock() -> None:
    """The summary is statsmodels' table with its version in place of date and time."""
    summary = logit(OUTCOME, {"group": GROUP}, name="pass@1").summary  # type: ignore[union-attr] # it has a fit
    assert "Dep. Variable:                 pass@1" in summary
    assert "Library:                  statsmodels" in summary
    assert "Date:" not in summary and "Time:" not in summary
    assert "group          1.0986" in summary


def test_p_is_never_zero() -> None:
    """A p that no float holds is given as the smallest positive one."""
    many = fitted(OUTCOME * 1000, group=GROUP * 1000)
    assert many.lr_p == many.terms[1].p == math.nextafter(0, 1)


def test_constant_outcome() -> None:
    """All resolved or none leaves nothing to explain."""
    assert refused([1, 1, 1], x=[1, 2, 3]).obstacle == "constant outcome"
    assert refused([0, 0, 0], x=[1, 2, 3]).reason == "all 3 outcomes are 0"


def test_constant_predictor_is_named_before_the_fit() -> None:
    """A constant predictor is named, the others are not."""
    fit = refused([0, 1, 0, 1], x=[1, 2, 3, 4], k=[2, 2, 2, 2])
    assert (fit.obstacle, list(fit.terms)) == ("constant predictor", ["k"])


def test_collinear_predictors_are_named() -> None:
    """Predictors that determine each other are named."""
    fit = refused([0, 1, 0, 1, 1], a=[1, 2, 3, 4, 5], b=[1, 0, 2, 1, 0], c=[3, 5, 7, 9, 11])
    assert (fit.obstacle, list(fit.terms)) == ("collinear predictors", ["a", "c"])


def test_too_few_rows() -> None:
    """Fewer rows than parameters are refused as such."""
    assert refused([0, 1], x=[1, 2], z=[2, 1]).obstacle == "too few rows"


def test_separation_is_found_before_the_fit() -> None:
    """Separation is told by kind and terms, and what separates alone is named."""
    fit = refused([0, 0, 1, 1, 1], x=[1, 2, 2, 3, 4])
    assert (fit.obstacle, dict(fit.terms)) == ("quasi-complete separation", {"const": "-", "x": "+"})
    assert "by x alone" in fit.reason


def test_non_convergence_has_no_numbers() -> None:
    """A fit that is cut off gives no terms at all."""
    fit = logit(OUTCOME, {"group": GROUP}, max_iterations=1)
    assert isinstance(fit, NoLogit)
    assert (fit.obstacle, fit.converged) == ("not converged", False)
    assert not hasattr(fit, "llf")


@pytest.mark.parametrize("bad", [None, "NaN", float("inf"), "x"])
def test_unusable_values_are_named(bad: object) -> None:
    """A missing, infinite or non-numeric value is an error that names column and row, never a dropped row."""
    with pytest.raises(InputError, match="column 'x', row 3"):
        logit([0, 1, 0], {"x": [1, 2, bad]})


@pytest.mark.parametrize("predictors", [{}, {"const": [1, 2]}])
def test_unusable_predictors(predictors: dict[str, list[int]]) -> None:
    """No predictor at all, or one that takes the intercept's name, is refused."""
    with pytest.raises(InputError, match="give at least one, none named 'const'"):
        logit([0, 1], predictors)


def test_no_rows() -> None:
    """An empty sample is refused."""
    with pytest.raises(InputError, match="no rows"):
        logit([], {"x": np.array([])})
