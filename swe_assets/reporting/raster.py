"""A drawing as a picture of 300 dots to the inch, the same bytes for the same drawing."""

import io
import warnings
from functools import singledispatch
from typing import TYPE_CHECKING

from swe_assets.llm.plain_text import visible
from swe_assets.reporting.drawing import Curve, Dot, Drawing, Line, Mark, Rect, Text
from swe_assets.reporting.palette import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DPI = 300
_INCH, _POINT = 96, 0.75  # pixels to the inch, points to the pixel
_SHAPES = {"round": "o", "square": "s", "diamond": "D"}
_ANCHORS = {"start": "left", "middle": "center", "end": "right"}


def png(drawing: Drawing, *, dpi: int = DPI) -> bytes:
    """Return a drawing as a PNG on white paper; a drawing 760 pixels wide is 2375 dots wide at 300 dpi.

    Neither the reader's own style nor the clock has a part in the bytes.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    image = io.BytesIO()
    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()
        warnings.simplefilter("ignore", UserWarning)  # a text may use letters that the font lacks
        size = (drawing.width / _INCH, drawing.height / _INCH)
        figure = Figure(figsize=size, dpi=dpi, facecolor=LIGHT["paper"])
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, drawing.width)
        axes.set_ylim(drawing.height, 0)
        for order, mark in enumerate(drawing.marks):
            _mark(mark, axes, order)
        figure.savefig(image, format="png", dpi=dpi, metadata={"Software": None})
    return image.getvalue()


@singledispatch
def _mark(mark: Mark, axes: "Axes", order: int) -> None:
    raise TypeError(f"{mark!r} (number {order}) is no mark for {axes!r}")


@_mark.register(Rect)
def _rect(mark: Rect, axes: "Axes", order: int) -> None:
    from matplotlib.patches import Rectangle

    box = Rectangle((mark.x, mark.y), mark.width, mark.height, linewidth=0, zorder=order)
    box.set(facecolor=LIGHT[mark.role], alpha=mark.opacity)
    axes.add_patch(box)


@_mark.register(Line)
def _line(mark: Line, axes: "Axes", order: int) -> None:
    _stroke(axes, [(mark.x1, mark.y1), (mark.x2, mark.y2)], mark, order, dashed=mark.dashed)


@_mark.register(Curve)
def _curve(mark: Curve, axes: "Axes", order: int) -> None:
    _stroke(axes, mark.points, mark, order)


@_mark.register(Dot)
def _dot(mark: Dot, axes: "Axes", order: int) -> None:
    from matplotlib.lines import Line2D

    size = 2 * mark.radius * _POINT
    dot = Line2D([mark.x], [mark.y], marker=_SHAPES[mark.shape], markersize=size, zorder=order)
    dot.set_markerfacecolor(LIGHT["paper" if mark.hollow else mark.role])
    dot.set_markeredgecolor(LIGHT[mark.role])
    dot.set_markeredgewidth(1.5 * _POINT)
    axes.add_line(dot)


@_mark.register(Text)
def _text(mark: Text, axes: "Axes", order: int) -> None:
    axes.text(
        mark.x,
        mark.y,
        visible(mark.text).replace("\n", " "),
        color=LIGHT[mark.role],
        fontsize=mark.size * _POINT * 0.92,  # DejaVu Sans runs wider than the page's fonts
        ha=_ANCHORS[mark.anchor],
        va="baseline",
        weight="bold" if mark.bold else "normal",
        rotation=mark.turn,
        rotation_mode="anchor",
        parse_math=False,
        zorder=order,
    )


def _stroke(
    axes: "Axes", points: "tuple[tuple[float, float], ...] | list[tuple[float, float]]", mark: Line | Curve,
    order: int, *, dashed: bool = False,
) -> None:  # fmt: skip
    from matplotlib.lines import Line2D

    across, down = zip(*points, strict=True)
    stroke = Line2D(across, down, color=LIGHT[mark.role], linewidth=mark.width * _POINT, zorder=order)
    stroke.set_linestyle((0, (3, 3)) if dashed else "-")
    axes.add_line(stroke)
