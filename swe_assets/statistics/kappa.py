"""Chance-corrected agreement: weighted kappa of two raters, Fleiss' kappa of several."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from swe_assets.errors import InputError
from swe_assets.statistics.estimate import quantile_of
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

Weights = Literal["none", "linear", "quadratic"]

_DUST = 1e-12
"""Observed and expected agreement that differ by less are equal but for rounding."""


@dataclass(frozen=True)
class Kappa:
    """Weighted kappa over n pairs, observed and expected agreement, and a large-sample interval.

    Standard error and interval are undefined where all pairs agree: their formula gives 0 there.
    """

    value: float
    n: int
    weights: Weights
    observed: float
    expected: float
    se: Value
    low: Value
    high: Value
    confidence: float
    defined: ClassVar[bool] = True


def weighted_kappa(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    categories: Sequence[Hashable],
    weights: Weights = "quadratic",
    *,
    confidence: float = 0.95,
) -> Kappa | Undefined:
    """Return the kappa of two raters over the same units; a pair with a None is left out of ``n``.

    ``categories`` are all that could be given, in order: their places make the weights.

    Formula: kappa = (P_o - P_e) / (1 - P_e), P = sum v_ij p_ij with agreement weights v_ij = 1 - |i - j|/(k
    - 1) (linear), 1 - (i - j)^2/(k - 1)^2 (quadratic) or 1 on the diagonal alone (none); p_ij observed,
    and p_i. p_.j expected. The variance is that of Fleiss, Cohen and Everitt; the interval kappa -+ z se,
    cut at -1 and 1.
    Reading: 1 is full agreement, 0 what chance gives. Quadratic weights forgive near misses.
    Undefined: no pair; both raters give one and the same category throughout. The error where all agree.
    Raises InputError for lists of different lengths, fewer than 2 categories, repeated ones, or a rating
    that is none of them.
    Reference: J. Cohen (1968), doi:10.1037/h0026256; J. L. Fleiss, J. Cohen, B. S. Everitt (1969),
    doi:10.1037/h0028106.

    >>> found = weighted_kappa([1, 2, 3, 3, 2], [1, 2, 3, 2, 3], [1, 2, 3])
    >>> round(found.value, 6), round(found.observed, 2), round(found.expected, 2)
    (0.642857, 0.9, 0.72)
    """
    import numpy as np

    table = _crossed(a, b, categories)
    z, n = quantile_of(confidence), int(table.sum())
    if n == 0:
        return Undefined("no unit was rated by both")
    share, agree = table / n, _agreement(len(categories), weights)
    rows, columns = share.sum(axis=1), share.sum(axis=0)
    observed, expected = float((agree * share).sum()), float(rows @ agree @ columns)
    if (rows * columns).max() == 1:
        return Undefined(f"both raters give {categories[int(rows.argmax())]!r} to all {n} units")
    value = 0.0 if abs(observed - expected) < _DUST else (observed - expected) / (1 - expected)
    mean = (agree @ columns)[:, None] + (rows @ agree)[None, :]
    moment = float((share * (agree - mean * (1 - value)) ** 2).sum())
    variance = moment - (value - expected * (1 - value)) ** 2
    if observed == 1 or variance <= 1e-14:
        why = Undefined(f"the {n} pairs have no spread: the large-sample error is 0")
        return Kappa(value, n, weights, observed, expected, why, why, why, confidence)
    se = float(np.sqrt(variance / n)) / (1 - expected)
    low, high = max(value - z * se, -1.0), min(value + z * se, 1.0)
    return Kappa(value, n, weights, observed, expected, se, low, high, confidence)


def fleiss_kappa(ratings: Sequence[Sequence[Hashable]]) -> Value:
    """Return Fleiss' kappa of ratings, one row a rater and one column a unit.

    Formula: kappa = (P - P_e) / (1 - P_e), P the mean over units of sum n_c (n_c - 1) / (m (m - 1)), P_e =
    sum of the squared shares of the categories.
    Reading: 1 is full agreement, 0 what chance gives; categories have no order: for scores take
    ``krippendorff_alpha`` or ``weighted_kappa``.
    Undefined: fewer than 2 raters, no unit, a unit that some did not rate (None), one category throughout.
    Raises InputError for raters with different numbers of units.
    Reference: J. L. Fleiss (1971), doi:10.1037/h0031619.

    >>> round(fleiss_kappa([["a", "b", "a"], ["a", "b", "b"], ["a", "b", "a"]]), 4)
    0.55
    >>> fleiss_kappa([["a", None], ["a", "b"]]).reason
    'unit 2 was rated by 1 of 2 raters'
    """
    from collections import Counter

    if len({len(row) for row in ratings}) > 1:
        raise InputError(f"raters with {[len(row) for row in ratings]!r} units; give one rating a unit")
    units = [[rating for rating in unit if rating is not None] for unit in zip(*ratings, strict=True)]
    raters = len(ratings)
    if raters < 2 or not units:
        return Undefined(f"{raters} raters and {len(units)} units")
    for number, unit in enumerate(units, start=1):
        if len(unit) != raters:
            return Undefined(f"unit {number} was rated by {len(unit)} of {raters} raters")
    pairs = sum(count * (count - 1) for unit in units for count in Counter(unit).values())
    whole = Counter(rating for unit in units for rating in unit)
    if len(whole) == 1:
        return Undefined(f"no variance: all {raters * len(units)} ratings are {next(iter(whole))!r}")
    observed = pairs / (len(units) * raters * (raters - 1))
    expected = sum((count / (raters * len(units))) ** 2 for count in whole.values())
    return (observed - expected) / (1 - expected)


def _crossed(a: Sequence[Hashable], b: Sequence[Hashable], categories: Sequence[Hashable]) -> "Matrix":
    """Return how often each pair of categories was given."""
    import numpy as np

    place = {category: at for at, category in enumerate(categories)}
    if len(a) != len(b) or len(place) != len(categories) or len(place) < 2:
        raise InputError(
            f"{len(a)} and {len(b)} ratings in categories {list(categories)!r}; give as many of both, and at "
            "least two different categories"
        )
    table = np.zeros((len(place), len(place)))
    for unit, pair in enumerate(zip(a, b, strict=True), start=1):
        if None in pair:
            continue
        for rating in pair:
            if rating not in place:
                raise InputError(f"unit {unit}: rating {rating!r} is none of {list(categories)!r}")
        table[place[pair[0]], place[pair[1]]] += 1
    return table


def _agreement(k: int, weights: Weights) -> "Matrix":
    """Return the agreement weights of k ordered categories."""
    import numpy as np

    gaps = np.abs(np.arange(k)[:, None] - np.arange(k)[None, :]) / (k - 1)
    if weights == "none":
        return np.asarray(gaps == 0, dtype=np.float64)
    if weights not in ("linear", "quadratic"):
        raise InputError(f"weights {weights!r}: give none, linear or quadratic")
    return np.asarray(1 - (gaps if weights == "linear" else gaps**2), dtype=np.float64)
