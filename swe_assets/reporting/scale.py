"""Axes: where a value stands on a figure, and the round numbers that are written beside it."""

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """Maps values from low to high onto pixels from start to end, evenly or by their logarithm.

    Values beyond an end stand at that end; ``beyond`` tells.
    """

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """Return the pixel of a value."""
        low, high, place = (math.log(v) if self.log else v for v in (self.low, self.high, self._held(value)))
        return self.start + (self.end - self.start) * (place - low) / (high - low)

    def beyond(self, value: float) -> bool:
        """Return whether a value lies outside of the axis."""
        return not self.low <= value <= self.high

    def _held(self, value: float) -> float:
        return min(max(value, self.low), self.high)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return at most so many round numbers (1, 2 or 5 times a power of ten) from low to high.

    >>> ticks(-0.23, 0.31, 6)
    [-0.2, -0.1, 0.0, 0.1, 0.2, 0.3]
    """
    if not high > low:
        return [low]
    power = math.floor(math.log10((high - low) / most))
    for step in (part * 10.0**exponent for exponent in (power, power + 1) for part in (1, 2, 5, 10)):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first < most:
            break
    return [round((first + n) * step, 12) + 0.0 for n in range(last - first + 1)] or [low]


def log_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return at most so many round numbers from low to high (both above 0) for a logarithmic axis.

    >>> log_ticks(0.3, 12)
    [0.5, 1.0, 2.0, 5.0, 10.0]
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for steps in ((1, 2, 5), (1, 3), (1,)):
        found = [float(f"{s}e{e}") for e in range(first, last + 1) for s in steps]
        found = [value for value in found if low <= value <= high]
        if len(found) <= most:
            return found or [low]
    return found[:: math.ceil(len(found) / most)]


def spanned(
    values: Iterable[float], *, around: float | None = None, share: float = 0.06
) -> tuple[float, float]:
    """Return the ends of an axis that holds all values with a little room, also ``around`` where given.

    >>> spanned([1.0, 2.0], share=0.5)
    (0.5, 2.5)
    """
    held = [*values, *([] if around is None else [around])] or [0.0, 1.0]
    low, high = min(held), max(held)
    room = (high - low) * share or abs(high) * share or 1.0
    return low - room, high + room


def short(value: float) -> str:
    """Return a tick's number as it is written: no needless zeros, thousands as k, millions as M.

    >>> [short(v) for v in (0.5, 10.0, 2500.0, 3e6, -0.1)]
    ['0.5', '10', '2.5k', '3M', '−0.1']
    """
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{letter}".replace("-", "−")
    return f"{value:.3g}".replace("-", "−")
