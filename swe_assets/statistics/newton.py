"""Many logistic fits at once: the same design, each fit with its own weights of the rows."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_STEPS = 100
_LONGEST = 5.0
_CLOSE = 1e-13


@dataclass(frozen=True)
class Fits:
    """Coefficients (fits, terms), their covariances, penalised log-likelihoods, and which fits ended well."""

    coef: "Array"
    covariance: "Array"
    loglik: "Array"
    ended: "NDArray[np.bool_]"


def fit_all(
    x: "Array",
    y: "Array",
    weights: "Array",
    start: "Array",
    *,
    firth: bool,
    held: "NDArray[np.bool_] | None" = None,
) -> Fits:
    """Return the fit of each row of weights (fits, rows), by Newton's steps from a start (terms).

    With ``firth`` the likelihood is penalised (Fisher's steps); coefficients marked in ``held`` stay at the
    start's value, the penalty being that of all terms. Without it a separated fit runs away, and may end
    where its likelihood is flat: look at how far it went.
    """
    import numpy as np

    fits, terms = len(weights), x.shape[1]
    outer = (x[:, :, None] * x[:, None, :]).reshape(len(x), -1)
    free = np.ones(terms, dtype=bool) if held is None else ~held
    state = _States(x, y, outer, firth)
    coef = np.tile(start, (fits, 1))
    ended = np.zeros(fits, dtype=bool)
    going = np.arange(fits)
    value, score, information = state.at(coef, weights)
    for _ in range(_STEPS):
        step = _step(score, information, free)
        close = np.abs((score * step).sum(axis=1)) < _CLOSE * (1 + np.abs(value))
        coef[going[close]] += step[close]  # the last step squares the distance
        ended[going[close]] = True
        keep = ~close & np.isfinite(step).all(axis=1)
        going, step, value = going[keep], step[keep], value[keep]
        if not len(going):
            break
        step *= np.minimum(1.0, _LONGEST / np.abs(step).max(axis=1, keepdims=True))
        step, (value, score, information) = state.after(coef[going], step, weights[going], value)
        coef[going] += step
    loglik, _, information = state.at(coef, weights)
    covariance = np.full(information.shape, np.nan)
    sound = np.linalg.cond(information) < 1e14
    covariance[sound] = np.linalg.inv(information[sound])
    return Fits(coef, covariance, loglik, ended & sound)


@dataclass(frozen=True)
class _States:
    """Log-likelihood, score and information of several coefficient vectors."""

    x: "Array"
    y: "Array"
    outer: "Array"
    firth: bool

    def at(self, coef: "Array", weights: "Array") -> "tuple[Array, Array, Array]":
        """Return them for each fit."""
        import numpy as np
        from scipy.special import expit

        linear = coef @ self.x.T
        fitted = expit(linear)
        spread = weights * fitted * (1 - fitted)
        terms = self.x.shape[1]
        information = (spread @ self.outer).reshape(-1, terms, terms)
        value = -(weights * np.logaddexp(0, np.where(self.y == 1, -linear, linear))).sum(axis=1)
        residual = weights * (self.y - fitted)
        if self.firth:
            with np.errstate(divide="ignore", invalid="ignore"):  # singular or not finite: said by the sign
                sign, log_det = np.linalg.slogdet(information)
            value = np.where(sign > 0, value + log_det / 2, -np.inf)
            safe = np.where((sign > 0)[:, None, None], information, np.eye(terms))
            inverse = np.linalg.inv(safe).reshape(-1, terms * terms)
            residual = residual + spread * (inverse @ self.outer.T) * (0.5 - fitted)
        return value, residual @ self.x, information

    def after(
        self, coef: "Array", step: "Array", weights: "Array", value: "Array"
    ) -> "tuple[Array, tuple[Array, Array, Array]]":
        """Return each fit's step, halved until it does not lower the likelihood, and the state after it."""
        import numpy as np

        found = self.at(coef + step, weights)
        for _ in range(30):
            falling = np.flatnonzero(~(found[0] >= value - 1e-12 * np.abs(value)))
            if not len(falling):
                break
            step[falling] /= 2
            again = self.at(coef[falling] + step[falling], weights[falling])
            for whole, part in zip(found, again, strict=True):
                whole[falling] = part
        return step, found


def _step(score: "Array", information: "Array", free: "NDArray[np.bool_]") -> "Array":
    """Return each fit's step over its free coefficients; NaN where the information is singular."""
    import numpy as np

    step = np.zeros_like(score)
    inner = information[:, free][:, :, free]
    step[:, free] = np.nan
    finite = np.asarray(np.isfinite(inner).reshape(len(inner), -1).all(axis=1), dtype=np.bool_)
    determinant = np.asarray(np.linalg.det(np.where(finite[:, None, None], inner, 0.0)))
    sound = np.asarray(np.logical_and(finite, determinant != 0), dtype=np.bool_)
    if free.any():
        solved = np.linalg.solve(inner[sound], score[sound][:, free][:, :, None])[:, :, 0]
        step[np.ix_(sound, free)] = solved
    return step
