"""Spearman's rho with bootstrap intervals, every pair of columns from the same draws."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from typing import TYPE_CHECKING

from swe_assets.statistics.bootstrap import Bootstrap, interval_of
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.numeric import equal_length, numbers
from swe_assets.statistics.rank_correlation import rank
from swe_assets.statistics.resampling import counted_units, resamples, without_each
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_CELLS = 500_000  # of draws by rows worked on at once: what a processor's cache holds


@dataclass(frozen=True)
class _Column:
    """The order that sorts a column, where each run of ties starts in it, and each row's run."""

    order: "NDArray[np.int64]"
    starts: "NDArray[np.int64]"
    run: "NDArray[np.int64]"


def spearman_interval(
    columns: Mapping[str, Iterable[object]],
    *,
    clusters: Sequence[Hashable] | None = None,
    how: Bootstrap | None = None,
) -> dict[tuple[str, str], Estimate | Undefined]:
    """Return Spearman's rho with its bootstrap interval for every ordered pair of different columns.

    Formula: rho as in ``spearman``, ranked anew in each draw of rows (or of whole clusters); the interval
    is ``bootstrap_interval``'s, BCa by default. All pairs share the draws.
    Reading: where the interval holds 0 the data do not tell the sign. With clusters it says how sure rho is
    for other clusters of the same kind.
    Undefined: as ``spearman`` and ``bootstrap_interval`` (a draw in which a column is constant has no rho).
    Raises InputError for a value that is no number, and lengths or labels that do not match.
    Reference: A. J. Bishara, J. B. Hittner (2017), doi:10.3758/s13428-016-0702-8; B. Efron (1987),
    doi:10.1080/01621459.1987.10478410.

    >>> x = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    >>> found = spearman_interval({"x": x, "y": [2, 1, 4, 3, 7, 6, 5, 8, 9, 10]})["x", "y"]
    >>> round(found.value, 6), round(found.low, 2), found.method
    (0.927273, 0.75, 'bootstrap, BCa')
    """
    import numpy as np

    how = how or Bootstrap()
    cast = {name: numbers(values, name=name) for name, values in columns.items()}
    rows = equal_length(cast)
    ranked = {name: rank(name, values) for name, values in cast.items()}
    usable = {name: _column(found.ranks) for name, found in ranked.items() if found.ranks is not None}
    units, spread = counted_units(rows, clusters)
    pairs = list(combinations(usable, 2))

    def rho(blocks: "Iterable[Array]") -> "Array":
        return np.concatenate([_rho(spread(block), list(usable.values())) for block in blocks])

    @cache
    def jackknife() -> "Array":
        return rho(without_each(units))

    def jackknife_of(at: int) -> "Array":
        return np.asarray(jackknife()[:, at])

    found: dict[tuple[str, str], Estimate | Undefined] = {
        (a, b): Undefined(ranked[a].reason or ranked[b].reason or f"{units} unit(s) to draw from")
        for a in cast
        for b in cast
        if a != b
    }
    if units < 2 or not pairs:
        return found
    whole, drawn = _rho(np.ones((1, rows)), list(usable.values())), rho(resamples(units, how.draws, how.seed))
    for at, (a, b) in enumerate(pairs):
        column = drawn[:, at]
        found[a, b] = interval_of(float(whole[0, at]), column, units, how, partial(jackknife_of, at))
        found[b, a] = found[a, b]
    return found


def _column(ranks: "NDArray[np.int64]") -> _Column:
    """Return how a column is sorted."""
    import numpy as np

    order = np.argsort(ranks, kind="stable")
    distinct, run = np.unique(ranks, return_inverse=True)
    return _Column(order, np.searchsorted(ranks[order], distinct), run)


def _rho(counts: "Array", columns: list[_Column]) -> "Array":
    """Return rho of every pair of columns for each draw (draws, pairs); NaN where a column is constant."""
    import numpy as np

    at_once = max(1, _CELLS // counts.shape[1])
    parts = [_rho_of(counts[at : at + at_once], columns) for at in range(0, len(counts), at_once)]
    return np.concatenate(parts)


def _rho_of(counts: "Array", columns: list[_Column]) -> "Array":
    """Return the weighted correlations of the ranks that each draw gives."""
    import numpy as np

    draws, rows = counts.shape
    total = counts.sum(axis=1, keepdims=True)
    root = np.sqrt(counts)
    scaled = np.empty((draws, len(columns), rows))
    for at, column in enumerate(columns):
        sizes = np.add.reduceat(counts[:, column.order], column.starts, axis=1)
        ranks = np.cumsum(sizes, axis=1) - sizes / 2 - total / 2  # mean 0
        np.multiply(ranks[:, column.run], root, out=scaled[:, at])
    products = scaled @ scaled.transpose(0, 2, 1)
    squares = np.diagonal(products, axis1=1, axis2=2)
    a, b = np.triu_indices(len(columns), k=1)
    norms = squares[:, a] * squares[:, b]
    found = np.full(norms.shape, np.nan)
    np.divide(products[:, a, b], np.sqrt(norms), out=found, where=norms > 1e-9)
    return np.asarray(np.clip(found, -1.0, 1.0))
