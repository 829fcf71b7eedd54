"""The distributions: a small histogram for each measure, its median marked."""

from swe_assets.reporting.drawing import Drawing, Line, Rect, Text, cut
from swe_assets.reporting.figure_style import Style, Tables, number, said
from swe_assets.reporting.scale import Scale, short

_TALL, _HEAD, _FOOT, _GAP = 76.0, 36.0, 22.0, 18.0


def distributions(tables: Tables, style: Style) -> Drawing:
    """Return the histograms in a grid, four to a row, on a phone two."""
    columns = 2 if style.narrow else 4
    side = (style.width - 16 - _GAP * (columns - 1)) / columns
    drawing = Drawing(style.width)
    shown = tables["distributions"].records()
    bars: dict[str, list[tuple[float, float, float]]] = {}
    for row in tables["histograms"].records():
        low, high, n = (float(row[name]) for name in ("low", "high", "n"))
        bars.setdefault(str(row["column"]), []).append((low, high, n))
    pitch = _HEAD + _TALL + _FOOT + 8
    for place, row in enumerate(shown):
        left = 8 + (place % columns) * (side + _GAP)
        top = (place // columns) * pitch
        _panel(drawing, row, bars.get(str(row["column"]), []), (left, top, side), style)
    drawing.height = max(1, -(-len(shown) // columns)) * pitch
    return drawing


def distributions_alt(tables: Tables, style: Style) -> str:
    """Return the figure's message: each measure's median."""
    rows = tables["distributions"].records()
    return "; ".join(f"{row['column']}: {style.word('median')} {_median(row)}" for row in rows)


def _median(row: dict[str, object]) -> str:
    found = number(row["median"])
    return said(row["median"]) if found is None else short(found)


def _panel(
    drawing: Drawing,
    row: dict[str, object],
    bars: list[tuple[float, float, float]],
    box: tuple[float, float, float],
    style: Style,
) -> None:
    left, top, side = box
    drawing.add(Text(left, top + 14, cut(style.label(str(row["column"])), side, 11), "ink", 11, bold=True))
    middle = f"{style.word('median')} {_median(row)}"
    drawing.add(Text(left, top + 28, cut(middle, side, 10), "muted", 10))
    foot = top + _HEAD + _TALL
    drawing.add(Line(left, foot, left + side, foot, "line"))
    if not bars:
        drawing.add(Text(left, foot - 30, style.word("no_value"), "muted", 10))
        return
    low, high = bars[0][0], bars[-1][1]
    scale = Scale(low, high if high > low else low + 1, left, left + side)
    most = max(n for _low, _high, n in bars) or 1
    for start, end, n in bars:
        tall = max(_TALL * n / most, 1.0) if n else 0.0
        wide = max(scale.at(end) - scale.at(start) - 1, 0.5)
        drawing.add(Rect(scale.at(start), foot - tall, wide, tall, "bar", 0.75))
    each = all(end - start == 1 for start, end, _n in bars) and len(bars) <= 12
    _middle(drawing, number(row["median"]), scale, foot, 0.5 if each else 0.0)
    for value, place, anchor in _ends(bars, scale, each=each):
        drawing.add(Text(place, foot + 14, short(value), "muted", 10, "start" if anchor else "end"))


def _middle(drawing: Drawing, median: float | None, scale: Scale, foot: float, shift: float) -> None:
    if median is not None:
        x = scale.at(median + shift)
        drawing.add(Line(x, foot - _TALL, x, foot + 3, "ink", 1.5))


def _ends(
    bars: list[tuple[float, float, float]], scale: Scale, *, each: bool
) -> list[tuple[float, float, bool]]:
    """Return (value, pixel, whether it is the left one) of both ends; of whole values the values' own."""
    return [(bars[0][0], scale.start, True), (bars[-1][0 if each else 1], scale.end, False)]
