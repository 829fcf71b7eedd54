"""An analysis as plain tables: everything a report shows, to the last digit, and where it came from."""

import json
from collections.abc import Mapping
from typing import Any

from swe_assets.errors import ReportError
from swe_assets.reporting.latex import to_latex
from swe_assets.reporting.table_shape import KINDS, Analysis, Column, Kind, Table, Words
from swe_assets.statistics.undefined import Undefined
from swe_assets.storage.csv_text import csv_text

__all__ = ["Analysis", "Column", "Kind", "Table", "Words", "from_json", "to_csv", "to_json", "to_latex"]

FORMAT = 1
UNDEFINED = "undefined"
MARKS = "marks"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_json(analysis: Analysis) -> str:
    """Return an analysis as JSON at full precision: equal analyses give equal text.

    An undefined cell is ``{"undefined": reason}``, with ``"infinite": true`` where its limit is infinity.
    """
    record = {
        "format": FORMAT,
        "title": analysis.title,
        "manifest": analysis.manifest,
        "tables": {name: _table_record(table) for name, table in analysis.tables.items()},
        "texts": analysis.texts,
    }
    return json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def from_json(text: str) -> Analysis:
    """Return the analysis that ``to_json`` wrote.

    Raises ReportError for a text that is no JSON, of another format, or not shaped like an analysis.
    """
    try:
        record = json.loads(text)
        if record["format"] != FORMAT:
            raise ReportError(f"an analysis of format {record['format']!r}; this version reads {FORMAT}")
        tables = {name: _table_of(name, table) for name, table in record["tables"].items()}
        return Analysis(record["title"], tables, record["manifest"], record["texts"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as wrong:
        raise ReportError(f"not an analysis as analysis.json holds one: {wrong!r}; make it again") from wrong


def to_csv(table: Table) -> bytes:
    """Return a table as UTF-8 CSV at full precision.

    None and undefined are empty cells; where a cell is undefined a last column ``undefined`` says which and
    why. A table that bears marks has them in each row, under ``marks``. A text that a spreadsheet would take
    for a formula is led by an apostrophe.
    """
    why = [_reasons(table, row) for row in table.rows]
    header, rows = list(table.names), [[_cell(value) for value in row] for row in table.rows]
    if table.marks and MARKS not in header:
        header.append(MARKS)
        rows = [[*row, " ".join(sorted(table.marks))] for row in rows]
    if any(why):
        header.append(UNDEFINED)
        rows = [[*row, reason] for row, reason in zip(rows, why, strict=True)]
    return csv_text(header, rows).encode("utf-8", "backslashreplace")


def _table_record(table: Table) -> dict[str, Any]:
    return {
        "title": dict(table.title),
        "columns": [{"name": c.name, "label": dict(c.label), "kind": c.kind} for c in table.columns],
        "rows": [[_value_record(value) for value in row] for row in table.rows],
        "notes": [dict(note) for note in table.notes],
        "marks": sorted(table.marks),
    }


def _value_record(value: object) -> object:
    if not isinstance(value, Undefined):
        return value
    return {UNDEFINED: value.reason} | ({"infinite": True} if value.infinite else {})


def _table_of(name: str, record: Mapping[str, Any]) -> Table:
    columns = tuple(Column(c["name"], c["label"], _kind(c["kind"])) for c in record["columns"])
    rows = tuple(tuple(_value_of(value) for value in row) for row in record["rows"])
    return Table(name, record["title"], columns, rows, tuple(record["notes"]), frozenset(record["marks"]))


def _kind(kind: Any) -> Kind:
    if kind not in KINDS:
        raise ValueError(f"a column of kind {kind!r}; known: {', '.join(KINDS)}")
    found: Kind = kind
    return found


def _value_of(value: object) -> object:
    if isinstance(value, dict):
        return Undefined(str(value[UNDEFINED]), infinite=bool(value.get("infinite")))
    return value


def _cell(value: object) -> str:
    if value is None or isinstance(value, Undefined):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    return repr(value)


def _reasons(table: Table, row: tuple[object, ...]) -> str:
    named = zip(table.names, row, strict=True)
    return "; ".join(f"{name}: {value.reason}" for name, value in named if isinstance(value, Undefined))
