"""Resamples as counts: how often each unit was drawn, a block of draws at a time."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from swe_assets.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Spread: TypeAlias = "Callable[[NDArray[np.float64]], NDArray[np.float64]]"

_CELLS = 2_000_000  # of a block: 16 MB of counts


def resamples(units: int, draws: int, seed: int) -> "Iterator[NDArray[np.float64]]":
    """Yield blocks of shape (draws in the block, units): how often each unit was drawn with replacement.

    The draws are those of ``numpy.random.default_rng(seed).integers``, as ``scipy.stats.bootstrap`` has
    them.

    >>> block = next(resamples(3, 2, seed=0))
    >>> block.shape, block.sum(axis=1).tolist()
    ((2, 3), [3.0, 3.0])
    """
    import numpy as np

    random = np.random.default_rng(seed)
    at_once = max(1, _CELLS // max(units, 1))
    for start in range(0, draws, at_once):
        rows = min(at_once, draws - start)
        drawn = random.integers(0, units, (rows, units))
        drawn += np.arange(rows)[:, None] * units
        yield np.bincount(drawn.ravel(), minlength=rows * units).reshape(rows, units).astype(np.float64)


def without_each(units: int) -> "Iterator[NDArray[np.float64]]":
    """Yield blocks of counts that leave out one unit each, or of many units one of 100 parts or more."""
    import numpy as np

    parts = min(units, max(100, _CELLS // max(units, 1)))
    part_of = np.arange(units) % parts
    at_once = max(1, _CELLS // max(units, 1))
    for start in range(0, parts, at_once):
        left_out = np.arange(start, min(start + at_once, parts))
        yield (part_of[None, :] != left_out[:, None]).astype(np.float64)


def groups_of(labels: Sequence[Hashable], rows: int) -> "NDArray[np.int64]":
    """Return each row's group as a number from 0, in order of first appearance.

    Raises InputError where the labels are not one a row.
    """
    import numpy as np

    if len(labels) != rows:
        raise InputError(f"{len(labels)} cluster labels for {rows} rows; give one a row")
    places: dict[Hashable, int] = {}
    return np.array([places.setdefault(label, len(places)) for label in labels], dtype=np.int64)


def counted_units(rows: int, clusters: Sequence[Hashable] | None) -> "tuple[int, Spread]":
    """Return the number of units drawn (rows, or clusters), and what spreads their counts over the rows."""
    if clusters is None:
        return rows, lambda counts: counts
    group = groups_of(clusters, rows)
    return (int(group.max()) + 1 if rows else 0), lambda counts: counts[:, group]
