"""Numbers out of answers that may be undefined, for tests that know they are not."""

from typing import Any, NamedTuple, TypeVar

from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.undefined import Undefined, Value

Answer = TypeVar("Answer")


class Numbers(NamedTuple):
    """An estimate's value and bounds."""

    value: float
    low: float
    high: float


def number(found: Value) -> float:
    """Return a value that is a number."""
    assert not isinstance(found, Undefined), found
    return found


def numbers_of(found: Estimate | Undefined) -> Numbers:
    """Return the value and bounds of an estimate that has them all."""
    assert isinstance(found, Estimate), found
    return Numbers(found.value, number(found.low), number(found.high))


def answer(found: Answer | Undefined, *names: str) -> Any:
    """Return an answer that is defined, or the named attributes of it as a list."""
    assert not isinstance(found, Undefined), found
    return [getattr(found, name) for name in names] if names else found
