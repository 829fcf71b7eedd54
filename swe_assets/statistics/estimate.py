"""A number with its interval, and what the interval was made by."""

from dataclasses import dataclass
from typing import ClassVar

from swe_assets.errors import InputError
from swe_assets.statistics.undefined import Undefined, Value

NO_ERROR = Undefined("this method has no standard error")


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A value over n units with an interval at a confidence; the method says what was really done.

    ``se`` is the standard error where the method has one. ``draws``, ``seed`` and ``undefined_draws``
    describe a bootstrap (0 and None elsewhere). ``note`` says what a reader must know besides.

    >>> Estimate(value=0.7, low=0.5, high=0.9, n=20, method="wilson").width
    0.4
    """

    value: float
    low: Value
    high: Value
    n: int
    method: str
    confidence: float = 0.95
    se: Value = NO_ERROR
    draws: int = 0
    seed: int | None = None
    undefined_draws: int = 0
    note: str = ""
    defined: ClassVar[bool] = True

    @property
    def width(self) -> Value:
        """Return the interval's width, or why it has none."""
        for bound in (self.low, self.high):
            if isinstance(bound, Undefined):
                return bound
        return float(self.high) - float(self.low)  # type: ignore[arg-type] # both are floats by now


def quantile_of(confidence: float) -> float:
    """Return the normal quantile of a two-sided interval; raises InputError outside 0 to 1.

    >>> round(quantile_of(0.95), 6)
    1.959964
    """
    from statistics import NormalDist

    if not 0 < confidence < 1:
        raise InputError(f"confidence {confidence!r}: give a share between 0 and 1, such as 0.95")
    return NormalDist().inv_cdf(0.5 + confidence / 2)
