"""Tables as the page shows them: cells in words, why one is undefined, marks where they belong."""

from collections.abc import Sequence
from dataclasses import dataclass

from swe_assets.llm.plain_text import visible
from swe_assets.reporting.figure_style import Marked
from swe_assets.reporting.latex import mark_words
from swe_assets.reporting.readable import readable
from swe_assets.reporting.reasons import in_words
from swe_assets.reporting.table_shape import Table
from swe_assets.reporting.words import LANGUAGES, mark_word, named, word
from swe_assets.statistics.undefined import Undefined

MOST_ROWS = 500  # rows of a table that are written on the page; the CSV has them all
SHORT = 34  # letters of a text that is kept on one line
LONG = 100  # rows beyond which a table stays folded in print
_LEFT = {"id", "text"}


@dataclass(frozen=True)
class Badge:
    """A mark as it is shown: its kind, its short word, and what it says in full."""

    mark: str
    short: str
    full: str


@dataclass(frozen=True)
class Cell:
    """A cell in words, why it has none, the marks of what it names, and whether it is a number."""

    text: str
    reason: str = ""
    badges: tuple[Badge, ...] = ()
    numeric: bool = False

    @property
    def css(self) -> str:
        """Return the class that sets a cell: numbers flush right, short texts on one line."""
        return "n" if self.numeric else "s" if len(self.text) <= SHORT else "t"


@dataclass(frozen=True)
class PageTable:
    """A table ready for the page."""

    name: str
    title: str
    badges: tuple[Badge, ...]
    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...]
    reasons: tuple[str, ...]
    count: int

    @property
    def long(self) -> bool:
        """Return whether the table stays folded in print."""
        return self.count > LONG

    @property
    def cut(self) -> bool:
        """Return whether the page shows only the first rows."""
        return self.count > len(self.rows)


def badges(marks: Sequence[str] | frozenset[str], lang: str) -> tuple[Badge, ...]:
    """Return marks as they are shown, in the order of their names."""
    return tuple(Badge(mark, mark_word(mark, lang), mark_words(mark, lang)) for mark in sorted(marks))


def page_table(table: Table, lang: str, marked: Marked) -> PageTable:
    """Return a table in a language; names of marked measures bear their marks, in cells and in headings."""
    kept = [at for at, column in enumerate(table.columns) if not _other_language(column.name, lang)]
    columns = [table.columns[at] for at in kept]
    shown = [[row[at] for at in kept] for row in table.rows[:MOST_ROWS]]
    undefined = (v.reason for row in shown for v in row if isinstance(v, Undefined) and not v.infinite)
    return PageTable(
        name=table.name,
        title=visible(table.title[lang]),
        badges=badges(table.marks, lang),
        header=tuple(
            Cell(
                visible(column.label[lang]),
                badges=badges(marked.get(column.name, ()), lang),
                numeric=column.kind not in _LEFT,
            )
            for column in columns
        ),
        rows=tuple(
            tuple(cell(value, column.kind, lang, marked) for value, column in zip(row, columns, strict=True))
            for row in shown
        ),
        notes=tuple(visible(note[lang]) for note in table.notes),
        reasons=tuple(visible(in_words(reason, lang)) for reason in dict.fromkeys(undefined)),
        count=len(table.rows),
    )


def _other_language(name: str, lang: str) -> bool:
    """Return whether a column holds words of another language than the page's."""
    return any(name == other or name.endswith(f"_{other}") for other in LANGUAGES if other != lang)


def cell(value: object, kind: str, lang: str, marked: Marked) -> Cell:
    """Return one cell; an undefined one says why, and the name of a marked measure bears its marks."""
    numeric = kind not in _LEFT
    if isinstance(value, Undefined):
        why = visible(in_words(value.reason, lang))
        return Cell(readable(value, kind, lang), f"{word('undefined', lang)}: {why}", numeric=numeric)
    if kind == "id" and isinstance(value, str):
        marks = {mark for part in value.removesuffix("_log").split(" × ") for mark in marked.get(part, ())}
        return Cell(visible(named(value, lang)), badges=badges(frozenset(marks), lang))
    shown = in_words(value, lang) if isinstance(value, str) else readable(value, kind, lang)
    return Cell(visible(shown), numeric=numeric)
