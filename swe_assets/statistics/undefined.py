"""The typed answer of a statistic that has no value for its input."""

from dataclasses import dataclass
from typing import ClassVar, TypeAlias


@dataclass(frozen=True)
class Undefined:
    """A statistic without a value, and why; it is no number, so arithmetic with it raises TypeError.

    ``infinite`` is true where the limit is known to be infinity (a perfectly collinear predictor's VIF).

    >>> Undefined("all values are equal").defined
    False
    """

    reason: str
    infinite: bool = False
    defined: ClassVar[bool] = False

    def __str__(self) -> str:
        """Return the reason in one line."""
        return f"undefined: {self.reason}"


Value: TypeAlias = float | Undefined
