"""A figure as plain marks on a plane: drawn once, shown on a page, in a paper and as a picture alike."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Anchor: TypeAlias = Literal["start", "middle", "end"]
_NARROW, _WIDE = frozenset("iljtfrI.,:;'|!()[]-·1 "), frozenset("mwMWQOGD@%—→")


@dataclass(frozen=True)
class Rect:
    """A filled box; ``opacity`` lets the paper's colour through."""

    x: float
    y: float
    width: float
    height: float
    role: str
    opacity: float = 1.0


@dataclass(frozen=True)
class Line:
    """A straight stroke."""

    x1: float
    y1: float
    x2: float
    y2: float
    role: str
    width: float = 1.0
    dashed: bool = False


@dataclass(frozen=True)
class Curve:
    """A stroke through points in turn."""

    points: tuple[tuple[float, float], ...]
    role: str
    width: float = 1.5


@dataclass(frozen=True)
class Dot:
    """A marker: round, square or a diamond, so that no meaning hangs on its colour alone."""

    x: float
    y: float
    radius: float
    role: str
    shape: Literal["round", "square", "diamond"] = "round"
    hollow: bool = False


@dataclass(frozen=True)
class Text:
    """One line of text, its baseline at y; ``turn`` in degrees, counter-clockwise about its anchor."""

    x: float
    y: float
    text: str
    role: str = "ink"
    size: float = 12.0
    anchor: Anchor = "start"
    bold: bool = False
    turn: float = 0.0


Mark: TypeAlias = Rect | Line | Curve | Dot | Text


@dataclass
class Drawing:
    """Marks on a plane of some width and height in CSS pixels (96 to the inch), y downwards.

    Colours are named by role (see ``palette``), so that one drawing fits the light and the dark page.
    """

    width: float
    height: float = 0.0
    marks: list[Mark] = field(default_factory=list)

    def add(self, *marks: Mark) -> None:
        """Put marks on top of those that are there."""
        self.marks.extend(marks)


def text_width(text: str, size: float = 12.0) -> float:
    """Return about how wide a line is drawn in pixels, on the safe side for fonts without serifs.

    >>> text_width("iii", 10) < text_width("aaa", 10) < text_width("WWW", 10)
    True
    """
    return size * sum(0.38 if c in _NARROW else 0.9 if c in _WIDE else 0.62 for c in text)


def cut(text: str, room: float, size: float = 12.0) -> str:
    """Return a text that fits into so many pixels, its end replaced by … where it does not."""
    if text_width(text, size) <= room:
        return text
    kept = text
    while kept and text_width(kept + "…", size) > room:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def wrapped(text: str, room: float, size: float = 12.0, most: int = 3) -> list[str]:
    """Return a text in at most so many lines that fit into so many pixels; what is over is cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [cut(line, room, size) for line in lines]


def longest(texts: Sequence[str], size: float = 12.0) -> float:
    """Return the width in pixels of the longest of some lines, 0 for none."""
    return max((text_width(text, size) for text in texts), default=0.0)
