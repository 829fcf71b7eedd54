"""What a report is made of: columns, tables and the analysis that holds them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from swe_assets.statistics.undefined import Undefined

Words: TypeAlias = Mapping[str, str]
"""One text in every language of the report: ``{"pt": …, "en": …}``."""
Kind: TypeAlias = Literal["id", "text", "integer", "number", "p", "share", "ratio", "truth"]
KINDS = ("id", "text", "integer", "number", "p", "share", "ratio", "truth")


@dataclass(frozen=True)
class Column:
    """A column's name (as in the CSV), its heading in words, and what kind of value it holds.

    ``share`` is between 0 and 1, ``ratio`` an odds or other ratio above 0, ``p`` a probability of a test,
    ``truth`` a bool, ``id`` the name of an instance, term or measure that is not translated.
    """

    name: str
    label: Words
    kind: Kind


@dataclass(frozen=True)
class Table:
    """Rows under columns; a cell is a text, number or bool, None (absent) or Undefined (with its reason).

    ``marks`` says what the numbers must not be taken for: ``rehearsal``, ``stand_in``, ``small_model``.
    Raises ValueError for a row of another length, a value that is none of these, NaN or infinity.
    """

    name: str
    title: Words
    columns: tuple[Column, ...]
    rows: tuple[tuple[object, ...], ...]
    notes: tuple[Words, ...] = ()
    marks: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Check every row, so that a fault is met where the table is made."""
        for place, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise ValueError(
                    f"table {self.name!r}, row {place}: {len(row)} cells, {len(self.columns)} columns"
                )
            for column, value in zip(self.columns, row, strict=True):
                _check(f"table {self.name!r}, row {place}, {column.name!r}", value)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the columns' names."""
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> tuple[object, ...]:
        """Return the cells of one column from top to bottom; raises ValueError for an unknown name."""
        place = self.names.index(name)
        return tuple(row[place] for row in self.rows)

    def records(self) -> list[dict[str, Any]]:
        """Return each row as a mapping from column name to cell."""
        return [dict(zip(self.names, row, strict=True)) for row in self.rows]


@dataclass(frozen=True)
class Analysis:
    """All tables of one report by name, the manifest of what they were made from, and the long texts.

    ``manifest``: inputs' sha256, versions, models, seeds, commands. ``texts``: by instance id the long texts
    about it (patch, reasoning, …), which no table holds.
    """

    title: str
    tables: Mapping[str, Table]
    manifest: Mapping[str, Any]
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def _check(where: str, value: object) -> None:
    if not (value is None or isinstance(value, str | bool | int | float | Undefined)):
        raise ValueError(f"{where}: {value!r} is no text, number, bool, None or Undefined")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{where}: {value!r}; say Undefined with its reason")
