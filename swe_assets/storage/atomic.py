"""Files that are either whole or not there."""

import json
import os
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from swe_assets.errors import StoreError

UNFINISHED = ".part-"


def write_bytes(path: Path, content: bytes, *, durable: bool = False) -> None:
    """Write content under a temporary name beside path and rename it; durable also waits for the disk.

    Raises StoreError when the folder cannot be written or the disk is full; path is then as it was.
    """
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=UNFINISHED)
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
        if durable:
            sync_path(path.parent)
    except OSError as wrong:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        raise StoreError(
            f"cannot write {str(path)!r}: {wrong.strerror or wrong}; it is as it was before. "
            "Free space or make the folder writable, then run again"
        ) from wrong


def sync_path(path: Path) -> None:
    """Wait until a file or folder is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove(path: Path) -> None:
    """Remove a file that may not be there; StoreError where the folder cannot be changed."""
    try:
        path.unlink(missing_ok=True)
    except NotADirectoryError:
        return
    except OSError as wrong:
        raise StoreError(
            f"cannot remove {str(path)!r}: {wrong.strerror or wrong}; make it writable"
        ) from wrong


def sweep_unfinished(folder: Path, *, older_than_seconds: float = 60.0) -> int:
    """Remove the temporary files that killed writers left below a folder; return how many."""
    limit = time.time() - older_than_seconds
    swept = 0
    for path in folder.rglob(f"{UNFINISHED}*"):
        with suppress(OSError):
            if path.stat().st_mtime < limit:
                path.unlink()
                swept += 1
    return swept


def write_text(path: Path, text: str, *, durable: bool = False) -> None:
    """Write text as UTF-8; lone surrogates, which JSON from a model may hold, are kept as escapes."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"), durable=durable)


def to_json(value: Any) -> str:
    """Return value as one line of JSON that is the same for equal values and safe for any text."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return text


def to_json_line(value: Any) -> str:
    """Return value as one line of JSON in its own key order, for files people read."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, ensure_ascii=True, allow_nan=False)
    return text


def write_json_lines(path: Path, rows: Iterable[Any]) -> None:
    """Write one JSON object a line."""
    write_text(path, "".join(to_json_line(row) + "\n" for row in rows))
