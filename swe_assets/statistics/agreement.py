"""Krippendorff's alpha: agreement of any number of raters, with missing ratings, on any level."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from swe_assets.errors import InputError
from swe_assets.statistics.bootstrap import DRAWS, Bootstrap, bootstrap_interval
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.numeric import is_missing, numbers
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Vector = NDArray[np.float64]

Level = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
Ratings = Sequence[Sequence[float | None]]
_BLOCK = 500  # values compared at once on the ratio level


@dataclass(frozen=True)
class Alpha:
    """Krippendorff's alpha on a level, over the pairable units (two ratings or more) and their ratings."""

    value: float
    level: Level
    units: int
    ratings: int
    raters: int
    observed: float
    expected: float
    defined: ClassVar[bool] = True


@dataclass(frozen=True)
class _Table:
    """How often each unit was given each value (units by values, sparse), pairable units only."""

    counts: "csr_array"
    values: "Vector"
    sizes: "Vector"
    raters: int


def krippendorff_alpha(ratings: Ratings, level: Level) -> Alpha | Undefined:
    """Return Krippendorff's alpha of ratings, one row a rater and one column a unit (None: not rated).

    Formula: alpha = 1 - D_o / D_e; D_o the mean squared difference delta^2 of two ratings of the same unit
    (each unit's pairs weighted 1/(m_u - 1)), D_e that of any two ratings. delta^2: nominal 0 or 1; ordinal
    the square of the ratings that lie between, (sum of n_g from c to k) - (n_c + n_k)/2; interval
    (c - k)^2; ratio ((c - k)/(c + k))^2.
    Reading: 1 is perfect agreement, 0 what chance gives, below 0 systematic disagreement; from 0.8
    reliable, from 0.667 for tentative conclusions (Krippendorff). For scores such as 0 to 5 ordinal is
    the level; nominal ignores how near 3 and 4 are.
    Undefined: no unit with two ratings; all pairable ratings equal (no variance: neither 1 nor 0).
    Raises InputError for an unknown level, raters with different numbers of units, a value that is no
    finite number, or a negative one on the ratio level.
    Reference: A. F. Hayes, K. Krippendorff (2007), doi:10.1080/19312450709336664.

    >>> found = krippendorff_alpha([[1, 2, 3, 3, None], [1, 2, 3, 2, 1], [None, 2, 3, 3, 1]], "ordinal")
    >>> round(found.value, 6), found.units, found.ratings
    (0.884615, 5, 13)
    >>> krippendorff_alpha([[4, 4], [4, 4]], "ordinal").reason
    'no variance: all 4 ratings are 4'
    """
    table = _table(ratings, level)
    if isinstance(table, Undefined):
        return table
    import numpy as np

    observed, expected = _disagreements(table, level, np.ones((1, len(table.sizes))))
    do, de = float(observed[0]), float(expected[0])
    total = int(table.sizes.sum())
    return Alpha(1 - do / de, level, len(table.sizes), total, table.raters, do, de)


def krippendorff_interval(
    ratings: Ratings, level: Level, *, draws: int = DRAWS, seed: int = 0, confidence: float = 0.95
) -> Estimate | Undefined:
    """Return Krippendorff's alpha with a bootstrap interval over units.

    Formula: ``bootstrap_interval`` of ``krippendorff_alpha``, drawing units with all their ratings, by
    the percentile method.
    Reading: where the low bound lies under 0.667, agreement is not shown to be enough.
    Undefined: as both; a draw without variance has no alpha and is counted in ``undefined_draws``.
    Raises InputError as ``krippendorff_alpha`` does.
    Reference: A. Zapf et al. (2016), doi:10.1186/s12874-016-0200-9.

    >>> found = krippendorff_interval([[1, 2, 3, 3, 2, 1], [1, 2, 3, 3, 2, 2]], "ordinal")
    >>> round(found.value, 4), found.n, found.draws
    (0.8836, 6, 10000)
    """
    import numpy as np

    table = _table(ratings, level)
    if isinstance(table, Undefined):
        return table

    def alpha(counts: "Vector") -> "Vector":
        observed, expected = _disagreements(table, level, counts)
        return 1 - np.divide(observed, expected, out=np.full_like(observed, np.nan), where=expected > 0)

    how = Bootstrap(method="percentile", draws=draws, seed=seed, confidence=confidence)
    return bootstrap_interval(alpha, len(table.sizes), how=how)


