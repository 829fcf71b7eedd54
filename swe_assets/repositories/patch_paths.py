"""Which paths a patch may name, read generously from its header lines.

`git apply` looks at nothing in the index but the paths that the patch names and the folders above them. So
an index of those alone gives what the whole tree would give, as long as none is left out. Names too many do
no harm: a line inside a hunk that looks like a header only adds a path that git never asks for.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEADER = re.compile(
    rb"^(diff --git |--- |\+\+\+ |(?:rename|copy) (?:from|old|to|new) )([^\n]*)", re.MULTILINE
)
_SECOND = {
    b"+++ ": b"--- ",
    b"rename to ": b"rename from ",
    b"rename new ": b"rename old ",
    b"copy to ": b"copy from ",
}
_LONGEST = 8192  # bytes of a header line; longer names fit no tree that can be checked out
_DATE_WORDS = 4  # a time stamp after the name has at most this many words
_QUOTED = re.compile(rb'"(?:[^"\\]|\\.)*"')
_ESCAPE = re.compile(rb"\\([0-3][0-7]{2}|.)", re.DOTALL)
_LETTERS = {
    b"a": b"\a",
    b"b": b"\b",
    b"t": b"\t",
    b"n": b"\n",
    b"v": b"\v",
    b"f": b"\f",
    b"r": b"\r",
}


@dataclass(frozen=True, slots=True)
class PatchPaths:
    """What a patch's headers name: every candidate path, and moves and copies as (old, new)."""

    candidates: frozenset[bytes]
    moves: tuple[tuple[bytes, bytes], ...]
    copies: tuple[tuple[bytes, bytes], ...]


def unquote(name: bytes) -> bytes:
    r"""Return a C-quoted name (`"caf\303\251.py"`) as bytes; a name without quotes comes back as it is."""
    if not _QUOTED.fullmatch(name):
        return name
    return _ESCAPE.sub(lambda m: _byte(m.group(1)), name[1:-1])


def _byte(escaped: bytes) -> bytes:
    if len(escaped) == 3:
        return bytes([int(escaped, 8)])
    return _LETTERS.get(escaped, escaped)


def patch_paths(patch: bytes) -> PatchPaths:
    """Return every path that git could read out of the patch's header lines.

    Names may be C-quoted, carry a time stamp after a tab or a space, end in CR, and stand with or without
    a leading folder such as `a/`; git takes off none or one, so both readings are kept.
    """
    candidates: set[bytes] = set()
    pairs: dict[bytes, list[tuple[bytes, bytes]]] = {b"copy to ": []}
    key_before, names_before = b"", set[bytes]()
    for key, rest in _HEADER.findall(patch):
        if len(rest) > _LONGEST:
            continue
        names = set(_git_names(rest) if key == b"diff --git " else _names(rest))
        candidates |= names
        if key_before and _SECOND.get(key) == key_before and not names & names_before:
            pairs.setdefault(key, []).extend((old, new) for old in names_before for new in names)
        key_before, names_before = key, names
    copies = pairs.pop(b"copy to ")
    moves = [pair for found in pairs.values() for pair in found]
    return PatchPaths(frozenset(candidates), tuple(moves), tuple(copies))


def _names(rest: bytes) -> Iterator[bytes]:
    """Yield the readings of a `---`, `+++`, rename or copy line."""
    quoted = _QUOTED.match(rest)
    if quoted:
        yield from _stripped(unquote(quoted[0]))
        return
    words = re.split(rb"[\t\r]", rest, maxsplit=1)[0].split(b" ")
    for cut in range(len(words), max(0, len(words) - _DATE_WORDS - 1), -1):
        yield from _stripped(b" ".join(words[:cut]).rstrip())
    yield from _stripped(rest.rstrip(b"\r"))


def _git_names(rest: bytes) -> Iterator[bytes]:
    """Yield the readings of a `diff --git` line: git takes a name from it only where both are the same."""
    rest = rest.rstrip(b"\r")
    quoted = _QUOTED.findall(rest)
    for name in quoted:
        yield from _stripped(unquote(name))
    if quoted:
        return
    for space in re.finditer(rb"[ \t]", rest):
        left, right = rest[: space.start()], rest[space.end() :].rstrip()
        yield from set(_stripped(left)) & set(_stripped(right))


def _stripped(name: bytes) -> Iterator[bytes]:
    """Yield the name as git would look it up, with none and with one leading folder taken off."""
    name = re.sub(rb"//+", b"/", name)
    yield name
    if b"/" in name:
        yield name.split(b"/", 1)[1]
