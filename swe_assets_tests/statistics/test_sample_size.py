"""Events per variable, and the log of counts."""

import pytest

from swe_assets.errors import InputError
from swe_assets.statistics import Undefined, epv, log1p
from swe_assets.statistics.sample_size import EventsPerVariable


@pytest.mark.parametrize(
    ("resolved", "n", "value", "level"),
    [(14, 500, 3.5, "too few"), (373, 500, 31.75, "enough"), (20, 100, 5.0, "few"), (40, 90, 10.0, "enough")],
)
def test_rarer_class_over_four_predictors(resolved: int, n: int, value: float, level: str) -> None:
    """The rarer class counts, resolved or not; the levels begin at 5 and at 10."""
    found = epv([1] * resolved + [0] * (n - resolved), 4)
    assert isinstance(found, EventsPerVariable)
    assert (found.value, found.level) == (value, level)


def test_one_class_has_no_events() -> None:
    """With one class there are 0 events, which is a value and too few."""
    assert epv([1, 1], 4) == EventsPerVariable(0, 4, 0.0, "too few")


def test_undefined() -> None:
    """Without predictors or rows there is no ratio."""
    assert epv([0, 1], 0) == Undefined("0 predictors, at least 1 is needed")
    assert epv([], 4) == Undefined("no rows")


def test_outcome_must_be_binary() -> None:
    """Another outcome than 0 and 1 is refused."""
    with pytest.raises(InputError, match="neither 0 nor 1"):
        epv([0, 0.5], 4)


def test_log1p() -> None:
    """Zero stays zero; at -1 and below, and without a value, there is no logarithm."""
    found = log1p([0, "1", -1, None])
    assert found[:2] == [0.0, pytest.approx(0.6931471805599453)]
    assert all(isinstance(value, Undefined) for value in found[2:])
