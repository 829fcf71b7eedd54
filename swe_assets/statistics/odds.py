"""From log odds to odds ratios."""

import math

from swe_assets.statistics.undefined import Undefined, Value

_LARGEST = 700  # log odds whose exponential a float holds


def ratio(value: Value) -> Value:
    """Return exp(log odds), or that it is beyond what a float holds.

    >>> ratio(0.0), ratio(800.0).infinite
    (1.0, True)
    """
    if isinstance(value, Undefined):
        return value
    if abs(value) > _LARGEST:
        return Undefined(f"exp({value:.6g}) is beyond a float", infinite=value > 0)
    return math.exp(value)
