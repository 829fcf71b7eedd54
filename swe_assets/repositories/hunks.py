"""Where git silently dropped the tail of a hunk whose stated count was too small.

`git apply` stops a hunk as soon as its counts are used up and skips what follows as if it were prose. So a
patch that adds three lines under `@@ -0,0 +1,2 @@` applies with two of them and exit code 0.
"""

import re
from dataclasses import dataclass

_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_SIGNATURE = (b"-- ", b"--", b"---")


@dataclass(frozen=True, slots=True)
class Tail:
    """Lines that git left out after a hunk.

    `line` counts from 1, `changes` is the number of lines that begin with + or -. `adjacent`: no blank line
    lies between, so they are the hunk's own. `closed`: a header or the end follows rather than prose, so
    `git apply --recount` takes them all in.
    """

    line: int
    changes: int
    adjacent: bool
    closed: bool


def dropped_tails(patch: bytes) -> list[Tail]:
    """Return the tails with changes that git leaves out of a patch when it goes by the stated counts."""
    lines = patch.split(b"\n")  # only a newline ends a line for git
    if not lines[-1]:
        lines.pop()
    tails: list[Tail] = []
    at = 0
    while at < len(lines):
        stated = _HUNK.match(lines[at])
        if stated is None:
            at += 1
            continue
        start = _end_of_hunk(lines, at + 1, *(int(count or 1) for count in stated.groups()))
        at = _end_of_tail(lines, start)
        if tail := _tail(lines, start, at):
            tails.append(tail)
    return tails


def _end_of_hunk(lines: list[bytes], at: int, old: int, new: int) -> int:
    """Return the index of the first line after a hunk, as git counts."""
    while at < len(lines) and (old > 0 or new > 0) and _is_hunk_line(lines[at]):
        old -= lines[at][:1] in (b" ", b"-", b"")
        new -= lines[at][:1] in (b" ", b"+", b"")
        at += 1
    return at + (at < len(lines) and lines[at].startswith(b"\\ "))


def _end_of_tail(lines: list[bytes], at: int) -> int:
    """Return the index of the first line at or after `at` that cannot belong to a hunk."""
    while at < len(lines) and _is_hunk_line(lines[at]) and not _ends_tail(lines, at):
        at += 1
    return at


def _tail(lines: list[bytes], start: int, end: int) -> Tail | None:
    changes = sum(line[:1] in (b"+", b"-") for line in lines[start:end])
    if not changes:
        return None
    closed = end >= len(lines) or lines[end].startswith((b"@@ ", b"diff "))
    return Tail(start + 1, changes, lines[start].strip() != b"", closed)


def _is_hunk_line(line: bytes) -> bool:
    return line[:1] in (b" ", b"+", b"-", b"\\", b"")


def _ends_tail(lines: list[bytes], at: int) -> bool:
    """Say whether a line is a file header or a mail's signature, though it begins with a minus."""
    if lines[at].rstrip(b"\r") in _SIGNATURE:
        return True
    after = [*lines[at + 1 : at + 3], b"", b""]
    return lines[at].startswith(b"--- ") and after[0].startswith(b"+++ ") and after[1].startswith(b"@@ -")
