"""Slips of models that have one reading only: a comma too many, other quotes, full-width punctuation."""

import re
from dataclasses import dataclass

_OPENING = {'"': '"', "“": "”“", "„": "”“", "”": "”", "＂": "＂", "'": "'", "‘": "’", "’": "’"}
_NAMES = {"'": "single quotes"}
_STRUCTURE = re.compile(r"\s*[:,}\]：，｝］]")
_CLOSER_NEXT = re.compile(r"\s*[}\]｝］]")
_FULL_WIDTH = {ord(wide): ord(wide) - 0xFEE0 for wide in "：，｛｝［］－．０１２３４５６７８９"}
_INSIDE = re.compile(r"\\.|\"", re.DOTALL)


@dataclass(frozen=True)
class Mended:
    """An object's text made JSON, where it ended in the original, and what was done."""

    text: str
    end: int
    repairs: tuple[str, ...]


def mended_object(text: str, start: int) -> Mended | None:
    """Return the object that begins at the brace ``text[start]``, its slips mended; None if it does not end.

    Strings keep their words: only their delimiters, and what stands between strings, are changed.
    """
    out: list[str] = []
    repairs: set[str] = set()
    depth, at = 0, start
    while at < len(text):
        char = text[at]
        if char in _OPENING:
            end = _string_end(text, at)
            if end is None:
                return None
            out.append(_straight(text[at : end + 1]))
            if char != '"':
                repairs.add(_NAMES.get(char, "curly quotes"))
            at = end + 1
            continue
        plain = char.translate(_FULL_WIDTH)
        if plain != char:
            repairs.add("full-width punctuation")
        depth += (plain in "{[") - (plain in "}]")
        if plain == "," and _CLOSER_NEXT.match(text, at + 1):
            repairs.add("trailing comma")
        else:
            out.append(plain)
        at += 1
        if depth == 0:
            return Mended("".join(out), at, tuple(sorted(repairs)))
    return None


def _string_end(text: str, start: int) -> int | None:
    """Return where the string at ``start`` closes; other than ``"`` only before a colon, comma or bracket."""
    closing, at = _OPENING[text[start]], start + 1
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 2
            continue
        if char in closing and (char == '"' or _STRUCTURE.match(text, at + 1)):
            return at
        at += 1
    return None


def _straight(string: str) -> str:
    """Return a string literal with straight double delimiters, escaping the straight ones inside it."""
    if string[0] == '"':
        return string
    return f'"{_INSIDE.sub(_escaped, string[1:-1])}"'


def _escaped(found: re.Match[str]) -> str:
    """Return a double quote escaped, an escaped single one bare (JSON has no such escape), all else as is."""
    escapes = {'"': '\\"', "\\'": "'"}
    return escapes.get(found.group(), found.group())
