"""Intervals of a share of successes."""

from swe_assets.errors import InputError
from swe_assets.statistics.estimate import Estimate, quantile_of
from swe_assets.statistics.undefined import Undefined


def wilson_interval(right: int, n: int, *, confidence: float = 0.95) -> Estimate | Undefined:
    """Return a share with Wilson's score interval.

    Formula: (p + z^2/2n -+ z sqrt(p (1 - p)/n + z^2/4n^2)) / (1 + z^2/n), p = right/n.
    Reading: shares that a score test would not reject. It has a width also at 0 and at n successes, where
    a bootstrap or Wald interval has none.
    Undefined: n = 0.
    Raises InputError where not 0 <= right <= n, or for confidence outside 0 to 1.
    Reference: E. B. Wilson (1927), doi:10.1080/01621459.1927.10502953.

    >>> found = wilson_interval(20, 20)
    >>> found.value, round(found.low, 6), found.high
    (1.0, 0.838875, 1.0)
    """
    _check(right, n)
    z = quantile_of(confidence)
    if n == 0:
        return Undefined("a share of 0 trials")
    low, high = wilson_bounds(right, n, z)
    return Estimate(value=right / n, low=low, high=high, n=n, method="Wilson score", confidence=confidence)


def wilson_bounds(right: int, n: int, z: float) -> tuple[float, float]:
    """Return Wilson's bounds for at least one trial, at the normal quantile z; see ``wilson_interval``."""
    share = right / n
    centre = share + z * z / (2 * n)
    half = z * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    low = 0.0 if right == 0 else (centre - half) / (1 + z * z / n)
    high = 1.0 if right == n else (centre + half) / (1 + z * z / n)
    return low, high


def clopper_pearson_interval(right: int, n: int, *, confidence: float = 0.95) -> Estimate | Undefined:
    """Return a share with the exact interval of Clopper and Pearson.

    Formula: low the a/2 quantile of Beta(right, n - right + 1), high the 1 - a/2 quantile of
    Beta(right + 1, n - right), a = 1 - confidence; 0 and 1 at the ends.
    Reading: covers at least as often as it says, for any share; wider than Wilson's.
    Undefined: n = 0.
    Raises InputError where not 0 <= right <= n, or for confidence outside 0 to 1.
    Reference: C. J. Clopper, E. S. Pearson (1934), doi:10.1093/biomet/26.4.404.

    >>> round(clopper_pearson_interval(20, 20).low, 6)  # 0.025 ** (1 / 20)
    0.831567
    """
    from scipy.special import betaincinv

    _check(right, n)
    quantile_of(confidence)
    if n == 0:
        return Undefined("a share of 0 trials")
    tail = (1 - confidence) / 2
    low = 0.0 if right == 0 else float(betaincinv(right, n - right + 1, tail))
    high = 1.0 if right == n else float(betaincinv(right + 1, n - right, 1 - tail))
    return Estimate(value=right / n, low=low, high=high, n=n, method="Clopper-Pearson", confidence=confidence)


def _check(right: int, n: int) -> None:
    """Raise InputError where the counts are none."""
    if not 0 <= right <= n or right != int(right) or n != int(n):
        raise InputError(f"{right!r} successes of {n!r}; give whole numbers with 0 <= successes <= trials")
