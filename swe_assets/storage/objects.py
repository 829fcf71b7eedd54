"""Where records and contents lie: whole objects by name, in a folder or an object store."""

import os
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from swe_assets.errors import ConfigurationError

STORE_VARIABLE = "SWE_ASSETS_STORE"
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)


class Objects(Protocol):
    """Whole objects by name: relative, with slashes; each is all there or not there at all.

    Every method raises StoreError where the place cannot be read or written.
    """

    @property
    def place(self) -> str:
        """Return where the objects lie, for messages."""

    def read(self, name: str) -> bytes | None:
        """Return an object's content, or None where there is none."""

    def read_many(self, names: Sequence[str]) -> Iterator[bytes | None]:
        """Yield the content of each object, or None, in the order given."""

    def first_lines(self, names: Sequence[str]) -> Iterator[bytes | None]:
        """Yield the first line of each object, or None, in the order given, without reading much more."""

    def exists(self, name: str) -> bool:
        """Return whether there is such an object."""

    def write(self, name: str, content: bytes, *, durable: bool = False) -> None:
        """Write an object; durable also waits until it would outlast a power cut."""

    def remove(self, name: str) -> None:
        """Remove an object that may not be there."""

    def names(self, folder: str, ending: str) -> list[str]:
        """Return the last parts of the names below a folder that end so, without the ending, sorted."""

    def any(self, folder: str) -> bool:
        """Return whether anything was ever written below a folder."""

    def held(self, name: str, stop: threading.Event | None = None) -> AbstractContextManager[None]:
        """Hold a name against all other processes and threads; whoever comes later waits.

        Such a wait ends with WaitEndedError once stop is set.
        """


def objects_of(study: Path, part: str) -> Objects:
    """Return where one part of a study's stored work lies: in its folder, or where SWE_ASSETS_STORE says.

    The variable is an absolute path or a URL as fsspec takes it, such as s3://bucket/prefix; below it is a
    folder for each study. Raises ConfigurationError for a value that cannot be used.
    """
    from swe_assets.storage.folder_objects import FolderObjects

    given = os.environ.get(STORE_VARIABLE, "").strip()
    if not given:
        return FolderObjects(study / part)
    url = _URL.fullmatch(given)
    if url is None or url[1].lower() in ("file", "local"):
        return FolderObjects(_folder(given, url[2] if url else given) / study.name / part)
    if re.search(r"[?#@\s]", url[2].partition("/")[0]) or not url[2].strip("/"):
        raise ConfigurationError(
            f"{STORE_VARIABLE} has no bucket or holds credentials: give PROTOCOL://BUCKET/PREFIX, and keys "
            "by the provider's own variables, as in AWS_ACCESS_KEY_ID"
        )
    from swe_assets.storage.fsspec_objects import FsspecObjects

    return FsspecObjects(f"{given.rstrip('/')}/{study.name}/{part}")


def _folder(given: str, path: str) -> Path:
    if not Path(path).is_absolute():
        raise ConfigurationError(
            f"{STORE_VARIABLE} is {given!r}: give an absolute path or a URL, as in s3://bucket/prefix"
        )
    return Path(path)
