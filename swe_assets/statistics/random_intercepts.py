"""The modes of crossed or nested random intercepts of a logit, and Laplace's likelihood with its gradient."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Array = NDArray[np.float64]
    Places = NDArray[np.int64]

_STEPS = 200


@dataclass(frozen=True)
class Grouped:
    """Successes of trials, a design (rows, terms), and each row's level in each factor, the largest first.

    The largest factor's levels never share a row, so its block of the joint system is diagonal and is
    eliminated; what is left has one equation a level of the other factors, which lie one after another.
    """

    x: "Array"
    successes: "Array"
    trials: "Array"
    levels: "tuple[Places, ...]"
    sizes: tuple[int, ...]
    meets: "_Meetings | None" = field(default=None)

    @property
    def starts(self) -> tuple[int, ...]:
        """Return where each factor's levels start among all random effects."""
        return tuple(sum(self.sizes[:at]) for at in range(len(self.sizes)))


@dataclass(frozen=True)
class _Meetings:
    """Which levels of the largest factor meet which others: a sparse pattern, and each row's places in it."""

    indptr: "Places"
    indices: "Places"
    places: "tuple[Places, ...]"


@dataclass(frozen=True)
class Modes:
    """The random effects' modes at given parameters, and the parts of the system that they solve."""

    effects: "Array"
    fitted: "Array"
    value: float
    diagonal: "Array"
    cross: "csr_array | None"
    rest: "Array"


def meetings(levels: "tuple[Places, ...]", sizes: tuple[int, ...]) -> "_Meetings | None":
    """Return where the largest factor's levels meet those of the others; None for a single factor."""
    import numpy as np

    if len(levels) == 1:
        return None
    offset, codes = 0, []
    width = sum(sizes[1:])
    for code, size in zip(levels[1:], sizes[1:], strict=True):
        codes.append(levels[0] * width + code + offset)
        offset += size
    distinct, inverse = np.unique(np.concatenate(codes), return_inverse=True)
    indptr = np.searchsorted(distinct, np.arange(sizes[0] + 1) * width)
    return _Meetings(indptr, distinct % width, tuple(np.split(inverse, len(codes))))


def modes_of(data: Grouped, beta: "Array", sigma: "Array", start: "Array") -> "Modes | None":
    """Return the modes of the standardised random effects u at beta and sigma, by damped Newton steps.

    They maximise log p(y | X beta + sum sigma_k u_k) - u'u / 2; None where no step is left that raises it.
    """
    import numpy as np

    fixed, u = data.x @ beta, start
    value, fitted = _penalised(data, fixed, sigma, u)
    for _ in range(_STEPS):
        weights = data.trials * fitted * (1 - fitted)
        system = _system(data, weights, sigma)
        slope = _spread(data, data.successes - data.trials * fitted, sigma) - u
        step = solve(system, slope)
        gain = float(slope @ step)
        if not np.isfinite(gain):
            return None
        if gain < 1e-9:
            u = u + step  # the last step squares the distance
            value, fitted = _penalised(data, fixed, sigma, u)
            return Modes(u, fitted, value, *_system(data, data.trials * fitted * (1 - fitted), sigma))
        share, ahead = 1.0, _penalised(data, fixed, sigma, u + step)
        while not ahead[0] >= value - 1e-12 * abs(value) and share > 1e-6:
            share /= 2
            ahead = _penalised(data, fixed, sigma, u + share * step)
        u, (value, fitted) = u + share * step, ahead
    return None


def laplace(data: Grouped, modes: Modes, sigma: "Array") -> "tuple[float, Array]":
    """Return Laplace's log-likelihood and its gradient in (beta, sigma), the binomials' constants left out.

    log L = log p(y | modes) - u'u / 2 - log det H / 2, H = I + S Z'W Z S; the modes move with the
    parameters, which the adjoint of H takes into account.
    """
    import numpy as np

    inverse = np.asarray(np.linalg.inv(modes.rest), dtype=np.float64)
    log_det = float(np.log(modes.diagonal).sum() + np.linalg.slogdet(modes.rest)[1])
    entries = _inverse_entries(data, modes, inverse)
    weights = data.trials * modes.fitted * (1 - modes.fitted)
    residual = data.successes - data.trials * modes.fitted
    v = sum(sigma[k] * sigma[m] * entries[k][m] for k in range(len(sigma)) for m in range(len(sigma)))
    skew = weights * (1 - 2 * modes.fitted) * v
    adjoint = solve((modes.diagonal, modes.cross, modes.rest), _spread(data, skew, sigma))
    carried = skew - weights * linear_of(data, sigma, adjoint)
    slopes = [*(data.x.T @ (residual - carried / 2))]
    for k, (code, start, size) in enumerate(zip(data.levels, data.starts, data.sizes, strict=True)):
        effect = modes.effects[start : start + size][code]
        turned = adjoint[start : start + size][code]
        direct = 2 * weights * sum(sigma[m] * entries[k][m] for m in range(len(sigma)))
        slopes.append(residual @ (effect - turned / 2) - (direct.sum() + carried @ effect) / 2)
    return modes.value - log_det / 2, np.array(slopes)


