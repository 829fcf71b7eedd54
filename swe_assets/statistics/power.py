"""What difference a sample could have shown: minimal detectable effects at a power."""

import math

from swe_assets.errors import InputError
from swe_assets.statistics.estimate import quantile_of
from swe_assets.statistics.undefined import Undefined, Value


def detectable_rate_difference(
    n_a: int, n_b: int, rate: float, *, power: float = 0.8, alpha: float = 0.05
) -> Value:
    """Return the smallest rise of a rate that two samples of their sizes would show with a power.

    Formula: the d > 0 with d = z_(1 - alpha/2) sqrt(q (1 - q)(1/n_a + 1/n_b)) + z_power sqrt(r (1 - r)/n_a +
    (r + d)(1 - r - d)/n_b), r the rate of a, q the pooled rate.
    Reading: a true difference smaller than this would mostly have been missed: not to have found one says
    nothing about it. A fall from r is a rise from 1 - r.
    Undefined: where not even a rise to 1 would be shown; samples below 2.
    Raises InputError for a rate, power or alpha that is no share.
    Reference: J. L. Fleiss, B. Levin, M. C. Paik (2003), doi:10.1002/0471445428, chapter 4.

    >>> round(detectable_rate_difference(500, 500, 0.5), 4)
    0.0881
    """
    from scipy.optimize import brentq

    z, z_power = _quantiles(power, alpha)
    _share(rate, "rate")
    if min(n_a, n_b) < 2:
        return Undefined(f"samples of {n_a} and {n_b}, at least 2 are needed")

    def short(d: float) -> float:
        pooled = (n_a * rate + n_b * (rate + d)) / (n_a + n_b)
        null = math.sqrt(max(pooled * (1 - pooled), 0.0) * (1 / n_a + 1 / n_b))
        true = math.sqrt(rate * (1 - rate) / n_a + max((rate + d) * (1 - rate - d), 0.0) / n_b)
        return d - z * null - z_power * true

    if rate == 1 or short(1 - rate) < 0:
        return Undefined(f"not even a rise from {rate:g} to 1 would be shown")
    return float(brentq(short, 0.0, 1 - rate, xtol=1e-12))


def detectable_paired_difference(
    n: int, discordant: float, *, power: float = 0.8, alpha: float = 0.05
) -> Value:
    """Return the smallest difference of two rates over the same n items that McNemar's test would show.

    Formula: the d with sqrt(n) d = z_(1 - alpha/2) sqrt(q) + z_power sqrt(q - d^2), q the share of discordant
    items.
    Reading: as ``detectable_rate_difference``; the fewer items the two differ in, the less it takes.
    Undefined: where it would need more than all discordant items to go one way; fewer than 2 items.
    Raises InputError for a share of discordant items, power or alpha outside 0 to 1.
    Reference: R. J. Connor (1987), doi:10.2307/2531961.

    >>> round(detectable_paired_difference(500, 0.15), 4)
    0.0484
    """
    z, z_power = _quantiles(power, alpha)
    _share(discordant, "discordant")
    if n < 2:
        return Undefined(f"{n} items, at least 2 are needed")
    # (sqrt(n) d - z sqrt(q))^2 = z_power^2 (q - d^2), the larger root
    a, b = n + z_power**2, -2 * math.sqrt(n * discordant) * z
    c = (z**2 - z_power**2) * discordant
    inside = b * b - 4 * a * c
    d = (-b + math.sqrt(inside)) / (2 * a) if inside >= 0 else math.inf
    if not 0 < d < discordant:
        return Undefined(f"with {discordant:g} of the items discordant no difference would be shown")
    return d


def detectable_rho(n: int, *, power: float = 0.8, alpha: float = 0.05) -> Value:
    """Return the smallest Spearman correlation that n rows would show with a power.

    Formula: tanh((z_(1 - alpha/2) + z_power) sqrt(1.06 / (n - 3))).
    Reading: a weaker relation would mostly have been missed.
    Undefined: fewer than 4 rows.
    Raises InputError for a power or alpha outside 0 to 1.
    Reference: E. C. Fieller, H. O. Hartley, E. S. Pearson (1957), doi:10.1093/biomet/44.3-4.470.

    >>> round(detectable_rho(500), 4)
    0.1287
    """
    z, z_power = _quantiles(power, alpha)
    if n < 4:
        return Undefined(f"{n} rows, at least 4 are needed")
    return math.tanh((z + z_power) * math.sqrt(1.06 / (n - 3)))


def detectable_odds_ratio(
    n: int, rate: float, *, vif: float = 1.0, power: float = 0.8, alpha: float = 0.05
) -> Value:
    """Return the smallest odds ratio (above 1) a standard deviation that a logit of n rows would show.

    Formula: exp((z_(1 - alpha/2) + z_power) sqrt(vif / (n r (1 - r)))), r the rate of outcome 1, vif the
    predictor's variance inflation factor.
    Reading: an effect nearer to 1 would mostly have been missed; its inverse is as hard to show.
    Undefined: one class only (r = 0 or 1), fewer than 2 rows.
    Raises InputError for a rate, power or alpha that is no share, or a vif below 1.
    Reference: F. Y. Hsieh, D. A. Bloch, M. D. Larsen (1998),
    doi:10.1002/(SICI)1097-0258(19980730)17:14<1623::AID-SIM871>3.0.CO;2-S.

    >>> round(detectable_odds_ratio(500, 0.25), 4)
    1.3356
    """
    z, z_power = _quantiles(power, alpha)
    _share(rate, "rate")
    if not 1 <= vif < math.inf:
        raise InputError(f"vif {vif!r}: give a factor from 1")
    if n < 2 or rate in (0, 1):
        return Undefined(f"{n} rows at a rate of {rate:g}")
    return math.exp((z + z_power) * math.sqrt(vif / (n * rate * (1 - rate))))


def _quantiles(power: float, alpha: float) -> tuple[float, float]:
    """Return the normal quantiles of a two-sided alpha and of a power above one half."""
    from statistics import NormalDist

    if not 0.5 <= power < 1:
        raise InputError(f"power {power!r}: give a share from 0.5 to below 1, such as 0.8")
    return quantile_of(1 - alpha), NormalDist().inv_cdf(power)


def _share(value: float, name: str) -> None:
    """Raise InputError where a share is none."""
    if not 0 <= value <= 1:
        raise InputError(f"{name} {value!r}: give a share from 0 to 1")
