"""What running needs, asked of the packages that are installed: another source than the lock's own notes."""

import importlib.metadata
from collections.abc import Iterable

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def asks(name: str, extra: str) -> list[Requirement]:
    """Return what an installed package asks for here, with one of its extras."""
    found = map(Requirement, importlib.metadata.requires(name) or [])
    return [wanted for wanted in found if not wanted.marker or wanted.marker.evaluate({"extra": extra})]


def wanted_for_running(extras: Iterable[str] = ()) -> set[str]:
    """Return the names of all that the project asks for, with some of its extras."""
    waiting = [wanted for extra in ("", *extras) for wanted in asks("swe-assets", extra)]
    reached: set[tuple[str, str]] = set()
    while waiting:
        wanted = waiting.pop()
        for extra in ("", *wanted.extras):
            name = (str(canonicalize_name(wanted.name)), extra)
            if name not in reached:
                reached.add(name)
                waiting += asks(wanted.name, extra)
    return {name for name, _ in reached}
