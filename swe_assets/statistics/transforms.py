"""Transformations of a column before a regression."""

import math
from collections.abc import Iterable

from swe_assets.statistics.numeric import numbers
from swe_assets.statistics.undefined import Undefined, Value


def log1p(values: Iterable[object]) -> list[Value]:
    """Return the natural logarithm of 1 + x for each value of a count column.

    Formula: log1p(x) = ln(1 + x), accurate also for small x.
    Reading: 0 stays 0; a difference of 0.69 is a doubling of 1 + x.
    Undefined: x <= -1, and a missing or infinite value.
    Raises InputError for a value that is no number.
    Reference: M. S. Bartlett (1947), The use of transformations, doi:10.2307/3001536.

    >>> log1p([0, 1, -1])
    [0.0, 0.6931471805599453, Undefined(reason='log(1 + x) has no value at x = -1', infinite=False)]
    """
    return [
        math.log1p(x) if math.isfinite(x) and x > -1 else Undefined(f"log(1 + x) has no value at x = {x!r}")
        for x in numbers(values, name="values")
    ]
