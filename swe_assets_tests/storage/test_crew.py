"""A crew leaves no thread behind, whatever goes wrong at its beginning or its end."""

import threading
import time
from collections.abc import Iterator

import pytest

from swe_assets.storage.crew import Crew


def slowly(item: int, _stop: threading.Event) -> Iterator[int]:
    """Do an item in a moment."""
    time.sleep(0.05)
    yield item


def test_a_thread_that_cannot_start_leaves_no_other_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system gives two threads of four, the two end before the error comes out."""
    start, before, started, done = threading.Thread.start, threading.active_count(), list[str](), list[int]()

    def limited(thread: threading.Thread) -> None:
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        started.append(thread.name)
        start(thread)

    def work(item: int, stop: threading.Event) -> Iterator[int]:
        done.append(item)
        yield from slowly(item, stop)

    monkeypatch.setattr(threading.Thread, "start", limited)
    with pytest.raises(RuntimeError, match="can't start"):
        list(Crew(work, range(1000), 4).results())
    assert threading.active_count() == before and len(done) < 10


@pytest.mark.parametrize("fails", [False, True])
def test_an_error_of_the_halt_waits_for_what_is_under_way(*, fails: bool) -> None:
    """Where halting goes wrong, after a worker's error or a closed iterator, the threads end all the same."""

    def work(item: int, stop: threading.Event) -> Iterator[int]:
        if fails and item == 1:
            raise ValueError("odd")
        yield from slowly(item, stop)

    def halt() -> None:
        raise OSError("halt failed")

    before = threading.active_count()
    going = Crew(work, range(1000), 3, halt).results()
    with pytest.raises(OSError, match="halt failed"):
        next(going)
        going.close() if not fails else list(going)
    assert threading.active_count() == before


def test_no_thread_at_all_is_started_before_results_are_asked_for() -> None:
    """A crew whose results nobody asks for costs no thread."""
    before = threading.active_count()
    Crew(slowly, range(3), 3).results().close()
    assert threading.active_count() == before
