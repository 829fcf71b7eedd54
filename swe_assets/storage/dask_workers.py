"""The workers of a Dask cluster that is there already, each a process with one thread."""

import asyncio
import importlib
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from swe_assets.errors import ConfigurationError, StoreError
from swe_assets.storage.engine import ADDRESS_VARIABLE, EngineSettings, require_dask

T = TypeVar("T")
R = TypeVar("R")
CONNECT_SECONDS = 20.0
ALONE_SECONDS = 120.0
LOOK_SECONDS = 5.0


class DaskWorkers:
    """A client of the scheduler; a task whose worker dies is given to another by Dask itself."""

    def __init__(self, client: Any, address: str, most: int | None) -> None:
        self.client = client
        self.address = address
        self.most = most

    @property
    def count(self) -> int:
        """Return how many tasks go at a time: the cluster's threads, or fewer where so set."""
        threads = self._threads()
        return max(1, min(threads, self.most or threads))

    def _threads(self) -> int:
        """Return how many threads the workers have, 0 where the scheduler does not answer."""
        try:
            return sum(self.client.nthreads().values())
        except (OSError, RuntimeError):
            return 0

    def work(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[tuple[T, R | Exception]]:
        """Yield each task with its outcome; StoreError where scheduler or workers stay away."""
        waiting = list(reversed(tasks))
        going: dict[Any, T] = {}
        try:
            while waiting or going:
                while waiting and len(going) < (self.most or len(tasks)):
                    task = waiting.pop()
                    going[self.client.submit(function, task, pure=False)] = task
                for future in self._ended(going):
                    yield going.pop(future), _outcome(future)
        finally:
            with suppress(Exception):  # the scheduler may be gone
                self.client.cancel(list(going))

    def _ended(self, going: dict[Any, T]) -> list[Any]:
        """Wait for some to end; raise StoreError once there was nobody to do them for two minutes."""
        wait = _distributed().wait
        alone_since = time.monotonic()
        while True:
            with suppress(TimeoutError):
                wait(list(going), timeout=LOOK_SECONDS, return_when="FIRST_COMPLETED")
            ended = [future for future in going if future.done()]
            if ended:
                return ended
            if self._threads():
                alone_since = time.monotonic()
            elif time.monotonic() - alone_since > ALONE_SECONDS:
                raise StoreError(
                    f"no worker of the Dask scheduler at {self.address} answered for {ALONE_SECONDS:.0f} s; "
                    "what is stored stays. Start workers with `dask worker`, then run again"
                )


def _distributed() -> Any:
    """Return Dask's library, which has no types and takes long to import."""
    return importlib.import_module("distributed")


def _outcome(future: Any) -> Any:
    try:
        return future.result()
    except _distributed().KilledWorker as killed:
        return StoreError(
            f"{killed.allowed_failures + 1} workers ended while they did it, the last at "
            f"{killed.last_worker.address}: is there too little memory? See the workers' logs"
        )
    except asyncio.CancelledError:
        return StoreError("the Dask scheduler lost it: was it started anew? Run again to go on")
    except Exception as wrong:  # it is the task's outcome, told to who asked for the task
        return wrong


@contextmanager
def dask_workers(settings: EngineSettings) -> Iterator[DaskWorkers]:
    """Give the workers of the scheduler that the settings name; ConfigurationError where it has none."""
    require_dask()
    logging.getLogger("distributed").setLevel(logging.ERROR)
    address = settings.dask_address
    try:
        client = _distributed().Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as wrong:
        raise ConfigurationError(
            f"the Dask scheduler at {address!r} ({ADDRESS_VARIABLE}) does not answer: {wrong}; start it with "
            "`dask scheduler` and workers with `dask worker`"
        ) from wrong
    with client:
        workers = DaskWorkers(client, address, settings.max_concurrent)
        _wait_for_one(workers)
        yield workers


def _wait_for_one(workers: DaskWorkers) -> None:
    try:
        workers.client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except TimeoutError as nobody:
        raise ConfigurationError(
            f"the Dask scheduler at {workers.address} has no worker: start some with "
            f"`dask worker {workers.address} --nthreads 1`"
        ) from nobody
