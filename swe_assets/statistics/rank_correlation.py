"""Spearman's rank correlation of every pair of columns."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, ClassVar

from swe_assets.statistics.numeric import SMALLEST_P, Number, equal_length, first_missing, numbers
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class RankCorrelation:
    """Spearman's rho and p of every ordered pair of columns, the diagonal included (rho 1, p undefined)."""

    names: tuple[str, ...]
    n: int
    rho: Mapping[tuple[str, str], Value]
    p: Mapping[tuple[str, str], Value]
    defined: ClassVar[bool] = True


@dataclass(frozen=True)
class Ranked:
    """A column's doubled ranks less their mean, all integers, with their sum of squares; or why not."""

    ranks: "NDArray[np.int64] | None"
    squares: int
    reason: str


def spearman(columns: Mapping[str, Iterable[object]]) -> RankCorrelation:
    """Return Spearman's rank correlation and its two-sided p for every ordered pair of columns.

    Formula: rho = cov(R(x), R(y)) / (sd(R(x)) sd(R(y))) with average ranks R for ties; p from t = rho
    sqrt((n - 2) / (1 - rho^2)) with n - 2 degrees of freedom. Ranks are summed as integers, so rho is
    exactly 1 or -1 only where the ranks agree or oppose throughout, and 1 - rho^2 loses no digits.
    Reading: 1 and -1 are a monotone relation, 0 none; p is 0 only where abs(rho) is exactly 1, and a p
    too small for a float is given as the smallest positive float (an upper bound).
    Undefined: each pair of a column that is constant or has a missing value, that pair only; fewer than 2
    rows; p with fewer than 3 rows; p of a column with itself.
    Raises InputError for a value that is no number and for columns of different lengths. Text numbers are
    cast first.
    Reference: C. Spearman (1904), doi:10.2307/1412159; ties: M. G. Kendall (1945),
    doi:10.1093/biomet/33.3.239.

    >>> found = spearman({"a": ["10", "9", "100", "8"], "b": [2, 1, 4, 3], "k": [0, 0, 0, 0]})
    >>> found.rho["a", "b"], round(found.p["a", "b"], 6)
    (0.4, 0.6)
    >>> found.rho["a", "k"].reason
    "column 'k' is constant"
    """
    cast = {name: numbers(values, name=name) for name, values in columns.items()}
    n = equal_length(cast)
    ranked = {name: rank(name, values) for name, values in cast.items()}
    rho: dict[tuple[str, str], Value] = {}
    p: dict[tuple[str, str], Value] = {}
    for a, b in combinations_with_replacement(ranked, 2):
        rho[a, b], p[a, b] = _pair(ranked[a], ranked[b], n)
        if a == b:
            p[a, b] = Undefined("a column with itself has no test")
        rho[b, a], p[b, a] = rho[a, b], p[a, b]
    return RankCorrelation(tuple(cast), n, rho, p)


def rank(name: str, values: list[Number]) -> Ranked:
    """Return a column's doubled average ranks less their mean n + 1, or why it has none."""
    import numpy as np

    if len(values) < 2:
        return Ranked(None, 0, f"{len(values)} row(s), at least 2 are needed")
    missing = first_missing(values)
    if missing is not None:
        return Ranked(None, 0, f"column {name!r} has no value in row {missing}")
    _, group, counts = np.unique(np.array(values, dtype=object), return_inverse=True, return_counts=True)
    if len(counts) == 1:
        return Ranked(None, 0, f"column {name!r} is constant")
    doubled = ((2 * np.cumsum(counts) - counts + 1)[group] - (len(values) + 1)).astype(np.int64)
    return Ranked(doubled, int(doubled @ doubled), "")


def _pair(x: Ranked, y: Ranked, n: int) -> tuple[Value, Value]:
    """Return rho and p of two ranked columns."""
    if x.ranks is None or y.ranks is None:
        why = Undefined(x.reason or y.reason)
        return why, why
    product = int(x.ranks @ y.ranks)
    norm = x.squares * y.squares
    unexplained = norm - product * product
    rho = math.copysign(1.0, product) if unexplained == 0 else product / math.sqrt(norm)
    return rho, two_sided_p(Fraction(unexplained, norm), n)


def two_sided_p(unexplained: Fraction | float, n: int) -> Value:
    """Return P(abs(T) >= t) for 1 - rho^2 = unexplained, by the incomplete beta at (n - 2)/2 and 1/2."""
    from scipy.special import betainc

    if n < 3:
        return Undefined(f"{n} rows, at least 3 are needed for p")
    if unexplained == 0:
        return 0.0
    return max(float(betainc((n - 2) / 2, 0.5, float(unexplained))), SMALLEST_P)
