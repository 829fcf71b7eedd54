"""The flow: what each step keeps as bars, what it loses indented below; the resolved are the solid part."""

from swe_assets.reporting.drawing import Drawing, Line, Rect, Text, wrapped
from swe_assets.reporting.figure_style import Style, Tables, number
from swe_assets.reporting.readable import readable
from swe_assets.reporting.reasons import in_words
from swe_assets.reporting.words import VALUES

_BAR, _LOST, _INDENT = 22.0, 11.0, 26.0


def flow(tables: Tables, style: Style) -> Drawing:
    """Return the flow from the pinned instances to the matrix, top down."""
    rows = tables["flow"].records()
    most = max((number(row["n"]) or 0 for row in rows), default=0) or 1
    room = style.width - 24
    drawing, y = Drawing(style.width), 4.0
    for row in rows:
        n, resolved = number(row["n"]) or 0, number(row["resolved"])
        lost = row["reason"] is not None
        x = 12 + (_INDENT if lost else 0)
        name = in_words(str(row["reason"]), style.lang) if lost else _step(str(row["step"]), style)
        said = f"{row['n']} · {_rate(row, style)}"
        y = _heading(drawing, name, f"− {said}" if lost else said, (x, y), style, lost=lost)
        tall = _LOST if lost else _BAR
        wide = max(room * n / most, 1.5) if n else 0
        wide, role = min(wide, room - (x - 12)), "pos" if lost else "bar"
        drawing.add(Rect(x, y, wide, tall, role, 0.3))
        if resolved is not None and n:
            drawing.add(Rect(x, y, wide * resolved / n, tall, role))
        if lost:
            foot = y + tall / 2
            drawing.add(Line(18, y - 22, 18, foot, "line", 1.5), Line(18, foot, x - 2, foot, "line", 1.5))
        y += tall + (8 if lost else 12)
    drawing.height = y
    return drawing


def flow_alt(tables: Tables, style: Style) -> str:
    """Return the flow's message: from how many to how many, with the resolved rate of both."""
    rows = tables["flow"].records()
    kept = [row for row in rows if row["reason"] is None]
    ends = [
        f"{style.label(str(row['step']))} {row['n']} ({_rate(row, style)})" for row in (kept[0], kept[-1])
    ]
    lost = [f"{in_words(str(r['reason']), style.lang)} {r['n']}" for r in rows if r["reason"] is not None]
    return " → ".join(ends) + (f"; − {', '.join(lost)}" if lost else "")


def _heading(
    drawing: Drawing, name: str, said: str, place: tuple[float, float], style: Style, *, lost: bool
) -> float:
    """Write a row's name and numbers; return the y below them."""
    x, y = place
    size = 11.0 if lost else 13.0
    lines = wrapped(name, style.width - x - 12 - (0 if style.narrow else 190), size, 2)
    for line in lines:
        y += size + 4
        drawing.add(Text(x, y, line, "ink", size, bold=not lost))
    if style.narrow:
        y += 14
        drawing.add(Text(x, y, said, "muted", 11))
    else:
        drawing.add(Text(style.width - 12, y, said, "muted", 12, "end"))
    return y + 5


def _step(step: str, style: Style) -> str:
    """Return what is left at a step in words; a step without words of its own is one that was passed."""
    return style.label(step) if step in VALUES else f"{style.word('after')} {step}"


def _rate(row: dict[str, object], style: Style) -> str:
    rate = number(row["rate"])
    if rate is None:
        return style.word("unknown_rate")
    return f"{readable(rate, 'share', style.lang)} {style.word('of_resolved')}"
