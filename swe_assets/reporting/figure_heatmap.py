"""The heatmap: every pair of measures once, its sign by colour, what holds after correction by weight."""

from swe_assets.reporting.drawing import Drawing, Rect, Text, longest
from swe_assets.reporting.figure_style import Style, Tables, number, said
from swe_assets.reporting.table_shape import Table

STRONGEST = 0.55  # opacity of |rho| = 1: text on it stays readable in both themes
_ALPHA = 0.05


def heatmap(tables: Tables, style: Style) -> Drawing:
    """Return the lower triangle of the correlations, names down the side, numbered on the diagonal."""
    drawing = Drawing(style.width)
    drawing.height = triangle(drawing, tables["spearman"], style, 6.0) + 8
    return drawing


def triangle(drawing: Drawing, table: Table, style: Style, top: float) -> float:
    """Draw the lower triangle of a table of pairs below ``top``; return the y of its foot."""
    names = measures(table)
    cells = {frozenset((row["a"], row["b"])): row for row in table.records()}
    size = 10.0 if style.narrow else 12.0
    labels = [f"{place}  {style.label(name)}" for place, name in enumerate(names, start=1)]
    left = min(longest(labels, size) + 12, 0.48 * style.width)
    side = (style.width - left - 6) / max(len(names) - 1, 1)
    height = min(side, 44.0) if not style.narrow else max(side, 24.0)
    for down, name in enumerate(names):
        y = top + down * height
        drawing.add(Text(4, y + height / 2 + 4, labels[down], "ink", size))
        for across, other in enumerate(names[:down]):
            _cell(
                drawing,
                cells.get(frozenset((name, other)), {}),
                (left + across * side, y, side, height),
                style,
            )
        if down < len(names) - 1:
            middle = left + down * side + side / 2
            drawing.add(Text(middle, y + height / 2 + 4, str(down + 1), "muted", size, "middle", bold=True))
    return top + len(names) * height


def measures(table: Table) -> list[str]:
    """Return the measures of a table of pairs in the order in which they come."""
    return list(dict.fromkeys([*map(str, table.column("a")), *map(str, table.column("b"))]))


def heatmap_alt(tables: Tables, style: Style) -> str:
    """Return the heatmap's message: the strongest pairs, and how many hold after correction."""
    rows = [row for row in tables["spearman"].records() if number(row["rho"]) is not None]
    strongest = sorted(rows, key=lambda row: -abs(row["rho"]))[:3]
    pairs = "; ".join(
        f"{row['a']} {style.word('and')} {row['b']} ρ = {said(row['rho'])}" for row in strongest
    )
    held = sum(_below(row["p_holm"]) for row in rows)
    return f"{style.word('strongest')}: {pairs or '–'}. {held}/{len(rows)} {style.word('holm_kept')}."


def _cell(
    drawing: Drawing, row: dict[str, object], box: tuple[float, float, float, float], style: Style
) -> None:
    x, y, width, height = box
    rho = number(row.get("rho"))
    if rho is None:
        drawing.add(Rect(x + 0.5, y + 0.5, width - 1, height - 1, "grid"))
        drawing.add(Text(x + width / 2, y + height / 2 + 4, "–", "muted", 11, "middle"))
        return
    role = "pos" if rho > 0 else "neg"
    drawing.add(Rect(x + 0.5, y + 0.5, width - 1, height - 1, role, max(0.03, STRONGEST * abs(rho))))
    holds, raw = _below(row.get("p_holm")), _below(row.get("p"))
    text = _short(rho, narrow=style.narrow) + ("◦" if raw and not holds else "")
    size = 8.5 if style.narrow else 11.5
    drawing.add(Text(x + width / 2, y + height / 2 + size / 3, text, "ink", size, "middle", bold=holds))


def _short(rho: float, *, narrow: bool) -> str:
    """Return rho with two decimals, never rounded to a perfect relation that it is not."""
    text = f"{rho:.2f}"
    if abs(rho) != 1 and text in {"1.00", "-1.00"}:
        text = f"{int(rho * 1000) / 1000:.3f}"
    text = text.replace("-0.00", "0.00").replace("-", "−")
    return text.replace("0.", ".") if narrow else text


def _below(cell: object) -> bool:
    found = number(cell)
    return found is not None and found < _ALPHA
