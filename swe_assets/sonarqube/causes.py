"""Why a private server did not start, from the log that says it first, with what to do about it."""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from swe_assets.llm.plain_text import excerpt
from swe_assets.sonarqube.places import ServerPlaces

LOGS = ("es.log", "web.log", "ce.log", "sonar.log")
_MOST_BYTES = 2_000_000
_STAMPED = re.compile(r"^(\d{4}\.\d\d\.\d\d \d\d:\d\d:\d\d) (ERROR|WARN|INFO|DEBUG|TRACE)\s+(.*)")

PORT = "port"
MENDS = {
    PORT: (
        r"Address already in use|[Pp]ort.{0,40} (?:is )?already in use|BindException",
        "another program took a port: run `swe-assets sonar up` again, which chooses others",
    ),
    "disk": (
        r"No space left on device|Disk quota exceeded|flood.stage|disk watermark .*exceeded",
        "the disk is full: free space there, or name another folder with SWE_ASSETS_CACHE",
    ),
    "memory": (
        r"OutOfMemoryError|insufficient memory|Cannot allocate memory|Could not reserve enough space"
        r"|GC triggered before VM|Too small (?:initial|maximum) heap|exit value \[\w+\]: 137",
        "memory is short: the server takes about 3 GB; close programs, or use a server elsewhere by --url",
    ),
    "newer data": (
        r"more recent version of SonarQube|[Dd]owngrad",
        "the data was written by a newer SonarQube: start that one by --archive FILE",
    ),
    "java": (
        r"UnsupportedClassVersionError|Unsupported Java|[Ii]nvalid [Jj]ava|requires Java"
        r"|Unrecognized VM option|allow or enable the Security Manager",
        "this Java does not run it: set JAVA_HOME to one of a version that it supports",
    ),
    "database": (
        r"connect to (?:the )?database|Connection to .* refused|PSQLException"
        r"|authentication failed",
        "the database does not answer: `swe-assets sonar down`, then `swe-assets sonar up`",
    ),
    "rights": (
        r"AccessDeniedException|Permission denied|[Nn]ot writable|not allowed to",
        "a file is not writable for the account that runs the server: see the path, change its owner",
    ),
    "limits": (
        r"bootstrap check|max virtual memory areas|max file descriptors",
        "this machine's limits are too low: see the message for the one to raise",
    ),
    "two servers": (
        r"failed to obtain node lock|node\.lock|Database may be already in use",
        "another server uses the same data: stop it, or name another folder with SWE_ASSETS_CACHE",
    ),
    "index": (
        r"CorruptIndexException|CorruptStateException|IndexFormatToo",
        "the search index is damaged: remove the folder es8 in its data, it is built anew",
    ),
}
"""By kind of cause: the words in a log that tell it, and what to do."""


@dataclass(frozen=True)
class Cause:
    """Why a server ended: the kind (a key of MENDS, or empty), the log's own words, and what to do."""

    kind: str
    words: str
    mend: str

    def __str__(self) -> str:
        """Return the cause in one sentence."""
        return f"{self.words}; {self.mend}"


@dataclass(frozen=True)
class LogMarks:
    """How long each log was before a start, so that only what came after is read."""

    places: ServerPlaces
    sizes: dict[str, int]

    @classmethod
    def now(cls, places: ServerPlaces) -> "LogMarks":
        """Return the marks of this moment."""
        return cls(places, {path.name: path.stat().st_size for path in _logs(places) if path.is_file()})

    def cause(self) -> Cause:
        """Return what tells most of the errors since then: the first of a known kind, else the first."""
        texts = {path: _since(path, self.sizes.get(path.name, 0)) for path in _logs(self.places)}
        errors = sorted((e for path, text in texts.items() for e in _errors(path, text)), key=_order)
        known = next((error for error in errors if error.cause.kind), None)
        if known or errors:
            return (known or errors[0]).cause
        return _explained(self.places.output, [_last_line(texts[self.places.output])])


@dataclass(frozen=True)
class _Error:
    """An error in a log: when, in which, and its cause."""

    stamp: str
    path: Path
    cause: Cause


def _logs(places: ServerPlaces) -> list[Path]:
    return [*(places.logs / name for name in LOGS), places.output]


def _since(path: Path, size: int) -> str:
    """Return what a log got since it was so long, its last part where that is much, empty without a log."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return ""
    with os.fdopen(handle, "rb") as stream:
        whole = os.fstat(handle).st_size
        stream.seek(max(size if whole >= size else 0, whole - _MOST_BYTES))
        return stream.read().decode("utf-8", "replace")


def _order(error: _Error) -> tuple[bool, str]:
    """Sort the errors of SonarQube's parts by time, then those that only its main process saw."""
    return error.path.name in ("sonar.log", "server.out"), error.stamp


def _errors(path: Path, text: str) -> Iterator[_Error]:
    """Yield each entry of level ERROR, each warning of a full disk, each error printed outside a log."""
    for stamp, level, lines in _entries(text):
        cause = _explained(path, lines)
        if level == "ERROR" or (level == "WARN" and cause.kind == "disk"):
            yield _Error(stamp, path, cause)
    if path.suffix != ".log":
        printed = [line.strip() for line in text.splitlines() if not _STAMPED.match(line)]
        for at, line in enumerate(printed):
            if re.match(r"ERROR|Error|# There is|Exception in|java\.lang\.", line):
                yield _Error("", path, _explained(path, printed[at : at + 2]))


def _entries(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield a log's entries: time, level, and lines, the first without time and level."""
    entry: tuple[str, str, list[str]] | None = None
    for line in text.splitlines():
        found = _STAMPED.match(line)
        if found:
            if entry:
                yield entry
            entry = (found[1], found[2], [found[3]])
        elif entry:
            entry[2].append(line.strip())
    if entry:
        yield entry


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "nothing was printed")


def _explained(path: Path, lines: list[str]) -> Cause:
    """Return the cause that an entry tells, by the first of its lines that is of a known kind."""
    for kind, (pattern, mend) in MENDS.items():
        telling = next((line for line in lines if re.search(pattern, line)), None)
        if telling is not None:
            return Cause(kind, _said(path, dict.fromkeys([lines[0], telling])), mend)
    last = [line for line in lines[1:] if line.startswith("Caused by: ")][-1:] or lines[1:2]
    return Cause("", _said(path, [lines[0], *last]), "see the lines around it in that log")


def _said(path: Path, lines: Iterable[str]) -> str:
    words = " ".join(" ".join(lines).split())
    return f"{str(path)!r} says: {excerpt(words, 500)}"
