"""Locks between processes: one file each, let go of when its holder ends, however it ends."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from swe_assets.errors import StoreError


@contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold the lock of a file, which is made where it is absent.

    Raises StoreError where the file cannot be made and, without wait, BlockingIOError where another holds it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o644)
    except OSError as wrong:
        raise StoreError(f"cannot write in {str(path.parent)!r}: {wrong}; make it writable") from wrong
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        yield
    finally:
        os.close(handle)
