"""Objects in an object store through fsspec: S3 and what speaks its protocol, others by their drivers."""

import importlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from swe_assets.errors import ConfigurationError, StoreError
from swe_assets.storage.claims import held

T = TypeVar("T")
HEAD_BYTES = 4096
BATCH = 128
REFUSED = ("PreconditionFailed", "ConditionalRequestConflict")
"""S3's codes for a conditional put that was not granted; s3fs knows AWS's first one alone
(https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html)."""


class FsspecObjects:
    """Objects below a URL; a put is whole or not there, and a name is held by a claim with a heartbeat."""

    def __init__(self, url: str) -> None:
        self.url = url
        try:
            fs, root = importlib.import_module("fsspec.core").url_to_fs(url, use_listings_cache=False)
        except (ValueError, ImportError) as wrong:
            raise ConfigurationError(
                f"no driver for the store {url!r}: {wrong}; install fsspec's for it, as s3fs for s3:// "
                "(pip install 'swe-assets[cluster]')"
            ) from wrong
        self.fs: Any = fs
        self.root = root.rstrip("/")

    @property
    def place(self) -> str:
        """Return the URL."""
        return self.url

    def _done(self, what: str, name: str, work: Callable[[], T]) -> T:
        """Do some work; what a missing or a present object raises is let through, all else is StoreError."""
        absent: tuple[type[OSError], ...] = (FileExistsError,) if what == "write" else (FileNotFoundError,)
        try:
            return work()
        except absent:
            raise
        except Exception as wrong:  # drivers raise errors of many libraries
            raise StoreError(
                f"cannot {what} {self.url}/{name}: {type(wrong).__name__}: {wrong}; what was there before is "
                "untouched. Check the network, the bucket and the keys, then run again"
            ) from wrong

    def read(self, name: str) -> bytes | None:
        """Return an object's content, or None where there is none."""
        try:
            found: bytes = self._done("read", name, lambda: self.fs.cat_file(self._path(name)))
        except FileNotFoundError:
            return None
        return found

    def read_many(self, names: Sequence[str]) -> Iterator[bytes | None]:
        """Yield the content of each object, or None, in the order given; many are under way at a time."""
        return self._ranges(names, None)

    def first_lines(self, names: Sequence[str]) -> Iterator[bytes | None]:
        """Yield the first line of each object, or None; only a line beyond 4 KiB is fetched whole."""
        for name, head in zip(names, self._ranges(names, HEAD_BYTES), strict=True):
            whole = head if head is None or b"\n" in head else self.read(name)
            yield None if whole is None else whole.partition(b"\n")[0]

    def _ranges(self, names: Sequence[str], end: int | None) -> Iterator[bytes | None]:
        start = None if end is None else 0
        for at in range(0, len(names), BATCH):
            part = names[at : at + BATCH]
            paths = [self._path(name) for name in part]
            found = self._done(
                "read",
                part[0],
                lambda paths=paths: self.fs.cat_ranges(paths, start, end, on_error="return"),  # type: ignore[misc]  # mypy cannot infer a lambda with a default
            )
            for name, content in zip(part, found, strict=True):
                yield self._content(name, content)

    def _content(self, name: str, found: bytes | Exception) -> bytes | None:
        if isinstance(found, FileNotFoundError):
            return None
        if isinstance(found, Exception):
            raise StoreError(f"cannot read {self.url}/{name}: {type(found).__name__}: {found}; run again")
        return found

    def exists(self, name: str) -> bool:
        """Return whether there is such an object."""
        return bool(self._done("look for", name, lambda: self.fs.exists(self._path(name))))

    def write(self, name: str, content: bytes, *, durable: bool = False) -> None:  # noqa: ARG002 - a put is durable
        """Put an object; once that returned it outlasts a power cut."""
        self._done("write", name, lambda: self.fs.pipe_file(self._path(name), content))

    def write_new(self, name: str, content: bytes) -> bool:
        """Put an object unless there is one; return whether it was put (S3: If-None-Match: *).

        Where another's put is under way S3 refuses this one; so it was not put, and may be tried again.
        """
        try:
            self._done("write", name, lambda: self.fs.pipe_file(self._path(name), content, mode="create"))
        except FileExistsError:
            return False
        except StoreError as wrong:
            if _code(wrong) in REFUSED:
                return False
            raise
        return True

    def remove(self, name: str) -> None:
        """Remove an object that may not be there."""
        try:
            self._done("remove", name, lambda: self.fs.rm_file(self._path(name)))
        except FileNotFoundError:
            return

    def names(self, folder: str, ending: str) -> list[str]:
        """Return the last parts of the names below a folder that end so, without the ending, sorted."""
        try:
            found = self._done("list", folder, lambda: self.fs.find(self._path(folder)))
        except FileNotFoundError:
            return []
        last = (path.rpartition("/")[2] for path in found)
        return sorted(name.removesuffix(ending) for name in last if name.endswith(ending))

    def any(self, folder: str) -> bool:
        """Return whether anything lies below a folder."""
        try:
            return bool(self._done("list", folder, lambda: self.fs.ls(self._path(folder), detail=False)))
        except FileNotFoundError:
            return False

    def held(self, name: str, stop: threading.Event | None = None) -> AbstractContextManager[None]:
        """Hold a name by a claim that its holder renews and others take over when it is left."""
        return held(self, name, stop=stop)

    def _path(self, name: str) -> str:
        return f"{self.root}/{name}"


def _code(wrong: BaseException | None) -> str:
    """Return the code that an S3 server gave for an error or for one of its causes, an empty text if none."""
    while wrong is not None:
        response = getattr(wrong, "response", None)
        if isinstance(response, dict):
            return str(response.get("Error", {}).get("Code", ""))
        wrong = wrong.__cause__
    return ""
