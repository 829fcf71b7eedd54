"""The figure of a rank correlation: a readable, labelled heatmap with the same bytes for the same numbers."""

import io
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from swe_assets.statistics.rank_correlation import RankCorrelation
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT, _DPI = 9.6, 9.6, 150  # inches, inches, dots an inch
_LINE = 0.021  # the height of a line of notes, as a share of the figure
_LEGEND = "* p < 0.05, sem correção para comparações múltiplas; hachurado: indefinido"


def heatmap_png(ranks: RankCorrelation, names: Sequence[str], *, title: str, notes: Sequence[str]) -> bytes:
    """Return a PNG of the correlations among ``names``, its title with n and its notes written on it.

    Colours run from -1 (blue) over 0 (white) to 1 (red); undefined pairs are grey and hatched.
    """
    import warnings

    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    image = io.BytesIO()
    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()  # the reader's own style must not change the bytes
        warnings.simplefilter("ignore", UserWarning)  # a title may use letters that the font lacks
        figure = Figure(figsize=(_WIDTH, _HEIGHT), dpi=_DPI, facecolor="white")
        FigureCanvasAgg(figure)
        _draw(figure, ranks, names, title, notes)
        figure.savefig(image, format="png", metadata={"Software": None})
    return image.getvalue()


def _draw(
    figure: "Figure", ranks: RankCorrelation, names: Sequence[str], title: str, notes: Sequence[str]
) -> None:
    head = _wrapped(title, 68)[:2]
    foot = [line for note in notes for line in _wrapped(note, 100)[:3]]
    bottom = 0.175 + _LINE * len(foot)
    axes = figure.add_axes((0.2, bottom, 0.68, 0.92 - bottom - 0.02 * len(head)))
    mesh = axes.imshow(_grid(ranks, names), cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto")
    for row, a in enumerate(names):
        for column, b in enumerate(names):
            _cell(axes, column, row, ranks.rho[a, b], ranks.p[a, b])
    _ticks(axes, names)
    bar = figure.colorbar(mesh, cax=figure.add_axes((0.9, bottom, 0.022, 0.92 - bottom - 0.02 * len(head))))
    bar.ax.tick_params(labelsize=9)
    bar.outline.set_visible(False)
    heading = "\n".join([*head, f"Correlação de Spearman (rho), n = {ranks.n}"])
    figure.text(0.5, 0.965, heading, ha="center", va="top", fontsize=13, weight="bold", parse_math=False)
    for number, line in enumerate([_LEGEND, *foot]):
        strong: dict[str, Any] = {"weight": "bold", "color": "#8a1c00"} if number else {"color": "#444444"}
        height = 0.012 + _LINE * (len(foot) - number)
        figure.text(0.5, height, line, ha="center", va="bottom", fontsize=9.5, parse_math=False, **strong)


def _wrapped(text: str, width: int) -> list[str]:
    """Return printable text in lines of at most so many characters."""
    clean = "".join(letter if letter.isprintable() else " " for letter in text)
    return textwrap.wrap(clean, width)


def _grid(ranks: RankCorrelation, names: Sequence[str]) -> list[list[float]]:
    """Return the colours' values; an undefined cell is white under its hatching."""
    values = [[ranks.rho[a, b] for b in names] for a in names]
    return [[0.0 if isinstance(rho, Undefined) else rho for rho in row] for row in values]


def _cell(axes: "Axes", x: int, y: int, rho: Value, p: Value) -> None:
    """Write one value, or hatch the cell that has none."""
    from matplotlib.patches import Rectangle

    if isinstance(rho, Undefined):
        box = Rectangle(
            (x - 0.5, y - 0.5), 1, 1, facecolor="#d9d9d9", edgecolor="#8c8c8c", hatch="///", linewidth=0
        )
        axes.add_patch(box)
        return
    star = "*" if not isinstance(p, Undefined) and p < 0.05 else ""
    colour = "white" if abs(rho) > 0.62 else "#1a1a1a"
    axes.text(x, y, f"{_short(rho)}{star}", ha="center", va="center", fontsize=10.5, color=colour)


def _short(rho: float) -> str:
    """Return rho with two decimals, with three, cut, where two would make it a perfect relation."""
    text = f"{rho:.2f}"
    return (
        f"{int(rho * 1000) / 1000:.3f}"
        if abs(rho) != 1 and text in {"1.00", "-1.00"}
        else text.replace("-0.00", "0.00")
    )


def _ticks(axes: "Axes", names: Sequence[str]) -> None:
    axes.set_xticks(range(len(names)), names, rotation=40, ha="right", rotation_mode="anchor", fontsize=10)
    axes.set_yticks(range(len(names)), names, fontsize=10)
    axes.tick_params(length=0)
    edges = [place - 0.5 for place in range(1, len(names))]
    axes.hlines(edges, -0.5, len(names) - 0.5, color="white", linewidth=1.5)
    axes.vlines(edges, -0.5, len(names) - 0.5, color="white", linewidth=1.5)
    for spine in axes.spines.values():
        spine.set_visible(False)
