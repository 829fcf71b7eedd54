"""Locks between processes: one file each, let go of when its holder ends, however it ends."""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from swe_assets.errors import InputError, StoreError, WaitEndedError

SHORTEST_PAUSE_S, LONGEST_PAUSE_S = 0.001, 0.05


@contextmanager
def folder_locked(path: Path) -> Iterator[None]:
    """Hold a folder, which is made where it is absent, against other processes; nothing is written into it.

    Raises StoreError where the folder cannot be made, InputError where another process holds it.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as wrong:
        raise StoreError(f"cannot write in {str(path)!r}: {wrong}; make it writable") from wrong
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as held:
        raise InputError(
            f"another process writes into {str(path)!r}; wait for it, or name another folder"
        ) from held
    finally:
        os.close(handle)


@contextmanager
def locked(path: Path, *, wait: bool = True, stop: threading.Event | None = None) -> Iterator[None]:
    """Hold the lock of a file, which is made where it is absent, against other processes and threads.

    Raises StoreError where the file cannot be made, BlockingIOError without wait where another holds it, and
    WaitEndedError where stop is set while another holds it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o644)
    except OSError as wrong:
        raise StoreError(f"cannot write in {str(path.parent)!r}: {wrong}; make it writable") from wrong
    try:
        if stop is None:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        else:
            _lock_unless(stop, handle, path)
        yield
    finally:
        os.close(handle)


def _lock_unless(stop: threading.Event, handle: int, path: Path) -> None:
    """Take the lock as soon as it is free; look at stop while it is not."""
    pause = SHORTEST_PAUSE_S
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if stop.wait(pause):
                raise WaitEndedError(f"the wait for {str(path)!r} was ended: the work is to stop") from None
            pause = min(LONGEST_PAUSE_S, pause * 2)
        else:
            return
