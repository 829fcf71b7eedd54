"""What every figure is drawn with: language, room, and the marks that a name must bear."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from swe_assets.reporting.drawing import Drawing, Line, Rect, Text
from swe_assets.reporting.readable import number_words
from swe_assets.reporting.scale import Scale, short
from swe_assets.reporting.table_shape import Table
from swe_assets.reporting.words import mark_word, named, word
from swe_assets.statistics.undefined import Undefined

Tables: TypeAlias = Mapping[str, Table]
Marked: TypeAlias = Mapping[str, Sequence[str]]
WIDE, NARROW = 760.0, 350.0


@dataclass(frozen=True)
class Style:
    """The language, the width in pixels, and the marks by measure (``{"M_defesa": ["rehearsal"]}``)."""

    lang: str
    width: float = WIDE
    marked: Marked = field(default_factory=dict)

    @property
    def narrow(self) -> bool:
        """Return whether the figure is for a phone."""
        return self.width < 500

    def word(self, key: str) -> str:
        """Return the page's words for a key."""
        return word(key, self.lang)

    def marks(self, name: str) -> tuple[str, ...]:
        """Return the marks of a measure or term; a term's ``_log`` says how it was scaled."""
        parts = name.removesuffix("_log").split(" × ")
        return tuple(dict.fromkeys(mark for part in parts for mark in self.marked.get(part, ())))

    def label(self, name: str) -> str:
        """Return a measure's name with its marks in place: ``M_defesa [rehearsal]``."""
        marks = "".join(f" [{mark_word(mark, self.lang)}]" for mark in self.marks(name))
        return f"{named(name, self.lang)}{marks}"


Draw: TypeAlias = Callable[[Tables, Style], Drawing]


def number(cell: object) -> float | None:
    """Return a cell as a number, None where it is absent, undefined, or a text."""
    return float(cell) if isinstance(cell, int | float) else None


def infinite(cell: object) -> bool:
    """Return whether a cell is undefined because it has no bound."""
    return isinstance(cell, Undefined) and cell.infinite


def said(cell: object, decimals: int = 3) -> str:
    """Return a cell's number in words, ∞ or a dash where it has none."""
    found = number(cell)
    if found is None:
        return "∞" if infinite(cell) else "–"
    return number_words(found, decimals).replace("-", "−")


def axis_below(
    drawing: Drawing,
    scale: Scale,
    places: Sequence[float],
    top: float,
    bottom: float,
    *,
    at: float | None = None,
) -> None:
    """Draw an axis along the foot of a plot: light verticals, numbers below, a strong line ``at`` a value."""
    for place in places:
        x = scale.at(place)
        drawing.add(Line(x, top, x, bottom, "grid"))
        drawing.add(Text(x, bottom + 15, short(place), "muted", 11, "middle"))
    if at is not None:
        drawing.add(Line(scale.at(at), top, scale.at(at), bottom, "muted", 1.2))
    drawing.add(Line(scale.start, bottom, scale.end, bottom, "line"))


def legend(drawing: Drawing, entries: Sequence[tuple[str, str]], x: float, y: float, room: float) -> float:
    """Write (role, words) in a row that wraps, each behind a swatch; return the y below it."""
    from swe_assets.reporting.drawing import text_width

    left = x
    for role, text in entries:
        wide = text_width(text, 11) + 30
        if left > x and left + wide > x + room:
            left, y = x, y + 18
        drawing.add(Rect(left, y - 9, 12, 10, role), Text(left + 17, y, text, "muted", 11))
        left += wide
    return y + 10
