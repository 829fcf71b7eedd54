"""Axes: round numbers, ends that hold the values, places of values."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swe_assets.reporting.scale import Scale, log_ticks, short, spanned, ticks

SPANS = st.tuples(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@given(SPANS, st.integers(3, 9))
def test_ticks_are_few_within_and_evenly_spaced(span: tuple[float, float], most: int) -> None:
    """Ticks lie within the axis, are at most as many as asked, and are evenly spaced."""
    low, high = span
    found = ticks(low, high, most)
    room = 1e-6 * (high - low)
    assert 1 <= len(found) <= most and all(low - room <= value <= high + room for value in found)
    steps = [b - a for a, b in pairwise(found)]
    assert all(math.isclose(step, steps[0], rel_tol=1e-3) for step in steps)


@given(st.floats(1e-6, 1e3), st.floats(1.5, 1e6))
def test_log_ticks_lie_within(low: float, factor: float) -> None:
    """Ticks of a logarithmic axis lie within it and are few."""
    found = log_ticks(low, low * factor, 6)
    assert 1 <= len(found) <= 6 and all(low <= value <= low * factor for value in found)


def test_an_empty_axis_has_one_tick() -> None:
    """Where low and high are one value that value is the tick."""
    assert ticks(2.0, 2.0) == [2.0]


@given(st.lists(st.floats(-1e9, 1e9), max_size=5), st.floats(-1e9, 1e9))
def test_ends_hold_every_value(values: list[float], around: float) -> None:
    """The axis holds every value and the one around which it is, and is never empty."""
    low, high = spanned(values, around=around)
    assert low < high and all(low <= value <= high for value in (*values, around))


@pytest.mark.parametrize("log", [False, True])
def test_places(log: bool) -> None:
    """Both ends stand at their pixels, and values beyond an end at that end."""
    scale = Scale(1.0, 100.0, 10.0, 210.0, log)
    assert [scale.at(value) for value in (1.0, 100.0, 0.5, 1e9)] == [10.0, 210.0, 10.0, 210.0]
    assert scale.at(10.0) == (110.0 if log else pytest.approx(10 + 200 * 9 / 99))
    assert scale.beyond(0.5) and not scale.beyond(100.0)


@pytest.mark.parametrize(("value", "said"), [(0.05, "0.05"), (1200.0, "1.2k"), (-2e6, "−2M"), (0.0, "0")])
def test_numbers_of_an_axis_are_short(value: float, said: str) -> None:
    """Thousands and millions are abbreviated, the sign is a minus."""
    assert short(value) == said
