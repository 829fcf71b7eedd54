"""Rows of a study's pinned files by instance: small files read whole, large ones by an index beside them.

A run of a few hundred instances out of 500,000 must not read them all. The index gives each line's place
and digest; it is made once, from a file that was checked whole against its pin, and each line that is read
is checked against the index. So an edited file is found out as surely as when it is read whole.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar

from swe_assets.errors import StoreError, StudyError
from swe_assets.patch_quality.inputs.dataset import DatasetRow
from swe_assets.patch_quality.study import Study
from swe_assets.patch_quality.study_folder import DATASET_FILE, PREDICTIONS_FILE
from swe_assets.storage.atomic import UNFINISHED
from swe_assets.storage.locks import locked

V = TypeVar("V")
WHOLE_BYTES = 4 * 1024 * 1024
"""Files up to this size are read whole, which is quicker than an index."""


def prediction_rows(study: Study, whole_bytes: int = WHOLE_BYTES) -> Mapping[str, str | None]:
    """Return the patch of each instance, None where the prediction was null.

    Raises StudyError, at once or when a row is asked for, where the file is not what was pinned.
    """
    if not _is_large(study, PREDICTIONS_FILE, whole_bytes):
        return study.predictions()
    return IndexedRows(study, PREDICTIONS_FILE, lambda record: record["model_patch"])


def dataset_rows(study: Study, whole_bytes: int = WHOLE_BYTES) -> Mapping[str, DatasetRow]:
    """Return the dataset's row of each instance; raises as prediction_rows does."""
    if not _is_large(study, DATASET_FILE, whole_bytes):
        return study.dataset()
    return IndexedRows(study, DATASET_FILE, lambda record: DatasetRow(**record))


def _is_large(study: Study, name: str, whole_bytes: int) -> bool:
    path = study.path / name
    return path.is_file() and path.stat().st_size > whole_bytes


class IndexedRows(Mapping[str, V], Generic[V]):
    """The rows of one pinned file of JSON lines, each read when it is asked for."""

    def __init__(self, study: Study, name: str, value: Callable[[dict[str, Any]], V]) -> None:
        self.path = study.path / name
        self.pin = str(study.pinned.get(name))
        self.value = value
        self.index = self.path.with_name(f".{self.path.stem}-{self.pin[:16]}.index")

    @cached_property
    def _table(self) -> sqlite3.Connection:
        with locked(self.path.with_name(f".{self.path.stem}.index.lock")):
            if not self.index.is_file():
                self._make()
        return sqlite3.connect(
            f"{self.index.as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )

    @cached_property
    def _file(self) -> BinaryIO:
        return self.path.open("rb")

    def __getitem__(self, instance_id: str) -> V:
        found = self._place(instance_id)
        if found is None:
            raise KeyError(instance_id)
        start, size, digest = found
        self._file.seek(start)
        line = self._file.read(size)
        if _digest(line) != digest:
            raise self._changed()
        return self.value(json.loads(line))

    def _place(self, instance_id: str) -> tuple[int, int, bytes] | None:
        query = "SELECT start, size, digest FROM lines WHERE id = ?"
        row: tuple[int, int, bytes] | None = self._table.execute(query, (_key(instance_id),)).fetchone()
        return row

    def __contains__(self, instance_id: object) -> bool:
        return isinstance(instance_id, str) and self._place(instance_id) is not None

    def __iter__(self) -> Iterator[str]:
        for (key,) in self._table.execute("SELECT id FROM lines ORDER BY start"):
            yield key.decode("utf-8", "surrogatepass")

    def __len__(self) -> int:
        return int(self._table.execute("SELECT count(*) FROM lines").fetchone()[0])

    def _make(self) -> None:
        """Write the index under a temporary name, and rename it if the file is what was pinned."""
        for old in self.path.parent.glob(f".{self.path.stem}-*.index"):
            with suppress(OSError):
                old.unlink()
        unfinished = self.path.with_name(f"{UNFINISHED}{self.index.name}")
        unfinished.unlink(missing_ok=True)
        try:
            if self._write(unfinished) != self.pin:
                raise self._changed()
            unfinished.replace(self.index)
        except (OSError, sqlite3.Error) as wrong:
            raise StoreError(
                f"cannot index {self.path}: {wrong}; make room and its folder writable"
            ) from wrong
        finally:
            unfinished.unlink(missing_ok=True)

    def _write(self, target: Path) -> str:
        """Write the index of the file as it is now; return the file's sha256."""
        whole = hashlib.sha256()
        with closing(sqlite3.connect(target)) as table, self.path.open("rb") as file, table:
            table.execute("PRAGMA journal_mode=OFF")
            table.execute(
                "CREATE TABLE lines (id BLOB PRIMARY KEY, start INTEGER, size INTEGER, digest BLOB) "
                "WITHOUT ROWID"
            )
            table.executemany("INSERT INTO lines VALUES (?, ?, ?, ?)", _lines(file, whole.update))
        return whole.hexdigest()

    def _changed(self) -> StudyError:
        return StudyError(
            f"{self.path} is not what was pinned: if the study was updated meanwhile, start again; if the "
            "file was edited, restore it and change inputs by `swe-assets study update`"
        )


def _lines(file: BinaryIO, seen: Callable[[bytes], object]) -> Iterator[tuple[bytes, int, int, bytes]]:
    start = 0
    for line in file:
        seen(line)
        yield _key(json.loads(line)["instance_id"]), start, len(line), _digest(line)
        start += len(line)


def _key(instance_id: str) -> bytes:
    return instance_id.encode("utf-8", "surrogatepass")


def _digest(line: bytes) -> bytes:
    return hashlib.blake2b(line, digest_size=16).digest()
