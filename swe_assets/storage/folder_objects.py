"""Objects as files below a folder of this machine or of a shared file system."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from swe_assets.errors import StoreError
from swe_assets.storage.atomic import remove, write_bytes
from swe_assets.storage.locks import locked


class FolderObjects:
    """Files that appear whole by a rename; names are held by flock, which ends with the holder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._root = str(root)

    @property
    def place(self) -> str:
        """Return the folder."""
        return self._root

    def read(self, name: str) -> bytes | None:
        """Return a file's content, or None where there is none."""
        try:
            with open(f"{self._root}/{name}", "rb", buffering=0) as file:  # noqa: PTH123 - pathlib costs as much as reading
                return file.read()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as wrong:
            raise self._unreadable(name, wrong) from wrong

    def read_many(self, names: Sequence[str]) -> Iterator[bytes | None]:
        """Yield the content of each file, or None, in the order given."""
        return map(self.read, names)

    def first_lines(self, names: Sequence[str]) -> Iterator[bytes | None]:
        """Yield the first line of each file, or None, in the order given."""
        return map(self._first_line, names)

    def _first_line(self, name: str) -> bytes | None:
        try:
            with open(f"{self._root}/{name}", "rb") as file:  # noqa: PTH123 - pathlib costs as much as reading
                return file.readline()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as wrong:
            raise self._unreadable(name, wrong) from wrong

    def _unreadable(self, name: str, wrong: OSError) -> StoreError:
        path = str(self.root / name)
        return StoreError(f"cannot read the record {path!r}: {wrong.strerror or wrong}")

    def exists(self, name: str) -> bool:
        """Return whether there is such a file."""
        return (self.root / name).exists()

    def write(self, name: str, content: bytes, *, durable: bool = False) -> None:
        """Write a file beside its name and rename it; durable also waits for the disk."""
        write_bytes(self.root / name, content, durable=durable)

    def remove(self, name: str) -> None:
        """Remove a file that may not be there."""
        remove(self.root / name)

    def names(self, folder: str, ending: str) -> list[str]:
        """Return the names of the files one folder down that end so, without the ending, sorted."""
        found = (self.root / folder).glob(f"*/*{ending}")
        return sorted(path.name.removesuffix(ending) for path in found)

    def any(self, folder: str) -> bool:
        """Return whether there is such a folder."""
        return (self.root / folder).is_dir()

    def held(self, name: str, stop: threading.Event | None = None) -> AbstractContextManager[None]:
        """Hold the lock of a file, which is made where it is absent."""
        return locked(self.root / name, stop=stop)
