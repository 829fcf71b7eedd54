"""The maximum of a mixed logit's likelihood, by Laplace's approximation or adaptive quadrature."""

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from swe_assets.statistics.random_intercepts import Grouped, laplace, linear_of, modes_of
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SINGULAR = 1e-3
"""A standard deviation of random intercepts below this is 0 for every purpose."""
_POLISH, _CLOSE = 12, 1e-9
_NEAR_ZERO = 0.1
_WORST = 1e12


class _Objective(Protocol):
    """Minus a log-likelihood, with its gradient, and the step its curvature is taken with."""

    nudge: float

    def __call__(self, at: "Array") -> "tuple[float, Array]":
        """Return the value and gradient at (coefficients, sds)."""
        ...


@dataclass(frozen=True)
class Maximum:
    """Parameters (coefficients on the design's scale, then sds), their covariance, loglik and modes."""

    at: "Array"
    covariance: "Array"
    loglik: float
    effects: "Array"

    def sds(self, data: Grouped) -> "Array":
        """Return the standard deviations of the factors; their sign has no meaning in the search."""
        import numpy as np

        return np.abs(self.at[data.x.shape[1] :])


@dataclass
class _Laplace:
    """Laplace's approximation; each search of modes starts at the last one's."""

    data: Grouped
    without: bool = False
    nudge: float = 1e-4
    last: "Array | None" = field(default=None, repr=False)

    def __call__(self, at: "Array") -> "tuple[float, Array]":
        """Return minus the log-likelihood and its gradient."""
        import numpy as np

        width = self.data.x.shape[1]
        sigma = np.zeros(1) if self.without else at[width:]
        start = np.zeros(sum(self.data.sizes)) if self.last is None else self.last
        modes = modes_of(self.data, at[:width], sigma, start)
        if modes is None:
            return _WORST, np.zeros_like(at)
        self.last = modes.effects
        value, slope = laplace(self.data, modes, sigma)
        return -value, -slope[: len(at)]


@dataclass
class _Quadrature:
    """Adaptive Gauss-Hermite quadrature of one factor's intercepts, with a gradient by differences."""

    data: Grouped
    points: int
    nudge: float = 1e-3
    last: "Array | None" = field(default=None, repr=False)

    def __call__(self, at: "Array") -> "tuple[float, Array]":
        """Return minus the log-likelihood and its gradient."""
        import numpy as np

        steps = 1e-4 * np.eye(len(at))
        slope = [(self.value(at + step) - self.value(at - step)) / 2e-4 for step in steps]
        return self.value(at), np.array(slope)

    def value(self, at: "Array") -> float:
        """Return minus the sum over levels of the log of the integral, around each level's mode."""
        import numpy as np
        from scipy.special import logsumexp

        data, width = self.data, self.data.x.shape[1]
        sigma, fixed = at[width:], data.x @ at[:width]
        start = np.zeros(data.sizes[0]) if self.last is None else self.last
        modes = modes_of(data, at[:width], sigma, start)
        if modes is None:
            return _WORST
        self.last = modes.effects
        nodes, weights = np.polynomial.hermite.hermgauss(self.points)
        spread = math.sqrt(2) / np.sqrt(modes.diagonal)
        logs = []
        for node, weight in zip(nodes, weights, strict=True):
            u = modes.effects + spread * node
            linear = fixed + linear_of(data, sigma, u)
            each = data.successes * linear - data.trials * np.logaddexp(0, linear)
            level = np.bincount(data.levels[0], each, data.sizes[0])
            logs.append(level - u**2 / 2 + node**2 + math.log(weight))
        whole = logsumexp(np.array(logs), axis=0) + np.log(spread) - math.log(2 * math.pi) / 2
        return -float(whole.sum())


def maximum(data: Grouped, points: int, *, without: bool = False) -> Maximum | Undefined:
    """Return the maximum of Laplace's likelihood, or from there that of the quadrature.

    ``without`` holds the sd of a single factor at 0: the likelihood is then that of a logit.
    """
    import numpy as np

    width = data.x.shape[1]
    rate = float(data.successes.sum() / data.trials.sum())
    start = np.zeros(width + (0 if without else len(data.sizes)))
    start[0], start[width:] = math.log(rate / (1 - rate)), 0.7
    approximate = _Laplace(data, without)
    found = _search(approximate, start, width)
    if points == 1 or isinstance(found, Undefined) or found.sds(data).min() < SINGULAR:
        return found
    return _search(_Quadrature(data, points), found.at, width)


def _search(objective: "_Laplace | _Quadrature", start: "Array", width: int) -> Maximum | Undefined:
    """Return the maximum, by BFGS and then Newton's steps on differences of the gradient."""
    import numpy as np
    from scipy.optimize import minimize

    found = minimize(objective, start, jac=True, method="BFGS", options={"gtol": 1e-2, "maxiter": 500})
    at = np.asarray(found.x, dtype=np.float64)
    for _ in range(_POLISH):
        at = _without_traces(objective, at, width)
        value, slope = objective(at)
        gone = np.flatnonzero(at == 0.0)
        curvature = _curvature(objective, at)
        curvature[gone[gone >= width], gone[gone >= width]] += 1.0  # nothing is asked of an sd that is 0
        if not np.isfinite(curvature).all() or np.linalg.eigvalsh(curvature)[0] <= 0:
            return Undefined("no convergence: no maximum where the search ended")
        step = np.linalg.solve(curvature, slope)
        if float(slope @ step) < _CLOSE:
            assert objective.last is not None  # noqa: S101 # it was called
            covariance = np.asarray(np.linalg.inv(curvature), dtype=np.float64)
            return Maximum(at, covariance, -value, objective.last)
        at = at - step * min(1.0, 1.0 / float(np.abs(step).max()))
    return Undefined(f"no convergence within {_POLISH} Newton steps")


def _without_traces(objective: _Objective, at: "Array", width: int) -> "Array":
    """Return the parameters with each sd near 0 set to 0 where the likelihood is as high there.

    At 0 the slope in an sd is 0 whatever the data: so a larger one is tried as well.
    """
    for place in range(width, len(at)):
        if abs(at[place]) >= _NEAR_ZERO:
            continue
        tried = [at.copy() for _ in range(2)]
        tried[0][place], tried[1][place] = 0.0, 2 * _NEAR_ZERO
        here, none, more = (objective(each)[0] for each in (at, *tried))
        if none <= here + 1e-7:
            at = tried[1] if more < none - 1e-7 else tried[0]
    return at


def _curvature(objective: _Objective, at: "Array") -> "Array":
    """Return the second derivatives by central differences of the gradient."""
    import numpy as np

    rows = [
        (objective(at + step)[1] - objective(at - step)[1]) / (2 * objective.nudge)
        for step in objective.nudge * np.eye(len(at))
    ]
    return np.asarray((np.array(rows) + np.array(rows).T) / 2, dtype=np.float64)
