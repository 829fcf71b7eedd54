"""Whether a score puts the positive cases first: the area under the ROC curve, and two of them compared."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from swe_assets.statistics.design import binary
from swe_assets.statistics.estimate import Estimate, quantile_of
from swe_assets.statistics.numeric import SMALLEST_P, equal_length, finite_numbers
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]


@dataclass(frozen=True)
class AucDifference:
    """The difference of two areas over the same cases, with its standard error, interval and p."""

    a: float
    b: float
    difference: float
    se: Value
    low: Value
    high: Value
    p: Value
    n: int
    defined: ClassVar[bool] = True


def auc(
    outcome: Iterable[object], scores: Iterable[object], *, confidence: float = 0.95
) -> Estimate | Undefined:
    """Return the area under the ROC curve with DeLong's standard error and interval.

    Formula: AUC = P(score of a 1 > score of a 0) + P(equal)/2; variance = var(V10)/m + var(V01)/n, V10 of
    a 1 the share of 0s it beats (ties half), V01 of a 0 the share of 1s that beat it; interval AUC -+ z se,
    cut at 0 and 1.
    Reading: 0.5 tells nothing apart, 1 everything; below 0.5 the score points the wrong way.
    Undefined: one class only. The interval where the classes do not overlap, or a class has one case: the
    formula then gives 0 or nothing.
    Raises InputError for an outcome other than 0 and 1, a missing score, or lists of different lengths.
    Reference: E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595; X. Sun, W. Xu
    (2014), doi:10.1109/LSP.2014.2337313.

    >>> found = auc([0, 0, 1, 0, 1, 1], [1, 2, 2, 3, 4, 5])
    >>> round(found.value, 6), round(found.se, 6)  # 7.5 of 9 pairs
    (0.833333, 0.19245)
    """
    z, (y, score) = quantile_of(confidence), _pairs(outcome, scores=scores)
    placed = _placements(y, score)
    if isinstance(placed, Undefined):
        return placed
    value, se = float(placed[0].mean()), _error(*placed)
    if isinstance(se, Undefined):
        low: Value = se
        high: Value = se
    else:
        low, high = max(value - z * se, 0.0), min(value + z * se, 1.0)
    return Estimate(value=value, low=low, high=high, n=len(y), method="DeLong", confidence=confidence, se=se)


def auc_difference(
    outcome: Iterable[object], a: Iterable[object], b: Iterable[object], *, confidence: float = 0.95
) -> AucDifference | Undefined:
    """Return the difference a - b of two scores' areas over the same cases, by DeLong's paired test.

    Formula: difference of the AUCs; its variance from the paired differences of ``auc``'s V10 and V01; z =
    difference / se, two-sided p; interval difference -+ z se.
    Reading: above 0 score a tells the classes apart better than b on these cases.
    Undefined: one class only; error, interval and p where the paired differences have no spread.
    Raises InputError as ``auc`` does.
    Reference: E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.

    >>> found = auc_difference([0, 0, 1, 0, 1, 1], [1, 2, 2, 3, 4, 5], [1, 1, 2, 3, 1, 2])
    >>> round(found.difference, 6), round(found.p, 4)
    (0.277778, 0.3768)
    """
    import math

    z, (y, first, second) = quantile_of(confidence), _pairs(outcome, a=a, b=b)
    placed, other = _placements(y, first), _placements(y, second)
    if isinstance(placed, Undefined) or isinstance(other, Undefined):
        return placed if isinstance(placed, Undefined) else Undefined("one class only")
    areas = float(placed[0].mean()), float(other[0].mean())
    gap, se = areas[0] - areas[1], _error(placed[0] - other[0], placed[1] - other[1])
    if isinstance(se, Undefined):
        return AucDifference(*areas, gap, se, se, se, se, len(y))
    p = max(math.erfc(abs(gap / se) / math.sqrt(2)), SMALLEST_P)
    return AucDifference(*areas, gap, se, gap - z * se, gap + z * se, p, len(y))


def _pairs(outcome: Iterable[object], **scores: Iterable[object]) -> "tuple[Vector, ...]":
    """Return checked outcome and scores of equal length."""
    import numpy as np

    columns = {"outcome": binary(outcome)}
    columns |= {name: finite_numbers(values, name=name) for name, values in scores.items()}
    equal_length(columns)
    return tuple(np.array(column) for column in columns.values())


def _placements(outcome: "Vector", score: "Vector") -> "tuple[Vector, Vector] | Undefined":
    """Return the share of 0s that each 1 beats, and the share of 1s that beats each 0, ties half."""
    from scipy.stats import rankdata

    ones, zeros = score[outcome == 1], score[outcome == 0]
    if not len(ones) or not len(zeros):
        return Undefined(f"one class only: {len(ones)} of {len(score)} outcomes are 1")
    ranks = rankdata(score)
    of_ones = (ranks[outcome == 1] - rankdata(ones)) / len(zeros)
    of_zeros = 1 - (ranks[outcome == 0] - rankdata(zeros)) / len(ones)
    return of_ones, of_zeros


def _error(of_ones: "Vector", of_zeros: "Vector") -> Value:
    """Return the standard error of the placements' mean, or why there is none."""
    import math

    if min(len(of_ones), len(of_zeros)) < 2:
        return Undefined("a class of one case has no spread")
    variance = float(of_ones.var(ddof=1) / len(of_ones) + of_zeros.var(ddof=1) / len(of_zeros))
    return math.sqrt(variance) if variance > 1e-16 else Undefined("the placements have no spread")
