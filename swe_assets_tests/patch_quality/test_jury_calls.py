"""A jury is asked at once: nobody waits for another judge, and a stop ends the waits of all."""

import threading

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.llm.outcomes import CallsCancelledError
from swe_assets.patch_quality.jury_calls import each_judge
from swe_assets.storage.stage import StageStoppedError


def test_judges_are_asked_at_once_and_told_in_order() -> None:
    """Three judges that wait for each other all answer, in the order in which the study names them."""
    meeting, later = threading.Barrier(3, timeout=30), threading.Event()

    def ask(name: str) -> str:
        meeting.wait()
        assert name != "a" or later.wait(30)
        later.set() if name == "c" else None
        return name.upper()

    found = each_judge(["a", "b", "c"], ask, lambda: None)
    assert list(found.items()) == [("a", "A"), ("b", "B"), ("c", "C")]


def test_one_judge_that_cannot_be_asked_ends_the_waits_of_the_others() -> None:
    """A missing key stops the stage in its words, and a judge that waits to try again is not waited out."""
    stopped = threading.Event()

    def ask(name: str) -> str:
        if name == "keyless":
            raise ConfigurationError("no key")
        assert stopped.wait(30)
        raise CallsCancelledError("cancelled")

    with pytest.raises(StageStoppedError, match="no key"):
        each_judge(["patient", "keyless"], ask, stopped.set)


def test_a_fault_of_one_judge_stops_no_call() -> None:
    """What is no stop, such as a fault of the program, is the instance's own and leaves the run alone."""
    stopped = threading.Event()

    def ask(name: str) -> str:
        raise ValueError(name)

    with pytest.raises(ValueError, match="odd"):
        each_judge(["odd"], ask, stopped.set)
    assert not stopped.is_set()
