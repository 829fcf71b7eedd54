"""Whether results of games tell all competitors apart: the graph of who won against whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class Unranked(Undefined):
    """Strengths that the games do not tell.

    ``disconnected``: the components never met each other, so nothing orders one against another.
    ``one-sided``: some beat all whom they met in other components and never lost to them, so their
    strengths run to infinity; the components come from the strongest on as far as games order them.
    """

    flag: Literal["disconnected", "one-sided"]
    components: tuple[tuple[str, ...], ...]


def unranked(names: Sequence[str], won: "NDArray[np.float64]") -> Unranked | None:
    """Return what keeps the games from telling strengths, or None where every one has a finite strength.

    ``won[i, j]`` is how often i won against j (a tie counts for both). Strengths are finite just where the
    graph of wins is strongly connected (Ford 1957, doi:10.1080/00029890.1957.11989117).
    """
    from scipy.sparse.csgraph import connected_components

    count, label = connected_components(won + won.T, directed=False)
    if count > 1:
        groups = _named(names, label)
        said = " and ".join("{" + ", ".join(group) + "}" for group in groups)
        return Unranked(f"no game between {said}", flag="disconnected", components=groups)
    count, label = connected_components(won, directed=True, connection="strong")
    if count == 1:
        return None
    groups = _strongest_first(names, label, won)
    first = ", ".join(groups[0])
    why = f"{first} never lost to the others: infinite strength; a prior makes it finite"
    return Unranked(why, flag="one-sided", components=groups)


def all_connected(won: "NDArray[np.float64]") -> "NDArray[np.bool_]":
    """Return for each of several tables of wins (draws, m, m) whether its graph is strongly connected."""
    import numpy as np

    count = won.shape[-1]
    reach = ((won > 0) | np.eye(count, dtype=bool)).astype(np.float32)
    steps = 1
    while steps < count - 1:
        reach = np.minimum(reach @ reach, 1.0)
        steps *= 2
    return np.asarray((reach > 0).all(axis=(1, 2)))


def _named(names: Sequence[str], label: "NDArray[np.int32]") -> tuple[tuple[str, ...], ...]:
    """Return the names of each component, in order of first appearance."""
    order = dict.fromkeys(label.tolist())
    return tuple(tuple(n for n, at in zip(names, label, strict=True) if at == which) for which in order)


def _strongest_first(
    names: Sequence[str], label: "NDArray[np.int32]", won: "NDArray[np.float64]"
) -> tuple[tuple[str, ...], ...]:
    """Return the components so that each comes before those that it has beaten."""
    from graphlib import TopologicalSorter

    groups = _named(names, label)
    number = {name: at for at, group in enumerate(groups) for name in group}
    beaten_by: dict[int, set[int]] = {at: set() for at in range(len(groups))}
    for i, winner in enumerate(names):
        for j, loser in enumerate(names):
            if won[i, j] and number[winner] != number[loser]:
                beaten_by[number[loser]].add(number[winner])
    return tuple(groups[at] for at in TopologicalSorter(beaten_by).static_order())
