"""Two slips of models that have one reading only: a trailing comma, and curly quotes as delimiters."""

import re
from dataclasses import dataclass

_OPENING = {'"': '"', "“": "”“", "„": "”“", "”": "”"}
_STRUCTURE = re.compile(r"\s*[:,}\]]")
_CLOSER_NEXT = re.compile(r"\s*[}\]]")


@dataclass(frozen=True)
class Mended:
    """An object's text made JSON, where it ended in the original, and what was done."""

    text: str
    end: int
    repairs: tuple[str, ...]


def mended_object(text: str, start: int) -> Mended | None:
    """Return the object that begins at ``text[start] == "{"`` with its slips mended; None if it does not end.

    Strings are copied as they are: only what stands outside them is changed.
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
                repairs.add("curly quotes")
            at = end + 1
            continue
        depth += (char in "{[") - (char in "}]")
        if char == "," and _CLOSER_NEXT.match(text, at + 1):
            repairs.add("trailing comma")
        else:
            out.append(char)
        at += 1
        if depth == 0:
            return Mended("".join(out), at, tuple(sorted(repairs)))
    return None


def _string_end(text: str, start: int) -> int | None:
    """Return where the string at ``start`` closes; a curly one only before a colon, comma or bracket."""
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
    """Return a string literal with straight delimiters, escaping the straight quotes inside a curly one."""
    if string[0] == '"':
        return string
    inner = re.sub(r'(?<!\\)"', r"\\" + '"', string[1:-1])
    return f'"{inner}"'
