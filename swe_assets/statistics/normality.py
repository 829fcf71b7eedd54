"""The Shapiro-Wilk test of normality."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from swe_assets.statistics.numeric import as_float, numbers
from swe_assets.statistics.undefined import Undefined

ACCURATE_UP_TO = 5000


@dataclass(frozen=True)
class Normality:
    """W, p and verdict of a Shapiro-Wilk test over n values; a note where p is not accurate."""

    n: int
    w: float
    p: float
    normal: bool
    note: str
    defined: ClassVar[bool] = True


def shapiro_wilk(values: Iterable[object], *, alpha: float = 0.05) -> Normality | Undefined:
    """Return the Shapiro-Wilk W and p of one column, with the verdict at ``alpha``.

    Formula: W = (sum a_i x_(i))^2 / sum (x_i - mean)^2, x_(i) the sorted values and a_i Royston's
    weights; p from Royston's normal approximation. Values are first shifted and scaled to the unit
    interval, which leaves W as it is.
    Reading: W near 1 looks normal; p < alpha rejects normality (``normal`` is false). With more than 5000
    values p is not accurate, and ``note`` says so.
    Undefined: fewer than 3 values, all values equal, a missing or infinite value.
    Raises InputError for a value that is no number.
    Reference: S. S. Shapiro, M. B. Wilk (1965), doi:10.1093/biomet/52.3-4.591; P. Royston (1995), AS R94,
    doi:10.2307/2986146.

    >>> found = shapiro_wilk([1, 1, 2, 2, 3, 4, 6, 9, 15, 40])
    >>> round(found.w, 4), round(found.p, 6), found.normal
    (0.6534, 0.000241, False)
    >>> shapiro_wilk([1, 2]).reason
    '2 value(s), at least 3 are needed'
    """
    column = [as_float(value) for value in numbers(values, name="values")]
    n = len(column)
    unusable = next((row for row, value in enumerate(column, start=1) if not math.isfinite(value)), None)
    if unusable is not None:
        return Undefined(f"row {unusable} holds {column[unusable - 1]!r}, which is not a finite number")
    if n < 3:
        return Undefined(f"{n} value(s), at least 3 are needed")
    if min(column) == max(column):
        return Undefined("all values are equal")
    w, p = _royston(column)
    note = "" if n <= ACCURATE_UP_TO else f"p is not accurate for more than {ACCURATE_UP_TO} values (n = {n})"
    return Normality(n, w, p, p >= alpha, note)


def _royston(column: list[float]) -> tuple[float, float]:
    """Return W and p of values brought to the unit interval, where nothing overflows."""
    import warnings

    from scipy.stats import shapiro

    half = [value / 2 for value in column]  # a range of two extreme floats would overflow
    low = min(half)
    spread = max(half) - low
    unit = [(value - low) / spread for value in half] if spread else [float(v > min(column)) for v in column]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # n > 5000 is said in our own note
        found = shapiro(unit)
    return min(float(found.statistic), 1.0), float(found.pvalue)
