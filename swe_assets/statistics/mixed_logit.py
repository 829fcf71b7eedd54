"""Mixed-effects logit: fixed effects beside crossed or nested random intercepts."""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from swe_assets.errors import InputError
from swe_assets.statistics.design import INTERCEPT, Design, binary
from swe_assets.statistics.logistic import Term, wald_term
from swe_assets.statistics.mixed_maximum import SINGULAR, Maximum, maximum
from swe_assets.statistics.numeric import equal_length, finite_numbers
from swe_assets.statistics.random_intercepts import Grouped, meetings
from swe_assets.statistics.resampling import groups_of
from swe_assets.statistics.separation import Separation, separation_of
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_LATENT = math.pi**2 / 3


@dataclass(frozen=True)
class RandomIntercept:
    """A factor's random intercepts: their standard deviation, share of the latent variance, and modes."""

    sd: float
    levels: int
    share: float
    modes: Mapping[Hashable, float]

    @property
    def singular(self) -> bool:
        """Return whether the standard deviation is estimated as 0."""
        return self.sd == 0


@dataclass(frozen=True)
class MixedLogit:
    """A fitted mixed-effects logit: terms (const first), random intercepts by factor, and its likelihood."""

    n: int
    terms: tuple[Term, ...]
    intercepts: Mapping[str, RandomIntercept]
    loglik: float
    aic: float
    bic: float
    points: int
    note: str
    defined: ClassVar[bool] = True

    @property
    def singular(self) -> bool:
        """Return whether a factor's standard deviation is estimated as 0."""
        return any(factor.singular for factor in self.intercepts.values())


def mixed_logit(
    outcome: Iterable[object],
    predictors: Mapping[str, Iterable[object]],
    factors: Mapping[str, Sequence[Hashable]],
    *,
    trials: Iterable[object] | None = None,
    points: int = 1,
) -> MixedLogit | Undefined:
    """Return the maximum likelihood fit of a logit with a random intercept for each level of each factor.

    Without ``trials`` the outcome is 0 or 1; with them it counts the successes among so many. Factors may
    be crossed or nested; name the levels of a nested factor uniquely, such as ``(seed, task)``.

    Formula: ln(P / (1 - P)) = b0 + sum b_j x_j + sum over factors of a_level, a ~ N(0, sd^2); the integral
    over a by Laplace's approximation (``points`` 1), or by adaptive Gauss-Hermite quadrature with that many
    points (one factor only). Standard errors from the joint Hessian in coefficients and sds; Wald p and
    intervals. share = sd^2 / (sum of sd^2 + pi^2 / 3).
    Reading: as a logit's coefficients, for a level as usual as any; they are larger than those of a logit
    without the factors. An sd of 0 (``singular``) says that the levels differ no more than chance makes
    them, and is said in ``note``; errors are then those of the model without that factor.
    Undefined: no predictor's maximum (constant or collinear predictors, separation), a factor with one
    level, one with a level for each 0 or 1, quadrature over several factors, no convergence.
    Raises InputError for missing values, columns or labels that do not match, successes beyond trials, and
    points below 1.
    Reference: N. E. Breslow, D. G. Clayton (1993), doi:10.1080/01621459.1993.10594284; D. Bates et al.
    (2015), doi:10.18637/jss.v067.i01; J. C. Pinheiro, E. C. Chao (2006), doi:10.1198/106186006X96962.

    >>> x = [0, 1] * 12
    >>> y = [0, 1, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1]
    >>> found = mixed_logit(y, {"x": x}, {"task": [i // 4 for i in range(24)]})
    >>> round(found.terms[1].coef, 4), round(found.intercepts["task"].sd, 4)
    (1.4428, 0.4086)
    """
    if points < 1 or not factors:
        raise InputError(f"points {points!r}, factors {list(factors)!r}: give 1 point or more, and a factor")
    rows = _checked(outcome, predictors, factors, trials)
    if why := _unusable(rows, points):
        return why
    return _fit(rows, tuple(rows.factors), points)


@dataclass(frozen=True)
class _Rows:
    """The checked rows: a design whose outcome counts successes, the trials, and each factor's levels."""

    design: Design
    trials: "Array"
    factors: "Mapping[str, NDArray[np.int64]]"
    labels: Mapping[str, tuple[Hashable, ...]]


def _checked(
    outcome: Iterable[object],
    predictors: Mapping[str, Iterable[object]],
    factors: Mapping[str, Sequence[Hashable]],
    trials: Iterable[object] | None,
) -> _Rows:
    """Return the rows; raises InputError as ``mixed_logit`` does."""
    import numpy as np

    if INTERCEPT in predictors:
        raise InputError(f"predictors {list(predictors)!r}: {INTERCEPT!r} is the intercept's name")
    columns = {name: finite_numbers(values, name=name) for name, values in predictors.items()}
    successes = binary(outcome) if trials is None else finite_numbers(outcome, name="outcome")
    tried = [1.0] * len(successes) if trials is None else finite_numbers(trials, name="trials")
    n = equal_length({"outcome": successes, "trials": tried, **columns})
    for row, (won, of) in enumerate(zip(successes, tried, strict=True), start=1):
        if not 0 <= won <= of or of < 1 or won != int(won) or of != int(of):
            raise InputError(
                f"row {row}: {won!r} successes of {of!r} trials; give whole numbers, of 1 or more"
            )
    if n == 0:
        raise InputError("no rows: the outcome and its predictors need at least one")
    matrix = np.column_stack([np.ones(n), *columns.values()])
    data = Design((INTERCEPT, *columns), matrix, np.array(successes))
    codes = {name: groups_of(labels, n) for name, labels in factors.items()}
    labels = {name: tuple(dict.fromkeys(values)) for name, values in factors.items()}
    return _Rows(data, np.array(tried), codes, labels)


