"""Temporary folders of processes that were killed, known by a lock that only a living process holds."""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from functools import cache
from pathlib import Path

PREFIX = "swe-assets-patch-"
_YOUNGEST = 60.0  # seconds; a younger folder may be about to be locked


def hold(folder: Path) -> int:
    """Lock a folder for as long as this process lives or until the returned descriptor is closed.

    Raises BlockingIOError where another holds it.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


@cache
def sweep_once(temporary: str) -> None:
    """Remove from a temporary folder what killed processes left there, the first time it is asked for."""
    for folder in Path(temporary).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if time.time() - folder.lstat().st_mtime > _YOUNGEST and not folder.is_symlink():
                _remove_if_free(folder)


def _remove_if_free(folder: Path) -> None:
    descriptor = hold(folder)  # BlockingIOError, an OSError, where its process lives
    try:
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(descriptor)


def temporary_folder() -> "tempfile.TemporaryDirectory[str]":
    """Make a temporary folder of our own, after those of killed processes are gone."""
    sweep_once(tempfile.gettempdir())
    return tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
