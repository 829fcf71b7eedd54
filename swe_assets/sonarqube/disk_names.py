"""Names on disk for paths that strangers chose: safe in Sonar's patterns, whatever the file system."""

import hashlib
import re
from collections.abc import Iterable

LONGEST_NAME = 100
LONGEST_PATH = 590
"""Characters of a path below its module: with a project key of 400 and a module's name it makes a component's
key, of which the server keeps 1,000."""

_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_RESERVED = frozenset({"sonar-project.properties", "scannerwork"})
_SUFFIX = ".py"
_DEEP = "deep-"
"""How the name of a file that moved to the top begins, and no other name."""


def disk_paths(paths: Iterable[str]) -> dict[str, str]:
    """Return for each path the relative path it gets on disk: the same where it is plain.

    A part that is not (a comma, a glob, a space, a leading dot, anything but ASCII, more than 100 characters,
    a name that Sonar reads as its own) is renamed, its depth kept; so is one that a file system which ignores
    case would take for another. A path that stays too long moves to the top. No two paths get the same name,
    `__init__.py` keeps its own, and the answer depends on nothing but the paths.
    """
    folders: dict[str, dict[str, str]] = {}
    found: dict[str, str] = {}
    for path in sorted(set(paths), key=_order):
        parts = path.split("/")
        at = ""
        for depth, part in enumerate(parts, start=1):
            names = folders.setdefault(at, {})
            if part not in names:
                last = depth == len(parts)
                names[part] = _name(part, {name.lower() for name in names.values()}, is_file=last)
            at = f"{at}/{names[part]}" if at else names[part]
        found[path] = at if len(at) <= LONGEST_PATH else f"{_DEEP}{_short(path)}{_SUFFIX}"
    return found


def _order(path: str) -> tuple[tuple[bool, str], ...]:
    """Sort by parts, `__init__.py` first, so that it is never the one to be renamed."""
    return tuple((part != "__init__.py", part) for part in path.split("/"))


def _name(part: str, taken: set[str], *, is_file: bool) -> str:
    """Return a part as it is where it can stay, else a name with its digest that nothing else has."""
    plain = _PLAIN.fullmatch(part) and len(part) <= LONGEST_NAME and part.lower() not in _RESERVED
    if plain and part.lower() not in taken and not part.lower().startswith(_DEEP):
        return part
    stem = re.sub(r"[^A-Za-z0-9_]", "_", part.removesuffix(_SUFFIX) if is_file else part)[:40]
    suffix = _SUFFIX if is_file else ""
    name, turn = f"{stem}-{_short(part)}{suffix}", 0
    while name.lower() in taken:
        turn += 1
        name = f"{stem}-{_short(part)}-{turn}{suffix}"
    return name


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