def _table(ratings: Ratings, level: Level) -> _Table | Undefined:
    """Return the checked ratings as counts; or why there is no alpha."""
    import numpy as np
    from scipy.sparse import csr_array

    if level not in LEVELS:
        raise InputError(f"level {level!r}: give one of {', '.join(LEVELS)}")
    matrix = _matrix(ratings)
    if level == "ratio" and (matrix < 0).any():
        raise InputError(f"rating {float(np.nanmin(matrix))!r} on the ratio level; it has no negative values")
    rated = ~np.isnan(matrix)
    pairable = matrix[:, rated.sum(axis=0) >= 2]
    if not pairable.size:
        return Undefined("no unit has two ratings")
    rater, unit = np.nonzero(~np.isnan(pairable))
    values, code = np.unique(pairable[rater, unit], return_inverse=True)
    if len(values) == 1:
        return Undefined(f"no variance: all {len(unit)} ratings are {values[0]:g}")
    shape = (pairable.shape[1], len(values))
    counts = csr_array((np.ones(len(unit)), (unit, code)), shape=shape)
    return _Table(counts, values, np.bincount(unit).astype(np.float64), len(ratings))


def _matrix(ratings: Ratings) -> "Vector":
    """Return raters by units as floats, NaN where one is missing."""
    import numpy as np

    rows = [numbers(row, name=f"rater {number}") for number, row in enumerate(ratings, start=1)]
    if len({len(row) for row in rows}) > 1:
        raise InputError(
            f"raters with {[len(row) for row in rows]!r} units; give one rating (or None) a unit"
        )
    for number, row in enumerate(rows, start=1):
        for unit, value in enumerate(row, start=1):
            if not is_missing(value) and not abs(value) < float("inf"):
                raise InputError(f"rater {number}, unit {unit}: {value!r} is not a finite number")
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(rows[0]) if rows else 0)


def _disagreements(table: _Table, level: Level, weights: "Vector") -> "tuple[Vector, Vector]":
    """Return observed and expected disagreement of each draw; the weights count the units in it."""
    paired = weights / (table.sizes - 1)
    frequency = weights @ table.counts
    total = weights @ table.sizes
    if level == "ratio":
        within, among = _ratio(table, paired, frequency)
    elif level == "nominal":
        squares = table.counts.multiply(table.counts).sum(axis=1)
        within = paired @ (table.sizes**2 - squares)
        among = total**2 - (frequency**2).sum(axis=1)
    else:
        places = frequency.cumsum(axis=1) - frequency / 2 if level == "ordinal" else table.values[None, :]
        places = places - (places * frequency).sum(axis=1, keepdims=True) / total[:, None]
        within = ((paired * table.sizes) @ table.counts * places**2).sum(axis=1)
        within = 2 * (within - (paired * (table.counts @ places.T).T ** 2).sum(axis=1))
        among = 2 * (total * (frequency * places**2).sum(axis=1) - (frequency * places).sum(axis=1) ** 2)
    return within / total, among / (total * (total - 1))


def _ratio(table: _Table, paired: "Vector", frequency: "Vector") -> "tuple[Vector, Vector]":
    """Return the sums of ratio differences, over values a block at a time: they have no closed form."""
    import numpy as np

    within, among = np.zeros(len(paired)), np.zeros(len(paired))
    for start in range(0, len(table.values), _BLOCK):
        here = slice(start, start + _BLOCK)
        sums = table.values[:, None] + table.values[None, here]
        gaps = np.abs(table.values[:, None] - table.values[None, here])
        apart = np.divide(gaps, sums, out=np.zeros_like(sums), where=sums > 0) ** 2
        within += paired @ table.counts[:, [*range(len(table.values))][here]].multiply(
            table.counts @ apart
        ).sum(axis=1)
        among += ((frequency @ apart) * frequency[:, here]).sum(axis=1)
    return within, among
