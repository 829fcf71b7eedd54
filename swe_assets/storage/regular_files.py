"""Reading files that a person named: regular ones, up to a size."""

import os
import stat
from pathlib import Path

LARGEST_BYTES = 256 * 1024 * 1024


def read_regular(path: Path, largest: int = LARGEST_BYTES) -> bytes:
    """Return a regular file's bytes; OSError for anything else (a pipe, a device) and for a larger file."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as stream:
        found = os.fstat(stream.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError(0, "it is no regular file")
        if found.st_size > largest:
            raise OSError(0, f"it has {found.st_size} bytes, above the limit of {largest}")
        return stream.read(largest)
