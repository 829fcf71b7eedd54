"""Worker processes of this machine, each started once and kept for all tasks of a run."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TypeVar

from swe_assets.errors import StoreError
from swe_assets.storage.engine import EngineSettings

T = TypeVar("T")
R = TypeVar("R")
MOST_DEATHS = 3


class LocalWorkers:
    """A pool of spawned processes; where one is killed all are started anew and go on with what is left."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: ProcessPoolExecutor | None = None

    def work(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[tuple[T, R | Exception]]:
        """Yield each task with its outcome; StoreError where workers die again and again with none done."""
        left = dict(enumerate(tasks))
        deaths = 0
        while left:
            before = len(left)
            for number, outcome in self._until_one_dies(function, left):
                yield left.pop(number), outcome
            deaths = deaths + 1 if len(left) == before else 0
            if deaths >= MOST_DEATHS:
                raise StoreError(
                    f"worker processes were killed {deaths} times with no chunk done: is there too little "
                    "memory? Set SWE_ASSETS_MAX_CONCURRENT or SWE_ASSETS_CHUNK lower; run again to go on"
                )

    def _until_one_dies(
        self, function: Callable[[T], R], left: dict[int, T]
    ) -> Iterator[tuple[int, R | Exception]]:
        """Yield outcomes by the tasks' numbers until all are done or the pool is broken."""
        futures: dict[Future[R], int] = {}
        try:
            pool = self._opened()
            futures.update((pool.submit(function, task), number) for number, task in left.items())
            while futures:
                for future in wait(futures, return_when=FIRST_COMPLETED).done:
                    found: R | Exception = _outcome(future)
                    yield futures.pop(future), found
        except BrokenProcessPool:
            self.close()
        finally:
            for future in futures:
                future.cancel()

    def _opened(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.count, context, _begin, (os.getpid(),))
        return self._pool

    def close(self) -> None:
        """Let the processes end, once the tasks at hand are done."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


def _outcome(future: Future[R]) -> R | Exception:
    try:
        return future.result()
    except BrokenProcessPool:
        raise
    except Exception as wrong:  # it is the task's outcome, told to who asked for the task
        return wrong


def _begin(parent: int) -> None:
    """Leave Ctrl-C to the parent, which takes the turn away, and end where the parent was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


@contextmanager
def local_workers(settings: EngineSettings) -> Iterator[LocalWorkers]:
    """Give as many worker processes as the settings say, by default one for each processor."""
    workers = LocalWorkers(settings.max_concurrent or len(os.sched_getaffinity(0)))
    try:
        yield workers
    finally:
        workers.close()
