"""The folder of one scan: private, gone afterwards, and swept with its scanner where a killed run left it."""

import contextlib
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from swe_assets.errors import StoreError
from swe_assets.repositories.abandoned import hold

LOGS_KEPT = 500
FOLDERS_TRIED = 20
_PREFIX = "scan-"


@contextmanager
def scan_folder(parent: Path) -> Iterator[Path]:
    """Give a fresh folder below `parent` that only this user can read; it is removed with the block.

    Raises StoreError where the folder cannot be made.
    """
    try:
        parent.mkdir(parents=True, exist_ok=True)
        folder, lock = _held_folder(parent)
    except OSError as wrong:
        raise StoreError(
            f"a scan's folder cannot be made in {str(parent)!r}: {wrong.strerror or wrong}; free space "
            "there, make it writable, or name another by SWE_ASSETS_CACHE"
        ) from wrong
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _held_folder(parent: Path) -> tuple[Path, int]:
    """Return a fresh folder and its lock; one that another process swept before it was locked is given up."""
    for _ in range(FOLDERS_TRIED):
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent)).resolve()
        try:
            lock = hold(folder)
        except (BlockingIOError, FileNotFoundError):
            continue
        if folder.is_dir():
            return folder, lock
        os.close(lock)
    raise OSError(f"{FOLDERS_TRIED} fresh folders were swept at once")


def sweep(parent: Path) -> int:
    """End scanners and remove folders that killed runs left below `parent`; return how many folders.

    A folder is left alone while the process that made it lives, since that holds its lock.
    """
    swept = 0
    for folder in sorted(parent.glob(f"{_PREFIX}*")):
        with contextlib.suppress(OSError):
            lock = hold(folder)
            try:
                _end_scanners(folder)
                shutil.rmtree(folder, ignore_errors=True)
                swept += 1
            finally:
                os.close(lock)
    return swept


def prune(logs: Path, most: int = LOGS_KEPT) -> None:
    """Remove the oldest logs of scans, so that some hundred stay."""
    found = []
    for path in logs.glob("*.log"):
        with contextlib.suppress(OSError):
            found.append((path.stat().st_mtime_ns, path))
    for _, path in sorted(found, reverse=True)[most:]:
        path.unlink(missing_ok=True)


def _end_scanners(folder: Path) -> None:
    """Kill the processes that still scan in a folder: those that were started there (Linux's /proc)."""
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (entry / "cwd").readlink() == folder.resolve():
                os.kill(int(entry.name), signal.SIGKILL)
