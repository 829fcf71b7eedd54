"""Files that only the user can read, such as passwords, tokens and a server's state."""

import os
import tempfile
from pathlib import Path

from swe_assets.errors import ServiceError


def write_private(path: Path, text: str) -> None:
    """Write a file that only we can read (mode 0600), whole or not at all.

    Raises ServiceError where the folder cannot be written or the disk is full; what was there stays.
    """
    temporary: str | None = None
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".part-")  # 0600 from the start
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(path)
    except OSError as wrong:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        raise ServiceError(
            f"cannot write {str(path)!r}: {wrong.strerror or wrong}; make its folder writable or free space"
        ) from wrong


def read_private(path: Path) -> str:
    """Return the text of such a file, empty where it is not there; ServiceError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as wrong:
        raise ServiceError(
            f"cannot read {str(path)!r}: {wrong}; it belongs to the user who made it"
        ) from wrong
