"""Zip archives, which may be hostile, unpacked whole or not at all."""

import hashlib
import os
import shutil
import stat
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import TypeVar

from swe_assets.errors import ConfigurationError, InputError
from swe_assets.storage.atomic import UNFINISHED, sync_path

MOST_BYTES = 4_000_000_000
"""No distribution that is known unpacks to half of that."""

MOST_ENTRIES = 100_000
_CHUNK = 1 << 20

Said = TypeVar("Said")


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal; InputError where it cannot be read."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as wrong:
        raise InputError(f"cannot read {str(path)!r}: {wrong.strerror}; name a readable file") from wrong


def unpack(archive: Path, target: Path, check: Callable[[Path], Said]) -> Said:
    """Unpack an archive of one top folder so that this folder becomes `target`, or change nothing.

    `check` is given the unpacked folder before it gets its name and raises where it is not what was wanted;
    what it returns is returned.
    Names that leave the folder, links and devices, and sizes beyond reason are refused (InputError). A
    target that is there already is replaced. Raises ConfigurationError where the disk cannot take it.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            top, size = _inspected(opened, archive)
            require_room(target.parent, size)
            return _replace(opened, top, target, check)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, EOFError) as wrong:
        raise InputError(
            f"{str(archive)!r} is no whole zip archive ({wrong}): fetch it anew, or name another"
        ) from wrong
    except OSError as wrong:
        raise ConfigurationError(
            f"cannot unpack {str(archive)!r} to {str(target)!r}: {wrong.strerror or wrong}; "
            "free space, make it writable, or name another folder with SWE_ASSETS_CACHE"
        ) from wrong


def require_room(folder: Path, size: int) -> None:
    """Raise ConfigurationError where the disk below a folder has less than so many bytes free."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(there).free
    if free < size:
        raise ConfigurationError(
            f"{str(folder)!r} needs {size / 1e9:.1f} GB and its disk has {free / 1e9:.1f} GB free: "
            "free space, or name a folder elsewhere with SWE_ASSETS_CACHE"
        )


def sweep(folder: Path) -> None:
    """Remove what killed unpackings left in a folder; only for who holds the folder's lock."""
    for left in folder.glob(f"{UNFINISHED}*"):
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left, ignore_errors=True)


def _inspected(opened: zipfile.ZipFile, archive: Path) -> tuple[str, int]:
    """Return the one top folder of an archive and its unpacked size, with every entry's name proved."""
    entries = opened.infolist()
    size = sum(entry.file_size for entry in entries)
    tops = {_proved(entry, archive).parts[0] for entry in entries}
    if len(tops) != 1 or len(entries) > MOST_ENTRIES or size > MOST_BYTES:
        raise InputError(
            f"{str(archive)!r} holds {len(entries)} entries of {size} bytes in {len(tops)} top folders, "
            "which no distribution does: name the zip as Sonar publishes it"
        )
    return tops.pop(), size


def _proved(entry: zipfile.ZipInfo, archive: Path) -> PurePosixPath:
    """Return an entry's path if it stays below its folder and is a plain file or folder."""
    name = entry.filename
    path = PurePosixPath(name)
    kind = stat.S_IFMT(entry.external_attr >> 16)
    strange = not path.parts or path.is_absolute() or ".." in path.parts or any(c in name for c in "\\\0:")
    if strange or kind not in (0, stat.S_IFREG, stat.S_IFDIR) or entry.orig_filename != name:
        raise InputError(
            f"{str(archive)!r} holds {name!r}, a link or a path that would leave its folder: "
            "it is no archive of Sonar's; nothing was unpacked"
        )
    return path


def _replace(opened: zipfile.ZipFile, top: str, target: Path, check: Callable[[Path], Said]) -> Said:
    """Unpack beside the target, check, and put the result in the target's place."""
    work = Path(tempfile.mkdtemp(dir=target.parent, prefix=UNFINISHED))
    try:
        for entry in opened.infolist():
            _write(opened, entry, work / entry.filename)
        said = check(work / top)
        (work / top).chmod(0o755)
        os.sync()
        if target.exists():
            target.rename(work / "replaced")
        (work / top).rename(target)
        sync_path(target.parent)
        return said
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _write(opened: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path) -> None:
    """Write one entry: readable by all, writable by the user, executable where the archive says so."""
    if entry.is_dir():
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o755)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with opened.open(entry) as source, path.open("xb") as sink:
        shutil.copyfileobj(source, sink, _CHUNK)
    path.chmod(0o755 if (entry.external_attr >> 16) & stat.S_IXUSR else 0o644)
