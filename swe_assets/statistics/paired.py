"""Two of anything over the same items: paired differences, McNemar's exact test."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from swe_assets.errors import InputError
from swe_assets.statistics.clustered_mean import clustered_mean
from swe_assets.statistics.estimate import quantile_of
from swe_assets.statistics.numeric import SMALLEST_P, equal_length, finite_numbers
from swe_assets.statistics.proportion import wilson_bounds
from swe_assets.statistics.undefined import Undefined, Value


@dataclass(frozen=True)
class PairedDifference:
    """The mean of a - b over n items with its error, t test and interval, and the unpaired error."""

    mean: float
    se: Value
    p: Value
    low: Value
    high: Value
    n: int
    df: int
    unpaired_se: float
    confidence: float
    defined: ClassVar[bool] = True


@dataclass(frozen=True)
class McNemar:
    """The exact test of two shares over the same items, and their difference with its interval."""

    p: float
    only_a: int
    only_b: int
    n: int
    difference: float
    low: float
    high: float
    defined: ClassVar[bool] = True


def paired_difference(
    a: Iterable[object],
    b: Iterable[object],
    *,
    clusters: Sequence[Hashable] | None = None,
    confidence: float = 0.95,
) -> PairedDifference | Undefined:
    """Return the mean difference of two measures of the same items, with the paired t test.

    Formula: d = a - b; se = sd(d) / sqrt(n); t = mean(d) / se with n - 1 degrees of freedom, two-sided p;
    interval mean -+ t se. With clusters se is ``clustered_mean``'s CR1 and the degrees of freedom are the
    clusters less 1. ``unpaired_se`` = sqrt(var(a)/n + var(b)/n), for comparison.
    Reading: what the items have in common drops out, so the paired error is mostly smaller: an unpaired
    reading may call a tie what is none.
    Undefined: fewer than 2 items or clusters; error, p and interval where all differences are equal.
    Raises InputError for missing values and lists of different lengths.
    Reference: Student (1908), doi:10.1093/biomet/6.1.1; E. Miller (2024), arXiv:2411.00640.

    >>> found = paired_difference([5, 4, 3, 5], [4, 4, 3, 4])
    >>> found.mean, round(found.se, 6), round(found.p, 6)
    (0.5, 0.288675, 0.18169)
    """
    import numpy as np
    from scipy.stats import t

    columns = {"a": finite_numbers(a, name="a"), "b": finite_numbers(b, name="b")}
    n = equal_length(columns)
    first, second = (np.array(column) for column in columns.values())
    labels = range(n) if clusters is None else clusters
    found = clustered_mean(first - second, labels)
    if isinstance(found, Undefined):
        return found
    apart = float(np.sqrt((first.var(ddof=1) + second.var(ddof=1)) / n))
    df, se = found.clusters - 1, found.cr1 if clusters is not None else found.naive_se
    if isinstance(se, Undefined):
        return PairedDifference(found.mean, se, se, se, se, n, df, apart, confidence)
    p = max(float(2 * t.sf(abs(found.mean / se), df)), SMALLEST_P)
    half = float(t.ppf(0.5 + confidence / 2, df)) * se
    return PairedDifference(found.mean, se, p, found.mean - half, found.mean + half, n, df, apart, confidence)


def mcnemar_exact(
    both: int, only_a: int, only_b: int, neither: int, *, confidence: float = 0.95
) -> McNemar | Undefined:
    """Return McNemar's exact test of two shares over the same items, by counts of the four cases.

    Formula: p = min(1, 2 P(X <= min(only_a, only_b))), X binomial over the only_a + only_b discordant
    items at 1/2; difference = (only_a - only_b) / n, its interval by Newcombe's hybrid of the two Wilson
    intervals with the correction phi for their correlation (method 10).
    Reading: only items that one has and the other has not speak; p is the chance of a split at least as
    uneven if both were equally good.
    Undefined: no item. Without a discordant item p is 1.
    Raises InputError for negative or fractional counts.
    Reference: Q. McNemar (1947), doi:10.1007/BF02295996; R. G. Newcombe (1998),
    doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C.

    >>> found = mcnemar_exact(50, 12, 3, 35)
    >>> found.p, found.difference, round(found.low, 4), round(found.high, 4)
    (0.03515625, 0.09, 0.0137, 0.164)
    """
    from scipy.stats import binom

    cells = both, only_a, only_b, neither
    if min(cells) < 0 or any(cell != int(cell) for cell in cells):
        raise InputError(f"counts {cells!r}: give whole numbers from 0")
    n = sum(cells)
    if n == 0:
        return Undefined("no item")
    p = min(1.0, 2 * float(binom.cdf(min(only_a, only_b), only_a + only_b, 0.5)))
    low, high = _newcombe(both, only_a, only_b, neither, confidence)
    return McNemar(max(p, SMALLEST_P), only_a, only_b, n, (only_a - only_b) / n, low, high)


def _newcombe(both: int, only_a: int, only_b: int, neither: int, confidence: float) -> tuple[float, float]:
    """Return Newcombe's interval (method 10) of the difference of two paired shares."""
    from math import sqrt

    n, z = both + only_a + only_b + neither, quantile_of(confidence)
    a, b = both + only_a, both + only_b
    (low_a, high_a), (low_b, high_b) = wilson_bounds(a, n, z), wilson_bounds(b, n, z)
    product = both * neither - only_a * only_b
    spread = sqrt(float(a) * (n - a) * b * (n - b))
    corrected = max(product - n / 2, 0) if product > 0 else product
    phi = corrected / spread if spread else 0.0
    gap = (a - b) / n
    below, above = (a / n - low_a, high_b - b / n), (high_a - a / n, b / n - low_b)
    low, high = (sqrt(max(x * x - 2 * phi * x * y + y * y, 0.0)) for x, y in (below, above))
    return max(gap - low, -1.0), min(gap + high, 1.0)
