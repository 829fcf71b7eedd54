"""The mean of items that come in clusters, with its naive and its cluster-robust standard errors."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from swe_assets.statistics.numeric import finite_numbers
from swe_assets.statistics.resampling import groups_of
from swe_assets.statistics.undefined import Undefined, Value


@dataclass(frozen=True)
class ClusteredMean:
    """A mean with three standard errors: naive, cluster-robust, and that with the small-sample factor."""

    mean: float
    naive_se: Value
    cr0: Value
    cr1: Value
    n: int
    clusters: int
    defined: ClassVar[bool] = True


def clustered_mean(scores: Iterable[object], clusters: Sequence[Hashable]) -> ClusteredMean | Undefined:
    """Return the mean of scores with its standard errors, clusters of scores being alike.

    Formula: naive = sd / sqrt(n); CR0 = sqrt(sum over clusters of (sum of deviations)^2) / n; CR1 = CR0
    sqrt(G / (G - 1)), G clusters (for a mean the factor (n - 1)/(n - k) is 1).
    Reading: where scores of a cluster agree, the naive error is too small; take CR1, with t at G - 1
    degrees of freedom. With few clusters (below about 20) all of them are rough.
    Undefined: fewer than 2 scores or clusters; an error where all scores are equal, or where the
    deviations of each cluster cancel.
    Raises InputError for missing scores and labels that are not one a score.
    Reference: K.-Y. Liang, S. L. Zeger (1986), doi:10.1093/biomet/73.1.13; E. Miller (2024),
    arXiv:2411.00640.

    >>> found = clustered_mean([1, 1, 0, 0, 1, 0], "aabbcc")
    >>> found.mean, round(found.naive_se, 6), round(found.cr1, 6)
    (0.5, 0.223607, 0.288675)
    """
    import numpy as np

    values = np.array(finite_numbers(scores, name="scores"))
    group = groups_of(clusters, len(values))
    n, count = len(values), int(group.max()) + 1 if len(values) else 0
    if count < 2:
        return Undefined(f"{n} score(s) in {count} cluster(s), at least 2 of both are needed")
    mean = float(values.mean())
    deviation = values - mean
    sums = np.bincount(group, deviation)
    naive = float(np.sqrt((deviation**2).sum() / (n - 1) / n))
    cr0 = float(np.sqrt((sums**2).sum())) / n
    flat = 1e-14 * max(float(np.abs(values).max()), 1e-300)
    errors = [
        error if error > flat else Undefined(why)
        for error, why in (
            (naive, f"all {n} scores are {values[0]:g}"),
            (cr0, "the deviations of each cluster cancel"),
            (cr0 * (count / (count - 1)) ** 0.5, "the deviations of each cluster cancel"),
        )
    ]
    return ClusteredMean(mean, errors[0], errors[1], errors[2], n, count)
