"""Workers: other processes that do tasks, of this machine or of a Dask cluster."""

import os
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeVar

from swe_assets.storage.engine import DASK, EngineSettings

T = TypeVar("T")
R = TypeVar("R")
WORKER_TAG = "swe_assets/worker"


class Workers(Protocol):
    """Processes that do tasks; a task whose worker dies is done again by another."""

    @property
    def count(self) -> int:
        """Return how many tasks go at a time."""

    def work(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[tuple[T, R | Exception]]:
        """Yield each task with what the function gave or raised for it, in the order of ending.

        Both go to other processes, so the function is one of a module and the tasks can be pickled. Where
        the iterator is left early, tasks that were not begun are not begun. Raises StoreError where no
        worker is left.
        """


@contextmanager
def open_workers(settings: EngineSettings) -> Iterator[Workers]:
    """Give the workers of the engine; ConfigurationError where they cannot be had."""
    opened: Workers
    if settings.executor == DASK:
        from swe_assets.storage.dask_workers import dask_workers

        with dask_workers(settings) as opened:
            yield opened
    else:
        from swe_assets.storage.local_workers import local_workers

        with local_workers(settings) as opened:
            yield opened


def dask_worker_name() -> str:
    """Return the name of the Dask worker that this code runs on, an empty text elsewhere."""
    if "distributed" not in sys.modules:
        return ""
    from distributed import get_worker

    try:
        worker = get_worker()
    except ValueError:
        return ""
    named = str(worker.name)
    return named if worker.address in named else f"{named} ({worker.address})"


def worker_name() -> str:
    """Return who does the work: a Dask worker by name and address, else host and process id."""
    return dask_worker_name() or f"{socket.gethostname()}:{os.getpid()}"
