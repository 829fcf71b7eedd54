"""A clock that jumps: threads that wait on it take no time, and it moves on once all of them wait."""

import heapq
import threading
from collections.abc import Callable


class SimulatedClock:
    """Seconds that pass only while each of ``threads`` threads waits; a stop wakes waiting threads."""

    def __init__(self, threads: int = 1) -> None:
        self.now = 1000.0
        self.alive = threads
        self._wakes: list[tuple[float, int]] = []
        self._order = 0
        self._moved = threading.Condition()

    def __call__(self) -> float:
        """Return the seconds that have passed."""
        return self.now

    def wait(self, stop: threading.Event, seconds: float) -> bool:
        """Wait so many simulated seconds; return whether stop is set."""
        with self._moved:
            self._order += 1
            mine = (self.now + max(0.0, seconds), self._order)
            heapq.heappush(self._wakes, mine)
            self._advance()
            while mine in self._wakes and not stop.is_set():
                self._moved.wait(0.01 if stop.is_set() else 0.2)
            if mine in self._wakes:
                self._wakes.remove(mine)
                heapq.heapify(self._wakes)
        return stop.is_set()

    def ended(self) -> None:
        """Say that one thread waits no more."""
        with self._moved:
            self.alive -= 1
            self._advance()

    def _advance(self) -> None:
        """Wake the thread whose moment is next, once no thread is awake."""
        if self._wakes and len(self._wakes) >= self.alive:
            moment, _order = heapq.heappop(self._wakes)
            self.now = max(self.now, moment)
            self._moved.notify_all()


def in_threads(clock: SimulatedClock, work: Callable[[int], None], threads: int) -> None:
    """Run work(0), work(1), … in so many threads on the clock, and raise the first error of any."""
    errors: list[BaseException] = []

    def run(number: int) -> None:
        try:
            work(number)
        except BaseException as wrong:  # handed on below
            errors.append(wrong)
        finally:
            clock.ended()

    clock.alive = threads
    started = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    if errors:
        raise errors[0]
