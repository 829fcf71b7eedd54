"""Answers as JSON Lines that a killed process, a full disk or several writers cannot spoil."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swe_assets.errors import InputError, StoreError
from swe_assets.storage.atomic import sync_path, write_bytes
from swe_assets.storage.locks import locked

Record = dict[str, Any]


class PinsChangedError(InputError):
    """Answers were begun with another bank, rubric or model version; ``changed`` names what differs."""

    def __init__(self, path: Path, changed: tuple[str, ...]) -> None:
        self.changed = changed
        self.error = f"{changed[0]}_changed"
        super().__init__(
            f"{self.error}: the answers in {str(path)!r} were begun with another {', '.join(changed)}: begin "
            "a new file, or go back to what they were begun with"
        )


@dataclass(frozen=True)
class Lines:
    """What a file of answers holds.

    ``records``: every whole record, in the order of the file. ``damaged``: pieces that are no record, a torn
    last one included; ``torn``: the length in bytes of that last one, 0 where the file ends well.
    """

    records: tuple[Record, ...]
    damaged: int = 0
    torn: int = 0

    def answers(self) -> dict[Any, Record]:
        """Return the finished answers by id; the first of an id stays, as later work may rest on it."""
        found: dict[Any, Record] = {}
        for record in self.records:
            if finished(record):
                found.setdefault(record["id"], record)
        return found

    def to_run(self, ids: Iterable[Any] | None = None) -> list[Any]:
        """Return the ids without a finished answer, in order; None: of the ids that the file names."""
        done = self.answers()
        asked = (record["id"] for record in self.records) if ids is None else ids
        return [name for name in dict.fromkeys(asked) if name not in done]


def finished(record: Mapping[str, Any]) -> bool:
    """Return whether a record is an answer to keep: one with words, and no error of the machinery beside it.

    A refusal or a wrong answer is finished; what ended in a timeout, or said nothing, is to be asked again.
    """
    answer = record.get("answer")
    said = bool(answer.strip()) if isinstance(answer, str) else answer is not None
    return said and not record.get("error")


def read_lines(content: bytes) -> Lines:
    r"""Return the records of a file's bytes; only ``\n`` ends a line, never U+2028 or U+0085.

    Records that two writers left on one line are told apart. A piece that is no JSON object with an id (a
    text or a whole number) is counted as damaged and left out.
    """
    records: list[Record] = []
    damaged = torn = 0
    for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        found, kept = _records(line)
        records += found
        torn = len(line) - kept
        damaged += torn > 0
    return Lines(tuple(records), damaged, torn)


def changed_pins(before: Mapping[str, str], now: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of what a round was begun with and is not so any more, sorted."""
    return tuple(sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name)))


