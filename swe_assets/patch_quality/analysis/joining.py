"""The inner join of tables on instance_id, one row an instance."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from swe_assets.errors import MatrixError


@dataclass(frozen=True)
class Joined:
    """The joined rows in the first table's order, and the tables that each other id is missing from."""

    rows: Mapping[str, tuple[Any, ...]]
    missing: Mapping[str, tuple[str, ...]]


def inner_join(tables: Mapping[str, Iterable[tuple[str, Any]]]) -> Joined:
    """Return the instances that every named table has, each with its value of every table.

    A table is a sequence of (instance_id, value). Ids are compared as text, exactly.
    Raises MatrixError that names table and ids where an id occurs twice in one table.
    """
    keyed = {name: _by_id(name, list(rows)) for name, rows in tables.items()}
    every = dict.fromkeys(key for table in keyed.values() for key in table)
    lacking = {key: tuple(name for name, table in keyed.items() if key not in table) for key in every}
    rows = {key: tuple(table[key] for table in keyed.values()) for key, names in lacking.items() if not names}
    return Joined(rows, {key: names for key, names in lacking.items() if names})


def _by_id(name: str, rows: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return a table keyed by id."""
    doubled = [key for key, times in Counter(key for key, _ in rows).items() if times > 1]
    if doubled:
        raise MatrixError(
            f"table {name!r} has instance_id twice: {', '.join(doubled)}; keep one row an instance"
        )
    return dict(rows)
