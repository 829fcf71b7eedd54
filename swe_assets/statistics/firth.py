"""Firth's penalised logistic regression: finite estimates where maximum likelihood has none."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from swe_assets.errors import InputError
from swe_assets.statistics.design import Design, design
from swe_assets.statistics.numeric import SMALLEST_P
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

CHI2_95 = 3.841458820694124
_LONGEST_STEP = 5.0  # in log odds of any row
_ITERATIONS = 500
_SMALL = 5000
_FISHER = 8  # steps that a large sample is given before exact ones


@dataclass(frozen=True)
class FirthTerm:
    """One penalised coefficient, its standard error, likelihood-ratio p and 95 % profile interval."""

    name: str
    coef: float
    se: float
    lr_p: float
    ci_low: Value
    ci_high: Value


@dataclass(frozen=True)
class Firth:
    """A fit by penalised likelihood; ``note`` says where the outcome has one class only."""

    n: int
    terms: tuple[FirthTerm, ...]
    penalised_loglik: float
    note: str
    defined: ClassVar[bool] = True


def firth_logit(outcome: Iterable[object], predictors: Mapping[str, Iterable[object]]) -> Firth | Undefined:
    """Return Firth's penalised logistic regression of a binary outcome, with profile intervals.

    Formula: maximises L*(b) = logL(b) + 1/2 ln det I(b), I(b) = X'WX; se from the inverse of I at the
    maximum; p of a term from 2 (max L* - max L* with b_j = 0) on 1 df; interval: the b_j where that drop
    is 3.841.
    Reading: as a logit's coefficients, less biased in small samples and finite under separation.
    Undefined: constant or collinear predictors, fewer rows than parameters, no convergence; a bound of an
    interval that is not reached. One class only is finite but says little of the predictors: ``note``
    says so.
    Raises InputError as ``design`` does.
    Reference: D. Firth (1993), doi:10.1093/biomet/80.1.27; G. Heinze, M. Schemper (2002),
    doi:10.1002/sim.1047.

    >>> found = firth_logit([1, 1, 1, 1, 0, 1, 0, 0, 0, 1], {"g": [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]})
    >>> round(found.terms[1].coef, 6)  # ln((4.5 / 0.5) / (2.5 / 4.5))
    2.785011
    """
    data = design(outcome, predictors)
    if why := unusable(data):
        return why
    return fitted(data, intervals=True)


def fitted(data: Design, *, intervals: bool) -> Firth | Undefined:
    """Return the fit of a usable design; without intervals, which take most of the time, if not asked for."""
    import numpy as np

    scaled, scale = _scaled(data)
    every = np.ones(len(data.terms), dtype=bool)
    best = _maximum(scaled, np.zeros(len(data.terms)), every)
    if best is None:
        return Undefined(f"no convergence within {_ITERATIONS} iterations")
    peak, _, information = _state(scaled, best)
    whole = _Peak(scaled, best, peak, information)
    terms = [_term(whole, j, float(scale[j]), intervals=intervals) for j in range(len(scale))]
    note = "" if 0 < data.events < data.n else f"all {data.n} outcomes are {int(data.events > 0)}"
    return Firth(data.n, tuple(terms), peak + float(np.log(scale).sum()), note)


@dataclass(frozen=True)
class _Peak:
    """A design with the maximiser of its penalised likelihood, the value and the information there."""

    data: Design
    best: "Vector"
    value: float
    information: "Vector"


def _scaled(data: Design) -> "tuple[Design, Vector]":
    """Return the design with each column divided by its largest value, and those values."""
    import numpy as np

    scale = np.abs(data.matrix).max(axis=0)
    return Design(data.terms, data.matrix / scale, data.outcome), scale


def _state(data: Design, beta: "Vector") -> "tuple[float, Vector, Vector]":
    """Return the penalised log-likelihood, its score and the information at beta."""
    import numpy as np
    from scipy.special import expit

    x, y = data.matrix, data.outcome
    linear = x @ beta
    if not np.isfinite(linear).all():
        return -np.inf, np.zeros_like(beta), np.eye(len(beta))
    fitted = expit(linear)
    weights = fitted * expit(-linear)
    information = x.T @ (weights[:, None] * x)
    with np.errstate(divide="ignore"):  # singular: said by the sign
        sign, log_det = np.linalg.slogdet(information)
    if sign <= 0:
        return -np.inf, np.zeros_like(beta), information
    loglik = -float(np.logaddexp(0, np.where(y == 1, -linear, linear)).sum())
    leverage = weights * np.einsum("ij,ji->i", x, np.linalg.solve(information, x.T))
    score = x.T @ (y - fitted + leverage * (0.5 - fitted))
    return loglik + 0.5 * float(log_det), score, information


def _maximum(data: Design, start: "Vector", free: "NDArray[np.bool_]") -> "Vector | None":
    """Return the maximiser over the free coefficients, the others held, by damped Newton steps."""
    import numpy as np

    beta = start.copy()
    value, score, information = _state(data, beta)
    for turn in range(_ITERATIONS):
        if not np.isfinite(value):
            return None
        exact = data.n <= _SMALL or turn >= _FISHER
        step = _step(data, beta, score, information, free, exact=exact)
        if float(score @ step) < 1e-13 * (1 + abs(value)):
            return beta + step  # the last step squares the distance
        step *= min(1.0, _LONGEST_STEP / float(np.abs(data.matrix @ step).max()))
        ahead = _state(data, beta + step)
        while ahead[0] < value and np.abs(step).max() > 1e-12:
            step /= 2
            ahead = _state(data, beta + step)
        beta, (value, score, information) = beta + step, ahead
    return None


def _step(
    data: Design,
    beta: "Vector",
    score: "Vector",
    information: "Vector",
    free: "NDArray[np.bool_]",
    *,
    exact: bool,
) -> "Vector":
    """Return Newton's step, or Fisher's where not asked for or the curvature is not a maximum's.

    Fisher scoring leaves out the penalty's curvature: with many rows that is next to nothing, but far from
    the maximum of few it needs thousands of steps.
    """
    import numpy as np

    places = np.flatnonzero(free)
    step = np.zeros_like(beta)
    if not len(places):
        return step
    curvature = (_curvature(data, beta, information) if exact else information)[np.ix_(places, places)]
    if not np.isfinite(curvature).all() or np.linalg.eigvalsh(curvature)[0] <= 0:
        curvature = information[np.ix_(places, places)]
    try:
        step[places] = np.linalg.solve(curvature, score[places])
    except np.linalg.LinAlgError:  # chances of 0 and 1 alone tell nothing of some direction: stay in it
        step[places] = np.linalg.lstsq(curvature, score[places], rcond=None)[0]
    return step


def _curvature(data: Design, beta: "Vector", information: "Vector") -> "Vector":
    """Return minus the second derivatives of the penalised log-likelihood.

    The score is X'(y - p + h (1/2 - p)) with leverages h_i = w_i q_i, q_i = x_i' I^-1 x_i; along
    coefficient s, dp = w x_s, dw = w (1 - 2p) x_s, and dq_i = -x_i' I^-1 (X' diag(dw) X) I^-1 x_i.
    """
    import numpy as np
    from scipy.special import expit

    x = data.matrix
    linear = x @ beta
    fitted = expit(linear)
    weights = fitted * expit(-linear)
    pulled = np.linalg.solve(information, x.T).T
    leverage = weights * (pulled * x).sum(axis=1)
    skew = weights * (1 - 2 * fitted)
    rows = np.empty((len(beta), len(beta)))
    for s in range(len(beta)):
        change = skew * x[:, s]
        inner = x.T @ (change[:, None] * x)
        curved = ((pulled @ inner) * pulled).sum(axis=1)
        moved = change * leverage / np.maximum(weights, 1e-300) - weights * curved
        rows[s] = x.T @ (moved * (0.5 - fitted) - leverage * weights * x[:, s])
    return np.asarray(information - (rows + rows.T) / 2, dtype=np.float64)


def _term(whole: _Peak, j: int, scale: float, *, intervals: bool) -> FirthTerm:
    """Return one term on its own scale: what was divided by ``scale`` has its coefficient divided too."""
    import numpy as np
    from scipy.special import chdtrc

    drop = _profile(whole, j)
    lr_p = max(float(chdtrc(1, max(drop(0.0), 0.0))), SMALLEST_P)
    centre, se = float(whole.best[j]), float(np.sqrt(np.linalg.inv(whole.information)[j, j]))
    low: Value = Undefined("not asked for")
    high: Value = low
    if intervals:
        low, high = (_bound(drop, centre, sign * se, scale) for sign in (-1, 1))
    return FirthTerm(whole.data.terms[j], centre / scale, se / scale, lr_p, low, high)


def _profile(whole: _Peak, j: int) -> Callable[[float], float]:
    """Return the function v -> 2 (max L* - max L* with b_j = v); infinite where no search ends.

    Each value is searched along the profile's tangent from the last one and, in a sample small enough for
    the penalty to make a second peak, from the last value's and the overall maximum as they are.
    """
    from functools import cache

    import numpy as np

    data, best = whole.data, whole.best
    free = np.arange(len(best)) != j
    tangent = np.zeros(len(best))
    tangent[j] = 1.0
    if free.any():
        inner = whole.information[np.ix_(free, free)]
        tangent[free] = -np.linalg.solve(inner, whole.information[free, j])
    last = best

    @cache
    def drop(value: float) -> float:
        nonlocal last
        highest = -np.inf
        along = last + (value - last[j]) * tangent
        for start in (along, last, best)[: 3 if data.n <= _SMALL else 1]:
            moved = start.copy()
            moved[j] = value
            found = _maximum(data, moved, free)
            if found is not None and (height := _state(data, found)[0]) > highest:
                highest, last = height, found
        return float(2 * (whole.value - highest))

    return drop


def _bound(drop: Callable[[float], float], centre: float, step: float, scale: float) -> Value:
    """Return where the profile falls by 3.841 in the step's direction, on the term's own scale.

    The root of the fall is nearly a straight line, so its equation is solved rather than the fall's.
    """
    import math

    from scipy.optimize import brentq

    def past(value: float) -> float:
        return math.sqrt(max(drop(value), 0.0)) - math.sqrt(CHI2_95)

    inner, outer = centre, centre + 2.1 * step
    for _ in range(40):
        if past(outer) >= 0:
            break
        inner, outer = outer, outer + (outer - centre) * 0.5
    if not 0 <= past(outer) < math.inf:
        return Undefined(f"the profile does not fall by {CHI2_95:.3f} up to {outer / scale:.6g}")
    return float(brentq(past, inner, outer, xtol=1e-10 * abs(step), rtol=1e-12)) / scale


@dataclass(frozen=True)
class FirthTest:
    """A penalised likelihood-ratio test of several terms at once."""

    lr: float
    df: int
    p: float
    without: tuple[str, ...]
    defined: ClassVar[bool] = True


def firth_test(
    outcome: Iterable[object],
    predictors: Mapping[str, Iterable[object]],
    without: Iterable[str] | None = None,
) -> FirthTest | Undefined:
    """Return the penalised likelihood-ratio test of some predictors, by default of all of them.

    Formula: LR = 2 (max L* - max L* with the coefficients of ``without`` at 0), the penalty being that of
    all terms in both; p from chi-square with as many degrees of freedom as coefficients.
    Reading: small p: the predictors together tell something of the outcome; valid under separation.
    Undefined: as ``firth_logit``.
    Raises InputError as ``design`` does, and for a name that is no predictor.
    Reference: G. Heinze, M. Schemper (2002), doi:10.1002/sim.1047.

    >>> found = firth_test([1, 1, 1, 1, 0, 1, 0, 0, 0, 1], {"g": [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]})
    >>> round(found.p, 6), found.df  # as firth_logit's p of g
    (0.047567, 1)
    """
    import numpy as np
    from scipy.special import chdtrc

    data = design(outcome, predictors)
    dropped = tuple(data.terms[1:] if without is None else without)
    if not dropped or any(name not in data.terms[1:] for name in dropped):
        raise InputError(f"without {list(dropped)!r}: name some of the predictors {list(data.terms[1:])!r}")
    if why := unusable(data):
        return why
    scaled, _ = _scaled(data)
    free = np.array([term not in dropped for term in data.terms])
    best = _maximum(scaled, np.zeros(len(free)), np.ones(len(free), dtype=bool))
    least = _maximum(scaled, np.zeros(len(free)), free)
    if best is None or least is None:
        return Undefined(f"no convergence within {_ITERATIONS} iterations")
    lr = max(2 * (_state(scaled, best)[0] - _state(scaled, least)[0]), 0.0)
    df = len(set(dropped))
    return FirthTest(lr, df, max(float(chdtrc(df, lr)), SMALLEST_P), dropped)


def unusable(data: Design) -> Undefined | None:
    """Return why a design has no penalised fit, if it has none."""
    import numpy as np

    if constant := data.constant():
        return Undefined(f"constant predictor(s): {', '.join(constant)}")
    if np.linalg.matrix_rank(data.standardised()[0]) < len(data.terms):
        return Undefined(f"{data.n} rows, {len(data.terms)} parameters: collinear, or too few rows")
    return None
