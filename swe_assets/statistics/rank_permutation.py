"""Spearman's rho tested by permutation, which needs no t distribution and holds under any ties."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING, ClassVar

from swe_assets.errors import InputError
from swe_assets.statistics.numeric import equal_length, numbers
from swe_assets.statistics.rank_correlation import rank
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

EXACT_UP_TO = 8  # rows: 40,320 orders
_CELLS = 2_000_000


@dataclass(frozen=True)
class PermutationTest:
    """A two-sided p by permutation: over all orders (``exact``), or over ``draws`` of them and the data's."""

    p: float
    draws: int
    exact: bool
    seed: int | None
    defined: ClassVar[bool] = True


def spearman_permutation(
    columns: Mapping[str, Iterable[object]], *, draws: int = 10_000, seed: int = 0
) -> dict[tuple[str, str], PermutationTest | Undefined]:
    """Return the two-sided permutation p of rho for every ordered pair of different columns.

    Formula: p = (1 + number of drawn orders of one column with abs(rho) at least the data's) / (1 + draws);
    with up to 8 rows the share among all orders. Ranks are integers, so equal rho are told exactly.
    Reading: as any p, without the t approximation of ``spearman``, which is rough where few rows or a few
    values fill the columns. The smallest p that can be shown is 1 / (1 + draws).
    Undefined: as ``spearman``'s rho.
    Raises InputError for a value that is no number, columns of different lengths, or draws below 1.
    Reference: E. J. G. Pitman (1937), doi:10.2307/2983647; B. Phipson, G. K. Smyth (2010),
    doi:10.2202/1544-6115.1585.

    >>> found = spearman_permutation({"a": [1, 2, 3, 4], "b": [1, 2, 3, 4]})["a", "b"]
    >>> round(found.p, 6), found.draws, found.exact  # 2 of 24 orders
    (0.083333, 24, True)
    """
    import numpy as np

    if draws < 1:
        raise InputError(f"draws {draws!r}: give at least 1, better 2000 or more")
    cast = {name: numbers(values, name=name) for name, values in columns.items()}
    rows = equal_length(cast)
    ranked = {name: rank(name, values) for name, values in cast.items()}
    usable = {n: np.array(found.ranks, dtype=float) for n, found in ranked.items() if found.ranks is not None}
    found: dict[tuple[str, str], PermutationTest | Undefined] = {
        (a, b): Undefined(ranked[a].reason or ranked[b].reason) for a in cast for b in cast if a != b
    }
    if len(usable) < 2:
        return found
    table = np.column_stack(list(usable.values()))
    orders = _all_orders(rows) if rows <= EXACT_UP_TO else _drawn_orders(rows, draws, seed)
    reached, count = _reached(table, orders)
    exact = rows <= EXACT_UP_TO
    for (i, a), (j, b) in combinations(enumerate(usable), 2):
        p = reached[i, j] / count if exact else (1 + reached[i, j]) / (1 + count)
        found[a, b] = found[b, a] = PermutationTest(float(p), count, exact, None if exact else seed)
    return found


def _all_orders(rows: int) -> "Iterator[NDArray[np.int64]]":
    """Yield every order of the rows, in one block."""
    import numpy as np

    yield np.array(list(permutations(range(rows))), dtype=np.int64)


def _drawn_orders(rows: int, draws: int, seed: int) -> "Iterator[NDArray[np.int64]]":
    """Yield drawn orders of the rows, a block at a time."""
    import numpy as np

    random = np.random.default_rng(seed)
    at_once = max(1, _CELLS // rows)
    for start in range(0, draws, at_once):
        block = np.tile(np.arange(rows), (min(at_once, draws - start), 1))
        yield random.permuted(block, axis=1)


def _reached(table: "Array", orders: "Iterator[NDArray[np.int64]]") -> "tuple[NDArray[np.int64], int]":
    """Return how many orders of column i reach its product with column j (i < j), and how many there were.

    Products of doubled ranks are whole numbers below 2**53 for up to 100,000 rows, so they compare exactly.
    """
    import numpy as np

    width = table.shape[1]
    due = np.abs(table.T @ table)
    reached, count = np.zeros((width, width), dtype=np.int64), 0
    for block in orders:
        count += len(block)
        for i in range(width - 1):
            products = np.abs(table[:, i][block] @ table[:, i + 1 :])
            reached[i, i + 1 :] += (products >= due[i, i + 1 :]).sum(axis=0)
    return reached, count