class AnswerLines:
    """A file of answers, one JSON object a line with at least ``id``; processes and threads may share it.

    ``pins``: what every answer in it depends on, such as the hash of the bank, the rubric and the model's
    version. They are kept beside the file (``.pins``) when it is begun.

    Raises PinsChangedError where the file was begun with others, StoreError where it cannot be used.
    """

    def __init__(self, path: Path, pins: Mapping[str, str] | None = None) -> None:
        self.path = path
        if pins is not None:
            self._pin(dict(pins))

    def read(self) -> Lines:
        """Return what the file holds now; one that is not there holds nothing."""
        try:
            return read_lines(self.path.read_bytes())
        except FileNotFoundError:
            return Lines(())
        except OSError as wrong:
            raise self._unusable(wrong) from wrong

    def append(self, *records: Mapping[str, Any]) -> None:
        """Write records at the end, on the disk before it returns; a torn last record is cut off first.

        A whole last record that lacks its newline is given one. Raises InputError for a record without an
        id or that is not JSON, and StoreError where the disk does not take it: the file is then as it was.
        """
        content = b"".join(_line(record) for record in records)
        with self._locked(), self._opened() as handle:
            end = self._mended_end(handle)
            try:
                _write(handle, content, end)
                os.fsync(handle)
            except OSError as wrong:
                os.ftruncate(handle, end)
                raise self._unusable(wrong) from wrong

    def _mended_end(self, handle: int) -> int:
        """Return where the next record begins, after the last line was given its newline or cut off."""
        size = os.fstat(handle).st_size
        last = _last_line(handle, size)
        if not last:
            return size
        found, kept = _records(last)
        end = size - len(last) + (kept if found else 0)
        os.ftruncate(handle, end)
        return end + (os.pwrite(handle, b"\n", end) if found else 0)

    def _pin(self, pins: dict[str, str]) -> None:
        """Keep the pins of a new file, or hold them against those that it was begun with."""
        kept = self.path.with_name(self.path.name + ".pins")
        with self._locked():
            if kept.exists():
                changed = changed_pins(self._pins(kept), pins)
                if changed:
                    raise PinsChangedError(self.path, changed)
            elif self.read().records:
                raise PinsChangedError(self.path, tuple(sorted(pins)) or ("pins",))
            else:
                write_bytes(kept, json.dumps(pins, sort_keys=True).encode("ascii"), durable=True)

    def _pins(self, kept: Path) -> dict[str, str]:
        """Return the pins that are kept."""
        try:
            found = json.loads(kept.read_bytes())
        except (OSError, ValueError) as wrong:
            raise StoreError(f"{str(kept)!r} cannot be read as pins: {wrong}; begin a new file") from wrong
        return dict(found) if isinstance(found, dict) else {}

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock of this file."""
        with locked(self.path.with_name(self.path.name + ".lock")):
            yield

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """Open the file for reading and writing, made durably where it is absent."""
        try:
            new = not self.path.exists()
            handle = os.open(self.path, os.O_CREAT | os.O_RDWR, 0o644)
            if new:
                sync_path(self.path.parent)
        except OSError as wrong:
            raise self._unusable(wrong) from wrong
        try:
            yield handle
        finally:
            os.close(handle)

    def _unusable(self, wrong: OSError) -> StoreError:
        """Return the error of a file that cannot be read or written."""
        said = wrong.strerror or wrong
        return StoreError(
            f"answers {str(self.path)!r} cannot be used: {said}; free space or make it writable"
        )


def _line(record: Mapping[str, Any]) -> bytes:
    """Return a record's line, in ASCII, so that no character in it can be taken for a line end."""
    try:
        text = json.dumps(dict(record), ensure_ascii=True, allow_nan=False)
    except (TypeError, ValueError) as wrong:
        raise InputError(f"record {str(record.get('id'))[:60]!r} is not JSON: {wrong}") from wrong
    if not _has_id(record):
        raise InputError(f"record without an id that is a text or a whole number: {text[:80]}")
    return text.encode("ascii") + b"\n"


def _has_id(record: Mapping[str, Any]) -> bool:
    """Tell whether a record has an id to be found by."""
    name = record.get("id")
    return isinstance(name, str | int) and not isinstance(name, bool)


def _records(line: bytes) -> tuple[list[Record], int]:
    """Return the whole records at the beginning of a line, and how many bytes they and white space take."""
    found: list[Record] = []
    text, at, kept = line.decode("utf-8", "surrogateescape"), 0, 0
    while True:
        blank = _BLANK.match(text, at)
        at = kept = blank.end() if blank else at
        try:
            value, at = _DECODER.raw_decode(text, at)
            text[kept:at].encode("utf-8")
        except (ValueError, RecursionError):
            break
        if not (isinstance(value, dict) and _has_id(value)):
            break
        found.append(value)
    return found, len(text[:kept].encode("utf-8", "surrogateescape"))


_DECODER = json.JSONDecoder(strict=False)
_BLANK = re.compile(r"[ \t\r]*")


def _last_line(handle: int, size: int) -> bytes:
    """Return what stands after a file's last newline, read from its end."""
    tail, at = b"", size
    while at > 0 and b"\n" not in tail:
        step = min(at, max(4096, len(tail)))
        at -= step
        tail = os.pread(handle, step, at) + tail
    return tail[tail.rfind(b"\n") + 1 :]


def _write(handle: int, content: bytes, at: int) -> None:
    """Write all of the content at a place of the file."""
    view = memoryview(content)
    while view:
        written = os.pwrite(handle, view, at)
        view, at = view[written:], at + written
