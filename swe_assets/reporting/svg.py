"""A drawing as SVG: with the page's own colours, or whole with its own for a paper."""

from collections.abc import Mapping
from functools import singledispatch
from xml.sax.saxutils import escape, quoteattr

from swe_assets.llm.plain_text import visible
from swe_assets.reporting.drawing import Curve, Dot, Drawing, Line, Mark, Rect, Text
from swe_assets.reporting.palette import LIGHT

Colours = Mapping[str, str] | None
FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"


def page_svg(drawing: Drawing, *, label: str, css_class: str = "") -> str:
    """Return a drawing for a page: its colours are the page's CSS variables, its label is read aloud."""
    named = f" class={quoteattr(css_class)}" if css_class else ""
    head = f'<svg{named} role="img" aria-label={quoteattr(_clean(label))}'
    return f"{head} {_size(drawing)}>{_body(drawing, None)}</svg>"


def paper_svg(drawing: Drawing, *, title: str) -> str:
    """Return a drawing as a file of its own: light colours on white paper, its title within."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {_size(drawing)} font-family="{FONT}">'
    paper = f'<rect width="100%" height="100%" fill="{LIGHT["paper"]}"/>'
    named = f"<title>{escape(_clean(title))}</title>"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}{named}{paper}{_body(drawing, LIGHT)}</svg>\n'


def _size(drawing: Drawing) -> str:
    width, height = _n(drawing.width), _n(drawing.height)
    return f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'


def _body(drawing: Drawing, colours: Colours) -> str:
    return "".join(_mark(mark, colours) for mark in drawing.marks)


@singledispatch
def _mark(mark: Mark, colours: Colours) -> str:
    raise TypeError(f"{mark!r} is no mark to draw in colours {colours!r}")


@_mark.register
def _rect(mark: Rect, colours: Colours) -> str:
    box = f'x="{_n(mark.x)}" y="{_n(mark.y)}" width="{_n(mark.width)}" height="{_n(mark.height)}"'
    faint = "" if mark.opacity == 1 else f' fill-opacity="{mark.opacity:.3g}"'
    return f"<rect {box} {_paint(colours, fill=mark.role)}{faint}/>"


@_mark.register
def _line(mark: Line, colours: Colours) -> str:
    ends = f'x1="{_n(mark.x1)}" y1="{_n(mark.y1)}" x2="{_n(mark.x2)}" y2="{_n(mark.y2)}"'
    dashes = ' stroke-dasharray="3 3"' if mark.dashed else ""
    return f'<line {ends} {_paint(colours, stroke=mark.role)} stroke-width="{_n(mark.width)}"{dashes}/>'


@_mark.register
def _curve(mark: Curve, colours: Colours) -> str:
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in mark.points)
    stroke = _paint(colours, stroke=mark.role)
    return f'<polyline points="{points}" {stroke} fill="none" stroke-width="{_n(mark.width)}"/>'


@_mark.register
def _dot(mark: Dot, colours: Colours) -> str:
    x, y, r = mark.x, mark.y, mark.radius
    paint = _paint(colours, fill="paper" if mark.hollow else mark.role, stroke=mark.role)
    paint += ' stroke-width="1.5"'
    if mark.shape == "round":
        return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}" {paint}/>'
    if mark.shape == "square":
        side = _n(2 * r)
        return f'<rect x="{_n(x - r)}" y="{_n(y - r)}" width="{side}" height="{side}" {paint}/>'
    corners = ((x, y - 1.3 * r), (x + 1.3 * r, y), (x, y + 1.3 * r), (x - 1.3 * r, y))
    return f'<polygon points="{" ".join(f"{_n(a)},{_n(b)}" for a, b in corners)}" {paint}/>'


@_mark.register
def _text(mark: Text, colours: Colours) -> str:
    anchor = "" if mark.anchor == "start" else f' text-anchor="{mark.anchor}"'
    bold = ' font-weight="600"' if mark.bold else ""
    turn = f' transform="rotate({_n(-mark.turn)} {_n(mark.x)} {_n(mark.y)})"' if mark.turn else ""
    place = f'x="{_n(mark.x)}" y="{_n(mark.y)}" font-size="{_n(mark.size)}"'
    paint = _paint(colours, fill=mark.role)
    return f"<text {place} {paint}{anchor}{bold}{turn}>{escape(_clean(mark.text))}</text>"


def _paint(colours: Colours, **roles: str) -> str:
    """Return the attributes that colour a mark: the page's classes, or colours of its own."""
    if colours is not None:
        return " ".join(f'{what}="{colours[role]}"' for what, role in roles.items())
    named = " ".join(f"{what[0]}-{role.replace('_', '-')}" for what, role in roles.items())
    return f'class="{named}"'


def _n(value: float) -> str:
    """Return a coordinate to a hundredth of a pixel, without needless zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _clean(text: str) -> str:
    return visible(text).replace("\n", " ")
