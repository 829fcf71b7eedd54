"""Files that only the user can read, such as passwords, tokens and a server's state."""

import os
import tempfile
from pathlib import Path

from swe_assets.errors import ServiceError
from swe_assets.services.accounts import Account


def write_private(path: Path, text: str) -> None:
    """Write a file that only we can read (mode 0600), whole or not at all.

    Raises ServiceError where the folder cannot be written or the disk is full; what was there stays.
    """
    try:
        put_private(path, text, account=None)
    except OSError as wrong:
        raise ServiceError(
            f"cannot write {str(path)!r}: {wrong.strerror or wrong}; make its folder writable or free space"
        ) from wrong


def put_private(path: Path, text: str, *, account: Account | None) -> None:
    """Write a file that only one account can read, us where none is given; OSError leaves what was there."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".part-")  # 0600 from the start
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        if account is not None:
            os.chown(temporary, account.uid, account.gid)
        Path(temporary).replace(path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise


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
