"""Tests of where time is counted, on a clock that the tests move."""

from collections.abc import Iterator

import pytest

from benchmarks import split as module
from benchmarks.effort import Effort
from benchmarks.split import Split


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def read(self) -> Effort:
        """Return wall and CPU as they stand, the CPU at half the wall."""
        return Effort(self.seconds, self.seconds / 2)

    def move(self, seconds: float) -> None:
        """Let time pass."""
        self.seconds += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Give the clock that the split reads."""
    made = Clock()
    monkeypatch.setattr(module, "now", made.read)
    return made


def new_split(clock: Clock) -> Split:
    """Return a split that starts now."""
    return Split(_since=clock.read())


def parts(split: Split) -> dict[tuple[str, str], float]:
    """Return the wall seconds by stage and part, those without any left out."""
    return {(row["stage"], row["part"]): row["wall"] for row in split.record() if row["wall"]}


def test_inner_part_does_not_count_for_the_outer(clock: Clock) -> None:
    """What passes in an inner part is the inner's alone."""
    split = new_split(clock)
    with split.part("outer"):
        clock.move(1)
        with split.part("inner"):
            clock.move(2)
        clock.move(4)
    clock.move(8)
    assert parts(split) == {
        ("start and end", "outer"): 5,
        ("start and end", "inner"): 2,
        ("start and end", "program"): 8,
    }


def test_stages_are_told_apart(clock: Clock) -> None:
    """The same part counts for the stage it ran in."""
    split = new_split(clock)
    for seconds, stage in ((1, "a"), (2, "b")):
        with split.during(stage), split.part("p"):
            clock.move(seconds)
    assert parts(split) == {("a", "p"): 1, ("b", "p"): 2}


def test_generator_counts_its_own_work_alone(clock: Clock) -> None:
    """The consumer's time between two values is not the generator's, and every value comes through."""

    def numbers() -> Iterator[int]:
        for number in (1, 2):
            clock.move(3)
            yield number

    split = new_split(clock)
    received = []
    for number in split.generator("made", numbers)():
        received.append(number)
        clock.move(10)
    assert received == [1, 2]
    assert parts(split) == {("start and end", "made"): 6, ("start and end", "program"): 20}


def test_function_gives_back_what_it_wraps(clock: Clock) -> None:
    """A timed function takes the same arguments and gives the same result."""

    def add(left: int, *, right: int) -> int:
        clock.move(1)
        return left + right

    split = new_split(clock)
    assert split.function("sum", add)(2, right=3) == 5
    assert parts(split) == {("start and end", "sum"): 1}


def test_error_ends_the_part(clock: Clock) -> None:
    """A part that ends by an error is closed like any other."""
    split = new_split(clock)
    with pytest.raises(ValueError, match="odd"), split.part("broken"):
        raise ValueError("odd")
    clock.move(1)
    assert parts(split) == {("start and end", "program"): 1}


def test_processor_time_is_counted_beside(clock: Clock) -> None:
    """Each row also has the processor's seconds."""
    split = new_split(clock)
    clock.move(4)
    assert [(row["wall"], row["cpu"]) for row in split.record()] == [(4, 2)]


def test_reset_forgets(clock: Clock) -> None:
    """After a reset only what follows counts."""
    split = new_split(clock)
    clock.move(4)
    split.reset()
    clock.move(1)
    assert parts(split) == {("start and end", "program"): 1}
