"""What the page's script reads: instances as plain rows, long texts and CSV files compressed."""

import base64
import gzip
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from swe_assets.llm.plain_text import visible
from swe_assets.reporting.figure_style import Marked
from swe_assets.reporting.readable import readable
from swe_assets.reporting.reasons import in_words
from swe_assets.reporting.table_shape import Analysis, Column, Table
from swe_assets.reporting.tables import to_csv
from swe_assets.reporting.words import mark_word, named, word
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    from markupsafe import Markup

SIDES = ("base_", "delta_")
FIRST = ("instance_id", "pass@1", "resolve_issue", "score_confianca")
"""The columns that are shown first, where they are there."""
SCRIPT_WORDS = (
    "count", "page_of", "none_found", "details_of", "no_texts", "text_failed", "measure", "total", "base",
    "delta", "yes", "no", "sort_by",
)  # fmt: skip


def packed(content: bytes) -> str:
    """Return bytes compressed with gzip (RFC 1952, no name, no time) and written in base64."""
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode("ascii")


def block(value: object) -> "Markup":
    """Return a value as JSON that may stand in a script element: no markup begins within it."""
    from markupsafe import Markup

    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))  # noqa: S704 # no markup is left in it


def csv_block(analysis: Analysis) -> dict[str, str]:
    """Return the CSV of each table, packed: the very bytes of tables/NAME.csv."""
    return {name: packed(to_csv(table)) for name, table in analysis.tables.items()}


def text_block(texts: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return the long texts of each instance, packed: JSON of [name, text] in their order."""
    found = {}
    for key, named_texts in texts.items():
        pairs = [[visible(name), visible(text)] for name, text in named_texts.items() if text]
        if pairs:
            found[visible(key)] = packed(json.dumps(pairs, ensure_ascii=True).encode("ascii"))
    return found


def instance_block(table: Table, lang: str, marked: Marked) -> dict[str, Any]:
    """Return the instances for the script: columns with kind, heading, marks and place, and rows of values.

    A column whose every cell is empty is left out. ``side`` is base or delta where the column is a measure's
    on that side, ``of`` its measure; these stand in an instance's details only.
    """
    columns = []
    for at, column in enumerate(table.columns):
        if any(row[at] is not None for row in table.rows):
            columns.append((at, column))
    columns.sort(key=lambda one: (_order(one[1]), one[0]))
    shown = [
        {
            "name": column.name,
            "label": visible(column.label[lang]),
            "kind": column.kind,
            "marks": [mark_word(mark, lang) for mark in marked.get(column.name, ())],
            **_side(column.name),
        }
        for _at, column in columns
    ]
    rows = [[_value(row[at], column.kind, lang) for at, column in columns] for row in table.rows]
    return {"columns": shown, "rows": rows, "words": {key: word(key, lang) for key in SCRIPT_WORDS}}


def _order(column: Column) -> int:
    """Return where a column stands: those named first, then numbers, then texts."""
    if column.name in FIRST:
        return FIRST.index(column.name)
    return len(FIRST) + (column.kind in ("id", "text"))


def _side(name: str) -> dict[str, str]:
    side = next((side for side in SIDES if name.startswith(side)), "")
    return {"side": side.removesuffix("_"), "of": name.removeprefix(side)} if side else {}


def _value(value: object, kind: str, lang: str) -> object:
    """Return a cell as the script shows and sorts it: numbers as such, rounded to what a reader needs."""
    if isinstance(value, Undefined):
        return readable(value, kind, lang)
    if isinstance(value, str):
        return visible(named(value, lang) if kind == "id" else in_words(value, lang))
    return round(value, 6) if isinstance(value, float) else value
