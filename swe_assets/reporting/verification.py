"""Whether two analyses are the same, and if not which table and cell differs."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from swe_assets.reporting.tables import Analysis, Table

_SHOWN = 60


def differences(stored: Analysis, computed: Analysis) -> list[str]:
    """Return one line for each place where a stored analysis is not what was computed; none if all is same.

    Numbers are compared exactly. A line names the table, the row (by its place from 1 and its first cell) and
    the column, with both values.
    """
    found = list(_named("title", stored.title, computed.title))
    found += _mappings("manifest", stored.manifest, computed.manifest)
    found += _mappings("texts", stored.texts, computed.texts)
    for name in dict.fromkeys((*stored.tables, *computed.tables)):
        if name not in stored.tables or name not in computed.tables:
            where = "is not stored" if name in computed.tables else "is stored, but not computed"
            found.append(f"table {name!r} {where}")
        else:
            found += _tables(stored.tables[name], computed.tables[name])
    return found


def worded_as(computed: Analysis, stored: Analysis) -> Analysis:
    """Return an analysis with the titles, headings and notes of another, where tables and columns are alike.

    Cells stay as they are, so that another version's words do not hide what its numbers are.
    """
    tables = {
        name: _worded(table, stored.tables[name]) if name in stored.tables else table
        for name, table in computed.tables.items()
    }
    return replace(computed, tables=tables)


def _worded(computed: Table, stored: Table) -> Table:
    shape, other = ([(c.name, c.kind) for c in table.columns] for table in (computed, stored))
    if shape != other:
        return computed
    return replace(computed, title=stored.title, columns=stored.columns, notes=stored.notes)


def _tables(stored: Table, computed: Table) -> Iterator[str]:
    where = f"table {stored.name!r}"
    if stored.columns != computed.columns:
        yield from _named(f"{where}, columns", stored.names, computed.names, always=True)
        return
    for part in ("title", "notes", "marks"):
        yield from _named(f"{where}, {part}", getattr(stored, part), getattr(computed, part))
    yield from _named(f"{where}, number of rows", len(stored.rows), len(computed.rows))
    for place, (old, new) in enumerate(zip(stored.rows, computed.rows, strict=False), start=1):
        for column, before, after in zip(stored.names, old, new, strict=True):
            first = f" ({old[0]!s:.{_SHOWN}})" if old else ""
            yield from _named(f"{where}, row {place}{first}, column {column!r}", before, after)


def _mappings(where: str, stored: Mapping[str, Any], computed: Mapping[str, Any]) -> Iterator[str]:
    for key in dict.fromkeys((*stored, *computed)):
        old, new = stored.get(key), computed.get(key)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            yield from _mappings(f"{where}, {key}", old, new)
        else:
            yield from _named(f"{where}, {key}", old, new)


def _named(where: str, stored: object, computed: object, *, always: bool = False) -> Iterator[str]:
    """Yield a line where two values differ, also where only their types do (1 is not True, nor 1.0)."""
    if always or stored != computed or type(stored) is not type(computed):
        yield f"{where}: stored {_short(stored)}, computed {_short(computed)}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 2 * _SHOWN else f"{text[: 2 * _SHOWN]}…"
