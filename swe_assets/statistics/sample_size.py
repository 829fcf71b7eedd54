"""Whether a sample is large enough for a binary regression."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

from swe_assets.statistics.design import binary
from swe_assets.statistics.undefined import Undefined

Level = Literal["too few", "few", "enough"]


@dataclass(frozen=True)
class EventsPerVariable:
    """The rarer class's size per predictor, with its reading."""

    events: int
    predictors: int
    value: float
    level: Level
    defined: ClassVar[bool] = True


def epv(outcome: Iterable[object], predictors: int) -> EventsPerVariable | Undefined:
    """Return the events per variable of a binary outcome: the rarer class counts as the event.

    Formula: EPV = min(#1, #0) / predictors, the intercept not counted.
    Reading: from 10 "enough" (Peduzzi), from 5 "few" (Vittinghoff and McCulloch), below 5 "too few".
    Undefined: no predictor, or no rows. One class gives 0 events, which is a value.
    Raises InputError for an outcome other than 0 and 1.
    Reference: P. Peduzzi et al. (1996), doi:10.1016/S0895-4356(96)00236-3; E. Vittinghoff, C. E.
    McCulloch (2007), doi:10.1093/aje/kwk052.

    >>> epv([1, 1, 1] + [0] * 97, 4)
    EventsPerVariable(events=3, predictors=4, value=0.75, level='too few')
    """
    values = binary(outcome)
    if predictors < 1:
        return Undefined(f"{predictors} predictors, at least 1 is needed")
    if not values:
        return Undefined("no rows")
    events = min(int(sum(values)), len(values) - int(sum(values)))
    value = events / predictors
    level: Level = "enough" if value >= 10 else "few" if value >= 5 else "too few"
    return EventsPerVariable(events, predictors, value, level)