def solve(system: "tuple[Array, csr_array | None, Array]", right: "Array") -> "Array":
    """Return H^-1 times a vector, the largest factor's block eliminated."""
    import numpy as np

    diagonal, cross, rest = system
    first, other = right[: len(diagonal)], right[len(diagonal) :]
    if cross is None:
        return np.asarray(first / diagonal, dtype=np.float64)
    inner = np.linalg.solve(rest, other - cross.T @ (first / diagonal))
    return np.concatenate([(first - cross @ inner) / diagonal, inner])


def _system(data: Grouped, weights: "Array", sigma: "Array") -> "tuple[Array, csr_array | None, Array]":
    """Return H as the diagonal of its first block, the cross block, and the Schur complement of the rest."""
    import numpy as np
    from scipy.sparse import csr_array

    diagonal = 1 + sigma[0] ** 2 * np.bincount(data.levels[0], weights, data.sizes[0])
    if data.meets is None:
        return diagonal, None, np.ones((1, 1))
    values = np.zeros(len(data.meets.indices))
    for k, place in enumerate(data.meets.places, start=1):
        values += sigma[0] * sigma[k] * np.bincount(place, weights, len(values))
    width = sum(data.sizes[1:])
    cross = csr_array((values, data.meets.indices, data.meets.indptr), shape=(data.sizes[0], width))
    rest = np.eye(width)
    offsets = np.cumsum([0, *data.sizes[1:]])
    for k, one in enumerate(data.levels[1:], start=1):
        for m, other in enumerate(data.levels[1:], start=1):
            at = (one + offsets[k - 1]) * width + other + offsets[m - 1]
            rest += sigma[k] * sigma[m] * np.bincount(at, weights, width * width).reshape(width, width)
    rest -= (cross.T @ (cross / diagonal[:, None])).toarray()
    return diagonal, cross, rest


def _inverse_entries(data: Grouped, modes: Modes, inverse: "Array") -> "list[list[Array]]":
    """Return for each row the entries of H^-1 at its levels of each two factors."""
    import numpy as np

    if modes.cross is None:
        return [[1 / modes.diagonal[data.levels[0]]]]
    scaled = (modes.cross / modes.diagonal[:, None]).tocoo()
    product = np.asarray(scaled @ inverse, dtype=np.float64)
    first, other = scaled.coords
    own = 1 / modes.diagonal + np.bincount(first, scaled.data * product[first, other], data.sizes[0])
    count, offsets = len(data.levels), np.cumsum([0, *data.sizes[1:]])
    found: list[list[Array]] = [[own] * count for _ in range(count)]
    found[0][0] = own[data.levels[0]]
    for k in range(1, count):
        one = data.levels[k] + offsets[k - 1]
        found[0][k] = found[k][0] = -product[data.levels[0], one]
        for m in range(1, count):
            found[k][m] = inverse[one, data.levels[m] + offsets[m - 1]]
    return found


def linear_of(data: Grouped, sigma: "Array", effects: "Array") -> "Array":
    """Return the sum of sigma_k times each row's effect of factor k."""
    import numpy as np

    total = np.zeros(len(data.successes))
    for k, (code, start, size) in enumerate(zip(data.levels, data.starts, data.sizes, strict=True)):
        total += sigma[k] * effects[start : start + size][code]
    return total


def _spread(data: Grouped, values: "Array", sigma: "Array") -> "Array":
    """Return for each random effect sigma_k times the sum of the values over its rows."""
    import numpy as np

    sums = [s * np.bincount(c, values, n) for s, c, n in zip(sigma, data.levels, data.sizes, strict=True)]
    return np.concatenate(sums)


def _penalised(data: Grouped, fixed: "Array", sigma: "Array", u: "Array") -> "tuple[float, Array]":
    """Return the log-likelihood less half the squared effects, and the fitted chances."""
    import numpy as np
    from scipy.special import expit

    linear = fixed + linear_of(data, sigma, u)
    each = data.successes * linear - data.trials * np.logaddexp(0, linear)
    return float(each.sum() - u @ u / 2), expit(linear)
