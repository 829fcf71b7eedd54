"""Detection of separation in binary regression, by linear programmes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from swe_assets.statistics.design import Design, design
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Kind = Literal["none", "quasi-complete", "complete"]

_FEASIBLE = 1e-10  # the tightest tolerance HiGHS takes
_AT_ONCE = 100  # limits added to a linear programme in one go
_MOVES = 1e-7  # a coefficient that can move at all moves further than this within the unit box


@dataclass(frozen=True)
class Separation:
    """Whether a hyperplane parts the outcomes, the terms without a finite estimate, and the lone culprits.

    A term's sign is ``+`` or ``-``, the way it runs to infinity, or ``±`` where separation leaves that open.
    ``alone`` names the predictors that separate the outcomes each by itself.
    """

    kind: Kind
    terms: Mapping[str, str]
    alone: tuple[str, ...]
    defined: ClassVar[bool] = True


class Unsolved(Undefined):
    """Whether the outcomes are separated could not be found out, and why."""


class _UnsolvedError(ArithmeticError):
    """A linear programme that always has a solution ended without one."""


def detect_separation(
    outcome: Iterable[object], predictors: Mapping[str, Iterable[object]]
) -> Separation | Undefined:
    """Return whether the outcome is separated by its predictors and an intercept, term by term.

    Formula: with s_i = 1 where y_i = 1 and -1 where y_i = 0, the cone C = {b : s_i x_i'b >= 0 for all i}.
    Overlap ("none") where C = {0}; "complete" where some b in C has s_i x_i'b > 0 for all i; else
    "quasi-complete". A term is listed where its coefficient can be other than 0 in C: maximum likelihood
    drives just those to infinity.
    Reading: anything but "none" means no maximum likelihood estimate exists, whatever an optimiser prints.
    Undefined: constant or collinear predictors, or fewer rows than parameters (the cone then holds a line);
    values whose spread is too large or too small for a float; a linear programme that did not end.
    Raises InputError as ``design`` does.
    Reference: A. Albert, J. A. Anderson (1984), doi:10.1093/biomet/71.1.1; K. Konis (2007), Linear
    programming algorithms for detecting separated data in binary logistic regression models, DPhil
    thesis, Oxford, https://ora.ox.ac.uk/objects/uuid:8f9ee0d0-d78e-4101-9ab4-f9cbceed2a2a.

    >>> detect_separation([0, 0, 1, 1], {"x": [1, 2, 3, 4]})
    Separation(kind='complete', terms={'const': '-', 'x': '+'}, alone=('x',))
    >>> detect_separation([0, 1, 0, 1], {"x": [1, 2, 3, 4]}).kind
    'none'
    """
    return separation_of(design(outcome, predictors))


def separation_of(data: Design) -> Separation | Undefined:
    """Return the separation of a design; see ``detect_separation``."""
    import numpy as np

    constant = data.constant()
    if constant:
        return Undefined(f"constant predictor(s): {', '.join(constant)}")
    with np.errstate(all="ignore"):  # said by what is not finite
        scaled, transform = data.standardised()
    if not (np.isfinite(scaled).all() and np.isfinite(transform).all() and np.diag(transform).all()):
        return Unsolved("a predictor's spread is too large or too small for a float: rescale it")
    if np.linalg.matrix_rank(scaled) < scaled.shape[1]:
        return Undefined(f"{data.n} rows, {scaled.shape[1]} parameters: collinear, or too few rows")
    try:
        return _of_cone(data, scaled, transform)
    except _UnsolvedError as wrong:
        return Unsolved(f"separation could not be looked for: {wrong}")


def _of_cone(data: Design, scaled: "NDArray[np.float64]", transform: "NDArray[np.float64]") -> Separation:
    """Return the separation of a design of full rank; raises _UnsolvedError where a programme did not end."""
    import numpy as np

    signed = np.unique(scaled * np.where(data.outcome == 1, 1.0, -1.0)[:, None], axis=0)
    widest = _maximise(signed.sum(axis=0), signed)
    if np.abs(widest).max() < 0.5:  # a cone that holds more than 0 reaches the box
        return Separation("none", {}, ())
    kind: Kind = "complete" if _margin(signed) > _FEASIBLE * 10 else "quasi-complete"
    return Separation(kind, _infinite_terms(data.terms, signed, transform), _alone(data))


def _maximise(goal: "NDArray[np.float64]", signed: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return the b in the unit box with signed @ b >= 0 that maximises goal @ b."""
    import numpy as np

    weights = goal / max(float(np.abs(goal).max()), 1e-300)
    return _solve(-weights, -signed, [(-1.0, 1.0)] * signed.shape[1])


def _margin(signed: "NDArray[np.float64]") -> float:
    """Return the largest t for which some b in the unit box has signed @ b >= t in every row."""
    import numpy as np

    rows, columns = signed.shape
    goal = np.concatenate([np.zeros(columns), [-1.0]])
    limits = np.column_stack([-signed, np.ones(rows)])
    return float(_solve(goal, limits, [(-1.0, 1.0)] * columns + [(0.0, None)])[-1])


def _solve(
    goal: "NDArray[np.float64]", limits: "NDArray[np.float64]", bounds: list[tuple[float, float | None]]
) -> "NDArray[np.float64]":
    """Return the minimiser of goal @ b under limits @ b <= 0; b = 0 is always allowed, so one exists.

    Few of many limits bind: it starts with some and adds those that the last solution breaks, worst first.
    """
    import numpy as np

    used = np.zeros(len(limits), dtype=bool)
    used[:: max(1, len(limits) // _AT_ONCE)] = True
    while True:
        found = _solve_all(goal, limits[used], bounds)
        broken = np.where(used, 0.0, limits @ found)
        worst = np.argsort(-broken, stable=True)[:_AT_ONCE]
        worst = worst[broken[worst] > _FEASIBLE]
        if not len(worst):
            return found
        used[worst] = True


def _solve_all(
    goal: "NDArray[np.float64]", limits: "NDArray[np.float64]", bounds: list[tuple[float, float | None]]
) -> "NDArray[np.float64]":
    """Return the minimiser under all the limits given."""
    import numpy as np
    from scipy.optimize import linprog

    found = linprog(
        goal,
        A_ub=limits,
        b_ub=np.zeros(len(limits)),
        bounds=bounds,
        method="highs",
        options={"primal_feasibility_tolerance": _FEASIBLE, "dual_feasibility_tolerance": _FEASIBLE},
    )
    if found.status != 0:
        raise _UnsolvedError(f"a linear programme of {limits.shape!r} ended with {found.message!r}")
    return np.asarray(found.x, dtype=np.float64)


def _infinite_terms(
    terms: tuple[str, ...], signed: "NDArray[np.float64]", transform: "NDArray[np.float64]"
) -> dict[str, str]:
    """Return the sign of each original coefficient that is not 0 throughout the cone."""
    signs = {}
    for term, goal in zip(terms, transform, strict=True):
        weights = goal / abs(goal).max()
        up = float(weights @ _maximise(weights, signed)) > _MOVES
        down = float(weights @ _maximise(-weights, signed)) < -_MOVES
        if up or down:
            signs[term] = "±" if up and down else "+" if up else "-"
    return signs


def _alone(data: Design) -> tuple[str, ...]:
    """Return the predictors whose values for the two outcomes do not overlap, touching at most."""
    zeros, ones = (data.matrix[data.outcome == value, 1:] for value in (0, 1))
    if not len(zeros) or not len(ones):
        return ()
    parted = (zeros.max(axis=0) <= ones.min(axis=0)) | (ones.max(axis=0) <= zeros.min(axis=0))
    return tuple(term for term, apart in zip(data.terms[1:], parted, strict=True) if apart)
