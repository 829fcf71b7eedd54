"""Print the part of requirements.lock that running needs: no test tools, no linters.

`uv pip compile` writes under each package what asked for it (`# via`). What cannot be reached from the
dependencies in pyproject.toml, and from those of the extras that are named, is left out.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

BLOCK = re.compile(r"^[a-z0-9].*(?:\n[ #].*)*", re.MULTILINE | re.IGNORECASE)
VIA = re.compile(r"^ +# +(?:via +)?([a-z0-9][\w.-]*)(?: \(.*\))?$", re.MULTILINE | re.IGNORECASE)


def canonical(requirement: str) -> str:
    """Return the name in a requirement as an index knows it (packaging.python.org, name normalization)."""
    found = re.match(r"[A-Za-z0-9][\w.-]*", requirement.strip())
    if found is None:
        raise SystemExit(f"runtime_lock: {requirement!r} begins with no package's name")
    return re.sub(r"[-_.]+", "-", found.group()).lower()


def blocks(lock: str) -> Iterator[tuple[str, str]]:
    """Yield name and text of each entry; a package has several where the versions go by a marker."""
    for found in BLOCK.finditer(lock):
        yield canonical(found.group()), found.group()


def asked_for(project: str, extras: list[str]) -> set[str]:
    """Return the names of the project's own dependencies and of those of some extras."""
    table = tomllib.loads(project)["project"]
    wanted = list(table["dependencies"])
    for extra in extras:
        wanted += table["optional-dependencies"][extra]
    return {canonical(requirement) for requirement in wanted}


def needed(lock: str, roots: set[str]) -> set[str]:
    """Return the names of roots and of everything that they ask for."""
    asks: dict[str, set[str]] = {}
    for name, text in blocks(lock):
        for parent in VIA.findall(text):
            asks.setdefault(canonical(parent), set()).add(name)
    reached: set[str] = set()
    waiting = set(roots)
    while waiting:
        name = waiting.pop()
        reached.add(name)
        waiting |= asks.get(name, set()) - reached
    return reached


def main(folder: Path, extras: list[str]) -> None:
    """Print the entries that are needed; stop where one of the roots is not in the lock."""
    lock = (folder / "requirements.lock").read_text(encoding="utf-8")
    roots = asked_for((folder / "pyproject.toml").read_text(encoding="utf-8"), extras)
    there = dict(blocks(lock))
    if roots - there.keys():
        raise SystemExit(
            f"runtime_lock: not in requirements.lock: {sorted(roots - there.keys())}; run make lock"
        )
    kept = needed(lock, roots)
    sys.stdout.write("".join(f"{text}\n" for name, text in blocks(lock) if name in kept))


if __name__ == "__main__":
    main(Path(sys.argv[1]), "".join(sys.argv[2:3]).split())
