"""Estimates with their intervals, one row a name: the form of a forest plot, for any axis."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from swe_assets.reporting.drawing import Dot, Drawing, Line, Rect, Text, cut, longest
from swe_assets.reporting.figure_style import Style, axis_below, legend
from swe_assets.reporting.scale import Scale, log_ticks, spanned, ticks

Shape = Literal["round", "square", "diamond"]
_PITCH, _PAD, _LABEL = 18.0, 9.0, 17.0  # pixels from estimate to estimate, between rows, of a label's line
_MARGIN, _HEADING = 12.0, 30.0


@dataclass(frozen=True)
class Estimate:
    """One estimate: value (None: there is none), bounds (None: no interval, ±inf: none on that side)."""

    value: float | None
    low: float | None = None
    high: float | None = None
    role: str = "ml"
    shape: Shape = "round"
    hollow: bool = False
    text: str = ""


@dataclass(frozen=True)
class Row:
    """A name and its estimates, drawn below one another; ``together`` draws them on one line instead.

    A row without estimates is the heading of those below it.
    """

    label: str
    estimates: tuple[Estimate, ...]
    together: bool = False

    @property
    def lines(self) -> int:
        """Return how many lines the row's estimates take."""
        return 1 if self.together else max(1, len(self.estimates))


@dataclass(frozen=True)
class Axis:
    """How values are laid out: ends (None: as the values need), where nothing is found, logarithm or not."""

    at: float | None = 0.0
    low: float | None = None
    high: float | None = None
    log: bool = False


def interval_plot(
    rows: Sequence[Row], style: Style, axis: Axis, *, entries: Sequence[tuple[str, str]] = (), title: str = ""
) -> Drawing:
    """Return a plot of rows; ``entries`` (role, words) explain the colours, ``title`` names the axis."""
    drawing = Drawing(style.width)
    top = legend(drawing, entries, _MARGIN, 14, style.width - 2 * _MARGIN) + 6 if entries else 8.0
    texts = [estimate.text for row in rows for estimate in row.estimates]
    label_room = 0.0 if style.narrow else min(longest([row.label for row in rows]) + 14, 0.4 * style.width)
    text_room = 0.0 if style.narrow else longest(texts, 11) + 10
    scale = _scale(rows, axis, _MARGIN + label_room, style.width - _MARGIN - text_room)
    bottom = top + sum(_height(row, style) for row in rows)
    places = (log_ticks if axis.log else ticks)(scale.low, scale.high, 5 if style.narrow else 7)
    axis_below(drawing, scale, places, top, bottom, at=axis.at)
    y = top
    for row in rows:
        _row(drawing, row, scale, style, y, label_room)
        y += _height(row, style)
    if title:
        drawing.add(Text((scale.start + scale.end) / 2, bottom + 32, title, "muted", 11, "middle"))
    drawing.height = bottom + (40 if title else 24)
    return drawing


def _height(row: Row, style: Style) -> float:
    if not row.estimates:
        return _HEADING
    return row.lines * _PITCH + _PAD + (_LABEL if style.narrow else 0)


def _scale(rows: Sequence[Row], axis: Axis, start: float, end: float) -> Scale:
    """Return the axis that holds every bound; of odds it shows at most a thousandfold either way."""
    shown = [
        value
        for row in rows
        for one in row.estimates
        for value in (one.value, one.low, one.high)
        if value is not None and math.isfinite(value) and (value > 0 or not axis.log)
    ]
    if axis.log:
        logs = [min(max(math.log10(value), -3), 3) for value in shown]
        low, high = (10.0**end for end in spanned(logs, around=math.log10(axis.at or 1)))
    else:
        low, high = spanned(shown, around=axis.at)
    low = low if axis.low is None else axis.low
    high = high if axis.high is None else axis.high
    return Scale(low, high, start + 6, end - 6, axis.log)


def _row(drawing: Drawing, row: Row, scale: Scale, style: Style, y: float, label_room: float) -> None:
    """Draw a row's label, and each estimate with its interval and its numbers."""
    if not row.estimates:
        _name(drawing, cut(row.label, style.width - 2 * _MARGIN), y + 20, bold=True)
        return
    first = y + _PAD / 2 + (_LABEL if style.narrow else 0)
    if style.narrow:
        _name(drawing, cut(row.label, style.width - 2 * _MARGIN), y + 15)
    else:
        middle = first + row.lines * _PITCH / 2 + 4
        drawing.add(Text(_MARGIN, middle, cut(row.label, label_room - 6), "ink", 12))
    for place, estimate in enumerate(row.estimates):
        at = first + (0 if row.together else place * _PITCH) + _PITCH / 2
        _estimate(drawing, estimate, scale, at)
        if estimate.text and not style.narrow:
            drawing.add(Text(style.width - _MARGIN, at + 4, estimate.text, "muted", 11, "end"))
    if style.narrow and (len(row.estimates) == 1 or row.together):
        told = next((one.text for one in row.estimates if one.text), "")
        if longest([told], 10) <= style.width - 2 * _MARGIN - longest([row.label]) - 8:
            right = style.width - _MARGIN
            drawing.add(Rect(right - longest([told], 10), y + 4, longest([told], 10), 14, "paper"))
            drawing.add(Text(right, y + 15, told, "muted", 10, "end"))


def _name(drawing: Drawing, label: str, y: float, *, bold: bool = False) -> None:
    """Write a name that lies over the plot, its own paper beneath it."""
    drawing.add(Rect(_MARGIN - 2, y - 12, longest([label]) + 4, 15, "paper"))
    drawing.add(Text(_MARGIN, y, label, "ink", 12, bold=bold))


def _estimate(drawing: Drawing, one: Estimate, scale: Scale, y: float) -> None:
    if one.low is not None and one.high is not None:
        low, high = _end(one.low, scale), _end(one.high, scale)
        drawing.add(Line(scale.at(low), y, scale.at(high), y, one.role, 2))
        for bound, end, way in ((one.low, low, 1), (one.high, high, -1)):
            if scale.beyond(bound):
                x = scale.at(end)
                drawing.add(
                    Line(x, y, x + 5 * way, y - 4, one.role, 2), Line(x, y, x + 5 * way, y + 4, one.role, 2)
                )
    if one.value is None:
        return
    held = min(max(one.value, scale.low), scale.high)
    drawing.add(Dot(scale.at(held), y, 4, one.role, one.shape, one.hollow))


def _end(bound: float, scale: Scale) -> float:
    return min(max(bound, scale.low), scale.high)
