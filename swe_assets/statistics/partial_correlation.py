"""Spearman's correlation of pairs of columns with others held, such as size."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from swe_assets.errors import InputError
from swe_assets.statistics.numeric import equal_length, numbers
from swe_assets.statistics.rank_correlation import RankCorrelation, Ranked, rank, two_sided_p
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_COLLINEAR = 1e-8


def partial_spearman(columns: Mapping[str, Iterable[object]], given: Sequence[str]) -> RankCorrelation:
    """Return the partial rank correlation of every ordered pair of columns, the ``given`` ones held.

    Formula: correlation of the residuals of the average ranks after least squares on the ranks of the given
    columns and a constant; with one it is (r_ab - r_ag r_bg) / sqrt((1 - r_ag^2)(1 - r_bg^2)). p from t
    with n - 2 - g degrees of freedom.
    Reading: what of a relation is left among rows of like rank in the given columns. A rho that vanishes
    given size said mostly how large the file was.
    Undefined: pairs of a column that is constant, has a missing value, or that the given ones determine;
    all pairs where a given column is unusable; p with no degree of freedom; p of a column with itself.
    Raises InputError for a given name that is no column, no given name, values that are no numbers and
    columns of different lengths.
    Reference: S. Kim (2015), doi:10.5351/CSAM.2015.22.6.665.

    >>> a, b, size = [2, 1, 4, 3, 6, 5, 8, 7], [1, 3, 2, 5, 4, 7, 6, 8], [1, 2, 3, 4, 5, 6, 7, 8]
    >>> round(partial_spearman({"a": a, "b": b, "size": size}, ["size"]).rho["a", "b"], 6)
    -0.946729
    """
    import numpy as np

    if not given or any(name not in columns for name in given):
        raise InputError(f"given {list(given)!r}: name at least one of the columns {list(columns)!r}")
    cast = {name: numbers(values, name=name) for name, values in columns.items()}
    n = equal_length(cast)
    ranked = {name: rank(name, values) for name, values in cast.items()}
    names = tuple(name for name in cast if name not in given)
    unusable = next((ranked[name].reason for name in given if ranked[name].ranks is None), None)
    ranks = [found.ranks for found in (ranked[name] for name in given) if found.ranks is not None]
    held = np.column_stack([np.ones(n), *ranks])
    left = {name: Undefined(unusable) if unusable else _residual(name, ranked[name], held) for name in names}
    df_rows = n - len(set(given))
    rho: dict[tuple[str, str], Value] = {}
    p: dict[tuple[str, str], Value] = {}
    for a, b in combinations_with_replacement(names, 2):
        rho[a, b], p[a, b] = _pair(left[a], left[b], df_rows)
        if a == b:
            p[a, b] = Undefined("a column with itself has no test")
        rho[b, a], p[b, a] = rho[a, b], p[a, b]
    return RankCorrelation(names, n, rho, p)


def _residual(name: str, ranked: Ranked, held: "Array") -> "Array | Undefined":
    """Return what the held columns leave of a column's ranks, at length 1, or why nothing."""
    import numpy as np

    if ranked.ranks is None:
        return Undefined(ranked.reason)
    ranks = ranked.ranks.astype(np.float64)
    basis, sizes, _ = np.linalg.svd(held / np.linalg.norm(held, axis=0), full_matrices=False)
    basis = basis[:, sizes > sizes[0] * 1e-12]
    rest = ranks - basis @ (basis.T @ ranks)
    rest -= basis @ (basis.T @ rest)  # once more, against cancellation
    length = float(np.linalg.norm(rest))
    if length < _COLLINEAR * float(np.linalg.norm(ranks)):
        return Undefined(f"column {name!r} is determined by the given ones")
    return np.asarray(rest / length, dtype=np.float64)


def _pair(x: "Array | Undefined", y: "Array | Undefined", rows: int) -> tuple[Value, Value]:
    """Return rho and p of two residuals; the rows are already less the given columns."""
    if isinstance(x, Undefined):
        return x, x
    if isinstance(y, Undefined):
        return y, y
    rho = max(-1.0, min(1.0, float(x @ y)))
    unexplained = float(((x - y) @ (x - y)) * ((x + y) @ (x + y))) / 4  # 1 - rho^2 without cancellation
    if unexplained < 1e-24:
        return (1.0 if rho > 0 else -1.0), (0.0 if rows >= 3 else Undefined("no degree of freedom"))
    return rho, two_sided_p(min(unexplained, 1.0), rows)
