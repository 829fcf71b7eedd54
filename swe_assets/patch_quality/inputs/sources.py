"""One input as bounded, hashed bytes: a local file or a download, gzipped or not."""

from __future__ import annotations

import gzip
import hashlib
import io
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from swe_assets.errors import InputError
from swe_assets.patch_quality.inputs.addresses import check_url, is_url, raw_url, shown_url
from swe_assets.patch_quality.inputs.download import download, too_large
from swe_assets.patch_quality.inputs.limits import Limits
from swe_assets.patch_quality.inputs.quoting import quoted

GZIP = b"\x1f\x8b"
HEAD_BYTES = 512
FOREIGN = (
    (b"PK\x03\x04", "a zip archive: unpack it first"),
    (b"BZh", "bzip2: unpack it first"),
    (b"\xfd7zXZ", "xz: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstd: unpack it first"),
    (GZIP, "gzipped twice: unpack it once"),
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself: run `git lfs pull`"),
    (b"<!doctype html", "a web page: give the address of the raw file"),
    (b"<html", "a web page: give the address of the raw file"),
)


@dataclass(frozen=True)
class Source:
    """An input's bytes on this machine, and where they came from.

    `given` and `location` are free of secrets; `sha256` and `size` (bytes) are of the bytes as they came.
    """

    given: str
    location: str
    path: Path
    sha256: str
    size: int
    gzipped: bool
    limits: Limits
    stamp: tuple[int, int, int]

    def record(self, **more: Any) -> dict[str, Any]:
        """Return what study.toml says about this input."""
        return {
            "given": self.given,
            "location": self.location,
            "sha256": self.sha256,
            "bytes": self.size,
            "gzipped": self.gzipped,
            **more,
        }

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the bytes, decompressed, for one pass; reads raise InputError past the limit or on damage."""
        try:
            file = self.path.open("rb")
        except OSError as failure:
            raise InputError(f"{self.given} cannot be read: {failure.strerror or failure}") from None
        with file:
            inner = gzip.GzipFile(fileobj=file, mode="rb") if self.gzipped else file
            yield io.BufferedReader(_Bounded(inner, self), 1 << 16)

    def head(self) -> bytes:
        """Return the first bytes, decompressed; raise InputError when they are of a kind never read here."""
        with self.open() as file:
            head = file.read(HEAD_BYTES)
        start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        for magic, what in FOREIGN:
            if head.startswith(magic) or start[: len(magic)].lower() == magic.lower():
                raise InputError(f"{self.given} is {what}")
        return head

    def check_unchanged(self) -> None:
        """Raise InputError when the file changed since its sha256 was taken."""
        if _stamp(self.path) != self.stamp:
            raise InputError(
                f"{self.given} changed while it was read: wait until it is complete, then try again"
            )


class Sources:
    """The inputs of one pinning: each opened once, downloads in one scratch folder."""

    def __init__(self, scratch: Path, limits: Limits) -> None:
        self.scratch = scratch
        self.limits = limits
        self._opened: dict[str, Source] = {}

    def open(self, given: str) -> Source:
        """Return a path's or URL's bytes.

        Raises InputError for what is absent, no regular file or over the limit, DownloadError for a URL that
        did not give what it should.
        """
        if given not in self._opened:
            self._opened[given] = self._download(given) if is_url(given) else local_source(given, self.limits)
        return self._opened[given]

    def find(self, given: str) -> Source | None:
        """Return a URL's bytes, or None where the server says 404."""
        if given in self._opened:
            return self._opened[given]
        url = raw_url(check_url(given))
        if not download(url, self._target(), self.limits, missing_ok=True):
            return None
        self._opened[given] = self._downloaded(given, url)
        return self._opened[given]

    def check_unchanged(self) -> None:
        """Raise InputError when a local file changed since it was opened."""
        for source in self._opened.values():
            source.check_unchanged()

    def _download(self, given: str) -> Source:
        """Download a URL and return its bytes."""
        url = raw_url(check_url(given))
        download(url, self._target(), self.limits)
        return self._downloaded(given, url)

    def _target(self) -> Path:
        """Return where the next download lands."""
        self.scratch.mkdir(parents=True, exist_ok=True)
        return self.scratch / f"download-{len(self._opened)}"

    def _downloaded(self, given: str, url: str) -> Source:
        """Return the last download as a Source named by its address."""
        here = local_source(str(self._target()), self.limits)
        return replace(here, given=shown_url(given), location=shown_url(url))


def readable_path(given: str) -> Path:
    """Return a path as absolute, `~` expanded; raise InputError when it can be no path or is absent."""
    try:
        path = Path(given).expanduser().absolute()
        path.stat()
    except FileNotFoundError:
        raise InputError(f"no such file or folder: {quoted(given)}") from None
    except (OSError, ValueError, RuntimeError) as failure:
        raise InputError(f"{quoted(given)} cannot be read: {failure}") from None
    return path


def local_source(given: str, limits: Limits) -> Source:
    """Hash a regular file within the limit and return it as a Source."""
    path = readable_path(given)
    mode, size = path.stat().st_mode, path.stat().st_size
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        raise InputError(f"{given} is {kind}: give a file")
    if size > limits.input_bytes:
        raise too_large(given, size, limits, InputError)
    stamp = _stamp(path)
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            file.seek(0)
            gzipped = file.read(2) == GZIP
    except OSError as failure:
        raise InputError(f"{given} cannot be read: {failure.strerror or failure}") from None
    return Source(given, str(path), path, digest, size, gzipped, limits, stamp)


def _stamp(path: Path) -> tuple[int, int, int]:
    """Return what tells one state of a file from another: inode, size, time of change in ns."""
    try:
        found = path.stat()
    except OSError:
        return (0, 0, 0)
    return found.st_ino, found.st_size, found.st_mtime_ns


class _Bounded(io.RawIOBase):
    """The bytes of a file, decompressed, up to the limit; its own failures are InputErrors."""

    def __init__(self, file: Any, source: Source) -> None:
        self._file = file
        self._source = source
        self._read = 0

    def readable(self) -> bool:
        """Say that this can be read."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill the buffer; raise InputError once the bytes pass the limit or when they are damaged."""
        given, limits = self._source.given, self._source.limits
        try:
            got: int = self._file.readinto(buffer)
        except (EOFError, zlib.error, gzip.BadGzipFile) as broken:
            raise InputError(f"{given}: the gzip data is cut off or corrupt ({broken})") from None
        except OSError as failure:
            raise InputError(f"{given} cannot be read: {failure.strerror or failure}") from None
        self._read += got
        if self._read > limits.input_bytes:
            raise too_large(
                f"{given}, decompressed," if self._source.gzipped else given, None, limits, InputError
            )
        return got
