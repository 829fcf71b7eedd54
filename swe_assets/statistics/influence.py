"""Fragility of a logit: what each coefficient becomes when one row is left out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from swe_assets.errors import InputError
from swe_assets.statistics.design import Design, design
from swe_assets.statistics.firth import Firth, fitted, unusable
from swe_assets.statistics.logistic import Logit, Term, logit
from swe_assets.statistics.newton import Fits, fit_all
from swe_assets.statistics.numeric import SMALLEST_P
from swe_assets.statistics.separation import Separation, separation_of
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Method = Literal["ml", "firth"]
_FAR = 15.0  # log odds that one row less moves only where it was all that kept the estimate finite
_CELLS = 4_000_000  # of rows left out by rows: beyond, only the most influential are refitted
NO_ESTIMATE = Undefined("without the instance there is no estimate")
NO_TEST = Undefined("without the instance the likelihood ratio test did not end")


@dataclass(frozen=True)
class LeftOut:
    """A row (counted from 0) left out, and what the coefficient and its p become, or why they have no value.

    Both are undefined where the other rows have no estimate, p alone where its test did not end.
    """

    row: int
    coef: Value
    p: Value


@dataclass(frozen=True)
class TermInfluence:
    """One coefficient: with all rows, with the row left out that moves it most, and where conclusions turn.

    ``turning`` lists the rows whose removal, each alone, moves p across alpha, turns a coefficient's sign
    that was significant, or leaves no estimate; ``untested`` those without which p has no value, so that
    whether they turn anything is not known. ``lowest`` and ``highest`` are None where no row leaves an
    estimate.
    """

    name: str
    coef: float
    p: float
    lowest: LeftOut | None
    highest: LeftOut | None
    turning: tuple[LeftOut, ...]
    untested: tuple[LeftOut, ...] = ()


@dataclass(frozen=True)
class Influence:
    """Leave-one-out influence on each term, of the rows that were refitted."""

    n: int
    method: Method
    alpha: float
    refitted: int
    terms: tuple[TermInfluence, ...]
    defined: ClassVar[bool] = True

    @property
    def carried(self) -> dict[str, tuple[int, ...]]:
        """Return the terms whose conclusion hangs on one row, each with the rows that it hangs on."""
        return {term.name: tuple(each.row for each in term.turning) for term in self.terms if term.turning}


def leave_one_out(
    outcome: Iterable[object],
    predictors: Mapping[str, Iterable[object]],
    *,
    method: Method = "ml",
    alpha: float = 0.05,
) -> Influence | Undefined:
    """Return how each coefficient of a logit or Firth fit changes when each row is left out.

    Formula: all rows but one are fitted anew, from the full fit's estimate; p by Wald (ml) or by the
    penalised likelihood ratio (firth). With more than 2000 rows only those are refitted that the one-step
    approximation b - I^-1 x_i (y_i - p_i)/(1 - h_i) moves most, relative to the standard error.
    Reading: a conclusion that turns when one row goes is that row's, not the sample's.
    Undefined: no fit of all rows (``logit``'s obstacles, ``firth_logit``'s). A row without which there is no
    estimate (separation) is in ``turning``, undefined; one without which the penalised test did not end is
    in ``untested``.
    Raises InputError as ``design`` does, and for an unknown method.
    Reference: D. Pregibon (1981), doi:10.1214/aos/1176345513.

    >>> x, y = [1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 0, 1, 0, 1, 1, 1]
    >>> term = leave_one_out(y, {"x": x}).terms[1]
    >>> [each.row for each in term.turning if isinstance(each.coef, Undefined)]  # the others are separated
    [3, 4]
    """
    if method not in ("ml", "firth"):
        raise InputError(f"method {method!r}: give ml or firth")
    columns = {name: list(values) for name, values in predictors.items()}
    result = list(outcome)
    data = design(result, columns)
    whole = logit(result, columns) if method == "ml" else unusable(data) or fitted(data, intervals=False)
    if isinstance(whole, Undefined):
        return whole
    rows = _candidates(data, whole)
    found = _refit(data, whole, rows, firth=method == "firth")
    terms = tuple(_term(whole, at, rows, found, alpha) for at in range(len(data.terms)))
    return Influence(data.n, method, alpha, len(rows), terms)


def _candidates(data: Design, whole: Logit | Firth) -> "NDArray[np.int64]":
    """Return the rows to refit without: all, or of many those that one step moves most in any term."""
    import numpy as np
    from scipy.special import expit

    at_most = max(1, _CELLS // data.n)
    if data.n <= at_most:
        return np.arange(data.n)
    coef = np.array([term.coef for term in whole.terms])
    fitted = expit(data.matrix @ coef)
    spread = fitted * (1 - fitted)
    inverse = np.linalg.inv(data.matrix.T @ (spread[:, None] * data.matrix))
    pulls = data.matrix @ inverse
    leverage = spread * (pulls * data.matrix).sum(axis=1)
    moved = pulls * ((data.outcome - fitted) / (1 - leverage))[:, None] / np.sqrt(np.diag(inverse))
    each = max(1, at_most // len(data.terms))
    return np.unique(np.argsort(-np.abs(moved), axis=0)[:each])


@dataclass(frozen=True)
class _Refits:
    """Coefficients and p values (rows left out, terms), and which rows leave an estimate."""

    coef: "Array"
    p: "Array"
    defined: "NDArray[np.bool_]"


def _refit(data: Design, whole: Logit | Firth, rows: "NDArray[np.int64]", *, firth: bool) -> _Refits:
    """Fit anew without each of the rows."""
    import numpy as np
    from scipy.special import erfc

    weights = np.ones((len(rows), data.n))
    weights[np.arange(len(rows)), rows] = 0.0
    scaled, transform = data.standardised()
    start = np.linalg.solve(transform, np.array([term.coef for term in whole.terms]))
    fits = fit_all(scaled, data.outcome, weights, start, firth=firth)
    coef = fits.coef @ transform.T
    if firth:
        return _Refits(coef, _ratio_tests(data, fits, coef, weights), fits.ended)
    errors = np.sqrt(np.einsum("ij,bjk,ik->bi", transform, fits.covariance, transform))
    defined = fits.ended.copy()
    far = np.abs((fits.coef - start) @ scaled.T).max(axis=1) > _FAR
    for at in np.flatnonzero(~defined | far):
        defined[at] = _estimable(data, int(rows[at]))
    p = np.maximum(erfc(np.abs(coef / errors) / np.sqrt(2)), SMALLEST_P)
    return _Refits(coef, p, defined & fits.ended)


def _ratio_tests(data: Design, fits: Fits, coef: "Array", weights: "Array") -> "Array":
    """Return the penalised likelihood ratio p of each term without each row."""
    import numpy as np
    from scipy.special import chdtrc

    p = np.empty_like(coef)
    every = np.ones((1, data.n))
    for term in range(len(data.terms)):
        design, start, shift = _conditioned(data, np.median(coef, axis=0), term)
        held = np.arange(coef.shape[1]) == term
        start = fit_all(design, data.outcome, every, start, firth=True, held=held).coef[0]
        without = fit_all(design, data.outcome, weights, start, firth=True, held=held)
        with np.errstate(invalid="ignore"):  # neither fit of a row has a likelihood: p is NaN
            drop = 2 * (fits.loglik - without.loglik - shift)
        p[:, term] = np.maximum(chdtrc(1, np.maximum(drop, 0.0)), SMALLEST_P)
        p[~without.ended, term] = np.nan
    return p


def _conditioned(data: Design, coef: "Array", term: int) -> "tuple[Array, Array, float]":
    """Return a design for the fit without a term, a start of that fit, and what to add to its likelihood.

    The term's coefficient held at 0 means the same in it as in the data's. Of a predictor all columns are
    standardised; of the intercept the others may not be centred and are made orthogonal instead, which
    changes the penalty by the logarithm of a determinant.
    """
    import numpy as np

    scaled, transform = data.standardised()
    held = np.arange(len(coef)) != term
    if term:
        return scaled, np.linalg.solve(transform, coef) * held, 0.0
    others, upper = np.linalg.qr(data.matrix[:, 1:] / data.matrix[:, 1:].std(axis=0))
    root = np.sqrt(data.n)
    shift = float(np.log(np.abs(np.diag(upper))).sum() - len(upper) * np.log(root))
    return np.column_stack([np.ones(data.n), others * root]), np.zeros(len(coef)), shift


def _estimable(data: Design, row: int) -> bool:
    """Return whether the other rows have a maximum likelihood estimate."""
    kept = [at for at in range(data.n) if at != row]
    rest = Design(data.terms, data.matrix[kept], data.outcome[kept])
    if rest.events in (0, rest.n):
        return False
    found = separation_of(rest)
    return isinstance(found, Separation) and found.kind == "none"


def _term(
    whole: Logit | Firth, at: int, rows: "NDArray[np.int64]", found: _Refits, alpha: float
) -> TermInfluence:
    """Return one term's influence."""
    import numpy as np

    term = whole.terms[at]
    p = term.p if isinstance(term, Term) else term.lr_p
    coef = np.where(found.defined, found.coef[:, at], np.nan)
    there, tested = np.flatnonzero(found.defined), np.isfinite(found.p[:, at])

    def left_out(place: int) -> LeftOut:
        if not found.defined[place]:
            return LeftOut(int(rows[place]), NO_ESTIMATE, NO_ESTIMATE)
        less = float(found.p[place, at]) if tested[place] else NO_TEST
        return LeftOut(int(rows[place]), float(coef[place]), less)

    crossed = tested & ((found.p[:, at] <= alpha) != (p <= alpha))
    turned = (np.sign(coef) != np.sign(term.coef)) & (p <= alpha)
    turning = ~found.defined | crossed | (found.defined & turned)
    listed = [
        tuple(map(left_out, np.flatnonzero(which).tolist()))
        for which in (turning, found.defined & ~tested & ~turning)
    ]
    ends = [
        left_out(int(there[pick(coef[there])])) if len(there) else None for pick in (np.argmin, np.argmax)
    ]
    return TermInfluence(term.name, term.coef, p, ends[0], ends[1], listed[0], listed[1])
