"""Work that several threads do at once, whose results one thread takes in order of completion."""

import logging
import threading
from collections.abc import Callable, Generator, Iterable
from contextvars import copy_context
from queue import SimpleQueue
from typing import Generic, TypeVar

logger = logging.getLogger(__name__)

T = TypeVar("T")
R = TypeVar("R")


class Crew(Generic[T, R]):
    """Threads that share a list of items; each does ``work`` for one item at a time.

    ``results`` yields what comes, in the thread that asks for it. Once ``stop`` is set no further item is
    begun; it is set by the first error of a worker, and when the asking thread is interrupted or closes the
    iterator. Then ``halt`` is called, which may end waits inside the work, and what is under way comes to
    its end before the iterator does. Workers see the context variables of the thread that made the crew.
    """

    def __init__(
        self,
        work: Callable[[T, threading.Event], Iterable[R]],
        items: Iterable[T],
        count: int,
        halt: Callable[[], None] = lambda: None,
    ) -> None:
        self._work, self._halt = work, halt
        self._items, self._lock = iter(items), threading.Lock()
        self._came: SimpleQueue[R | BaseException | None] = SimpleQueue()
        self.stop = threading.Event()
        self._threads = [
            threading.Thread(target=copy_context().run, args=(self._run,), daemon=True, name=f"crew-{number}")
            for number in range(max(1, count))
        ]

    def results(self) -> Generator[R, None, None]:
        """Start the workers and yield their results; raise the first error once all have come to an end."""
        first: BaseException | None = None
        working = 1
        try:
            for thread in self._threads:
                thread.start()
            working = len(self._threads)
            while working:
                came = self._came.get()
                if came is None:
                    working -= 1
                elif isinstance(came, BaseException):
                    first = first or came
                    self._end()
                else:
                    yield came
        finally:
            if working:
                self._leave()
        if first is not None:
            raise first

    def _leave(self) -> None:
        """Let what is under way come to its end, whatever goes wrong; a second interruption gives it up."""
        try:
            self._end()
        finally:
            busy = [thread for thread in self._threads if thread.is_alive()]
            if busy:
                logger.warning("stopping: what %d threads have under way is waited for and kept", len(busy))
            for thread in busy:
                thread.join()

    def _end(self) -> None:
        if not self.stop.is_set():
            self.stop.set()
            self._halt()

    def _next(self) -> tuple[T] | None:
        with self._lock:
            return None if self.stop.is_set() else next(((item,) for item in self._items), None)

    def _run(self) -> None:
        """Do one item after the other, and say so at the end."""
        try:
            while (item := self._next()) is not None:
                for result in self._work(item[0], self.stop):
                    self._came.put(result)
        except BaseException as wrong:  # raised again by the thread that asks for results
            self._came.put(wrong)
        finally:
            self._came.put(None)