def _unusable(rows: _Rows, points: int) -> Undefined | None:
    """Return what is known to stand in the way before any fit."""
    import numpy as np

    if points > 1 and len(rows.factors) > 1:
        return Undefined(f"quadrature with {points} points takes one factor, not {len(rows.factors)}")
    for name, labels in rows.labels.items():
        if len(labels) < 2:
            return Undefined(f"factor {name!r} has one level only")
        if len(labels) == rows.design.n and rows.trials.max() == 1:
            return Undefined(f"factor {name!r} has a level for each 0 or 1: its spread cannot be told")
    for a, b in combinations(rows.factors, 2):
        if (rows.factors[a] == rows.factors[b]).all():  # numbered by first appearance
            return Undefined(f"factors {a!r} and {b!r} group the rows alike")
    won, lost = rows.design.outcome > 0, rows.design.outcome < rows.trials
    either = np.concatenate([rows.design.matrix[won], rows.design.matrix[lost]])
    trial = Design(rows.design.terms, either, np.repeat([1.0, 0.0], [won.sum(), lost.sum()]))
    if trial.events in (0, trial.n):
        return Undefined(f"all outcomes are {int(trial.events > 0)}")
    if len(trial.terms) == 1:
        return None
    found = separation_of(trial)
    if not isinstance(found, Separation):
        return found
    if found.kind != "none":
        return Undefined(f"{found.kind} separation: no finite estimate of {', '.join(found.terms)}")
    return None


def _fit(rows: _Rows, names: tuple[str, ...], points: int) -> MixedLogit | Undefined:
    """Fit with the named factors; one whose sd comes out as 0 is left out and the rest fitted anew."""
    order = tuple(sorted(names, key=lambda name: -len(rows.labels[name])))
    levels = tuple(rows.factors[name] for name in order)
    sizes = tuple(len(rows.labels[name]) for name in order)
    scaled, transform = rows.design.standardised()
    data = Grouped(scaled, rows.design.outcome, rows.trials, levels, sizes, meetings(levels, sizes))
    found = maximum(data, points)
    if isinstance(found, Undefined):
        return found
    rest = tuple(name for name, sd in zip(order, found.sds(data), strict=True) if sd >= SINGULAR)
    if len(rest) == len(order):
        return _result(rows, order, data, found, transform, points)
    return _fit(rows, rest, points) if rest else _plain(rows, points)


def _result(
    rows: _Rows, order: tuple[str, ...], data: Grouped, found: Maximum, transform: "Array", points: int
) -> MixedLogit:
    """Return the fit on the predictors' own scales; factors left out have an sd of 0."""
    import numpy as np

    width = data.x.shape[1]
    coef = transform @ found.at[:width]
    se = np.sqrt(np.diag(transform @ found.covariance[:width, :width] @ transform.T))
    terms = tuple(wald_term(*row) for row in zip(rows.design.terms, coef.tolist(), se.tolist(), strict=True))
    sds = dict(zip(order, found.sds(data).tolist(), strict=True))
    effects = {
        name: sds[name] * found.effects[start : start + size]
        for name, start, size in zip(order, data.starts, data.sizes, strict=True)
    }
    latent = sum(sd**2 for sd in sds.values()) + _LATENT
    intercepts = {}
    for name, labels in rows.labels.items():
        sd = sds.get(name, 0.0)
        modes = dict(zip(labels, effects.get(name, np.zeros(len(labels))).tolist(), strict=True))
        intercepts[name] = RandomIntercept(sd, len(labels), sd**2 / latent, modes)
    return _fitted(rows, terms, intercepts, found.loglik + _binomials(rows), points)


def _plain(rows: _Rows, points: int) -> MixedLogit | Undefined:
    """Return the fit without any factor left, which is a logit's."""
    import numpy as np

    scaled, transform = rows.design.standardised()
    nobody = np.zeros(len(rows.trials), dtype=np.int64)
    data = Grouped(scaled, rows.design.outcome, rows.trials, (nobody,), (1,), None)
    found = maximum(data, 1, without=True)
    if isinstance(found, Undefined):
        return found
    return _result(
        rows, (), Grouped(scaled, rows.design.outcome, rows.trials, (), ()), found, transform, points
    )


def _fitted(
    rows: _Rows, terms: tuple[Term, ...], intercepts: dict[str, RandomIntercept], loglik: float, points: int
) -> MixedLogit:
    """Return the answer, with what is singular said."""
    flat = [name for name, factor in intercepts.items() if factor.singular]
    note = f"singular: the standard deviation of {', '.join(flat)} is estimated as 0" if flat else ""
    k, n = len(terms) + len(intercepts), len(rows.trials)
    return MixedLogit(
        n, terms, intercepts, loglik, 2 * k - 2 * loglik, k * math.log(n) - 2 * loglik, points, note
    )


def _binomials(rows: _Rows) -> float:
    """Return the sum of the logs of the binomial coefficients, 0 without trials."""
    from scipy.special import gammaln

    won, of = rows.design.outcome, rows.trials
    return float((gammaln(of + 1) - gammaln(won + 1) - gammaln(of - won + 1)).sum())
