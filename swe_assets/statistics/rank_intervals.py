"""How sure ranks are: intervals of the rank of each of several competitors."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from swe_assets.statistics.bootstrap import Bootstrap
from swe_assets.statistics.numeric import equal_length, finite_numbers
from swe_assets.statistics.resampling import counted_units, resamples
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True)
class RankInterval:
    """A competitor's value and rank (1 is the highest value, equals share it) with the ranks it may have."""

    value: float
    rank: int
    low: int
    high: int
    confidence: float
    defined: ClassVar[bool] = True


def rank_intervals(
    scores: Mapping[str, Iterable[object]],
    *,
    clusters: Sequence[Hashable] | None = None,
    how: Bootstrap | None = None,
) -> dict[str, RankInterval] | Undefined:
    """Return the rank of each competitor's mean over the same items, with an interval of ranks.

    Formula: items (or whole clusters) are drawn with replacement, the same for all; for competitor j the
    c quantile q of max over k of abs((d*_jk - d_jk) / se_jk), d the differences of means, d* drawn; the
    best rank is 1 + the number of k with d_jk + q se_jk < 0, the worst m less that with d_jk - q se_jk > 0.
    Reading: with the stated confidence the true rank lies between; a rank of 1 to 4 is no winner. Unlike
    percentiles of drawn ranks it holds also where competitors are equal.
    Undefined: fewer than 2 competitors, items or clusters.
    Raises InputError for missing scores, lists of different lengths and labels that do not match.
    Reference: M. Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm (2024), doi:10.1093/restud/rdad006.

    >>> found = rank_intervals({"a": [5, 5, 4, 5, 4], "b": [1, 2, 1, 2, 2], "c": [2, 1, 2, 1, 2]})
    >>> [(r.rank, r.low, r.high) for r in found.values()]
    [(1, 1, 1), (2, 2, 3), (2, 2, 3)]
    """
    import numpy as np

    how = how or Bootstrap()
    columns = {name: finite_numbers(values, name=name) for name, values in scores.items()}
    rows = equal_length(columns)
    units, spread = counted_units(rows, clusters)
    if len(columns) < 2 or units < 2:
        return Undefined(f"{len(columns)} competitor(s) over {units} unit(s), at least 2 of both are needed")
    table = np.column_stack(list(columns.values()))
    drawn = [
        spread(block) @ table / spread(block).sum(axis=1, keepdims=True)
        for block in resamples(units, how.draws, how.seed)
    ]
    return ranks_of(tuple(columns), table.mean(axis=0), np.concatenate(drawn), how.confidence)


def ranks_of(
    names: Sequence[str], values: "Array", drawn: "Array", confidence: float
) -> dict[str, RankInterval]:
    """Return the ranks of values with their intervals, from values drawn (draws by competitors)."""
    import numpy as np

    found = {}
    scale = max(float(np.abs(values).max()), 1e-300)
    slack = 1e-9 * scale  # what only rounding parts is equal
    for j, name in enumerate(names):
        gap = values[j] - values
        moved = drawn[:, [j]] - drawn - gap
        se = moved.std(axis=0, ddof=1)
        flat = se <= 1e-12 * scale
        scaled = np.abs(moved) / np.where(flat, np.inf, se)
        reach = float(np.quantile(scaled.max(axis=1), confidence)) * np.where(flat, 0.0, se)
        low, high = 1 + int((gap + reach < -slack).sum()), len(names) - int((gap - reach > slack).sum())
        rank = 1 + int((gap < -slack).sum())
        found[name] = RankInterval(float(values[j]), rank, min(low, rank), max(high, rank), confidence)
    return found
