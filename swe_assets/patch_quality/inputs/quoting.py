"""How values written by others are shown in messages: quoted, escaped and short."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any


def quoted(value: Any, *, most: int = 80) -> str:
    """Return a value's repr, with control characters escaped and at most `most` characters of its text."""
    if isinstance(value, str):
        return repr(value) if len(value) <= most else f"{value[:most]!r}… ({len(value)} characters)"
    if isinstance(value, Collection) and len(value) > most:
        return f"a {type(value).__name__} of {len(value)}"
    text = repr(value)
    return text if len(text) <= most else f"{text[:most]}…"


def listed(values: Iterable[Any], *, most: int = 5) -> str:
    """Return the first values quoted, and how many more there are: "'a', 'b' and 3 more"."""
    values = list(values)
    shown = ", ".join(quoted(value) for value in islice(values, most))
    return f"{shown} and {len(values) - most} more" if len(values) > most else shown


@dataclass(frozen=True)
class Note:
    """Something a reader noticed and went on with: a stable code, one sentence and the ids it is about."""

    code: str
    text: str
    ids: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the note as it is written to notes.json."""
        return {"code": self.code, "text": self.text, "ids": list(self.ids)}
