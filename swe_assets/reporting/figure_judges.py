"""The judges: verdicts against the tests, calibration, discrimination."""

from typing import Any

from swe_assets.reporting.drawing import Curve, Dot, Drawing, Line, Rect, Text, cut
from swe_assets.reporting.figure_intervals import Axis, Estimate, Row, interval_plot
from swe_assets.reporting.figure_style import Style, Tables, number, said
from swe_assets.reporting.readable import readable
from swe_assets.reporting.scale import Scale, short

RATES = ("accuracy", "sensitivity", "specificity", "precision")
VALIDATED = ("cross_validated", "unseen_repositories")
_SIDES = (180.0, 128.0)  # pixels of one square of calibration, on a desk and on a phone


def judge_tests(tables: Tables, style: Style) -> Drawing:
    """Return each judge's rates with their intervals."""
    table = tables["judge_tests"]
    labels = {column.name: column.label[style.lang] for column in table.columns}
    rows = [
        Row(
            f"{style.label(str(row['judge']))}: {labels.get(rate, rate)}",
            (
                Estimate(
                    number(row[rate]), number(row[f"{rate}_low"]), number(row[f"{rate}_high"]),
                    text=_share_span(row, rate, style),
                ),
            ),
        )
        for row in table.records()
        for rate in RATES
    ]  # fmt: skip
    return interval_plot(rows, style, Axis(at=None, low=0.0, high=1.0))


def judge_tests_alt(tables: Tables, style: Style) -> str:
    """Return the figure's message: each judge's four counts and MCC."""
    return "; ".join(
        f"{style.label(str(row['judge']))}: TP {row['tp']}, FP {row['fp']}, FN {row['fn']}, TN {row['tn']}, "
        f"MCC {said(row['mcc'], 2)}"
        for row in tables["judge_tests"].records()
    )


def confusion(tables: Tables, style: Style) -> Drawing:
    """Return each judge's verdicts by what the tests showed: four counts, their area by colour's depth."""
    rows = tables["judge_tests"].records()
    columns = 1 if style.narrow else 2
    side = (style.width - 24 - 24 * (columns - 1)) / columns
    drawing, tall = Drawing(style.width), 140.0
    for place, row in enumerate(rows):
        left, top = 12 + (place % columns) * (side + 24), (place // columns) * tall
        _square(drawing, row, (left, top, side), style)
    drawing.height = -(-len(rows) // columns) * tall
    return drawing


def _square(drawing: Drawing, row: dict[str, Any], box: tuple[float, float, float], style: Style) -> None:
    left, top, side = box
    head, cell = 96.0, (side - 96.0) / 2
    drawing.add(Text(left, top + 15, cut(style.label(str(row["judge"])), side), "ink", 12, bold=True))
    for place, key in enumerate(("passed", "not_passed")):
        drawing.add(
            Text(left + head + cell * (place + 0.5), top + 36, style.word(key), "muted", 10, "middle")
        )
    total = max(number(row["n"]) or 0, 1)
    lines = (("said_yes", (("tp", "bar"), ("fp", "pos"))), ("said_no", (("fn", "pos"), ("tn", "bar"))))
    for down, (key, counts) in enumerate(lines):
        y = top + 42 + down * 42
        drawing.add(Text(left, y + 25, cut(style.word(key), head, 10), "muted", 10))
        for across, (name, role) in enumerate(counts):
            n, x = number(row[name]) or 0, left + head + across * cell
            drawing.add(Rect(x + 1, y + 1, cell - 2, 40, role, 0.08 + 0.47 * n / total))
            drawing.add(Text(x + cell / 2, y + 26, str(row[name]), "ink", 14, "middle", bold=True))


def calibration(tables: Tables, style: Style) -> Drawing:
    """Return a square for each who states chances: the share resolved against the chance stated."""
    curves: dict[str, list[dict[str, Any]]] = {}
    for row in tables["calibration"].records():
        curves.setdefault(str(row["who"]), []).append(row)
    columns = 2 if style.narrow else 3
    drawing, tall = Drawing(style.width), _SIDES[style.narrow] + 66
    across = (style.width - 24) / columns
    for place, (who, rows) in enumerate(curves.items()):
        _reliability(drawing, who, rows, (12 + (place % columns) * across, (place // columns) * tall), style)
    drawing.height = -(-len(curves) // columns) * tall or 30
    return drawing


def calibration_alt(tables: Tables, style: Style) -> str:
    """Return the figure's message: of each who, how many chances were stated in how many bins."""
    curves: dict[str, list[dict[str, Any]]] = {}
    for row in tables["calibration"].records():
        curves.setdefault(str(row["who"]), []).append(row)
    return "; ".join(f"{style.label(who)}: {_ends(rows, style)}" for who, rows in curves.items())


def _ends(rows: list[dict[str, Any]], style: Style) -> str:
    """Return the first and the last bin of a curve in words: stated, then resolved."""
    ends = rows[:1] if len(rows) == 1 else [rows[0], rows[-1]]
    pairs = [
        f"{readable(row['mean_said'], 'share', style.lang)} → {readable(row['rate'], 'share', style.lang)}"
        for row in ends
    ]
    return ", ".join(pairs)


def _reliability(
    drawing: Drawing, who: str, rows: list[dict[str, Any]], place: tuple[float, float], style: Style
) -> None:
    left, top, side = place[0] + 26, place[1] + 26, _SIDES[style.narrow]
    x, y = Scale(0, 1, left, left + side), Scale(0, 1, top + side, top)
    drawing.add(Text(left, top - 10, cut(style.label(who), side + 10), "ink", 12, bold=True))
    _unit_grid(drawing, x, y)
    known = [row for row in rows if number(row["mean_said"]) is not None and number(row["rate"]) is not None]
    points = tuple((x.at(float(row["mean_said"])), y.at(float(row["rate"]))) for row in known)
    for (across, down), row in zip(points, known, strict=True):
        low, high = number(row["low"]), number(row["high"])
        if low is not None and high is not None:
            drawing.add(Line(across, y.at(low), across, y.at(high), "ml", 1.5))
        drawing.add(Dot(across, down, 3.5, "ml"))
    if len(points) > 1:
        drawing.marks.insert(len(drawing.marks) - 2 * len(points), Curve(points, "ml", 1.2))
    told = f"{style.word('chance_stated')} → {style.word('share_resolved')} ↑"
    drawing.add(Text((x.start + x.end) / 2, y.start + 29, cut(told, side + 40, 9), "muted", 9, "middle"))


def _unit_grid(drawing: Drawing, x: Scale, y: Scale) -> None:
    """Draw a square from 0 to 1 both ways, with its diagonal."""
    for value in (0.0, 0.5, 1.0):
        drawing.add(Line(x.start, y.at(value), x.end, y.at(value), "grid"))
        drawing.add(Line(x.at(value), y.start, x.at(value), y.end, "grid"))
        drawing.add(Text(x.start - 6, y.at(value) + 4, short(value), "muted", 10, "end"))
        drawing.add(Text(x.at(value), y.start + 14, short(value), "muted", 10, "middle"))
    drawing.add(Line(x.start, y.start, x.end, y.end, "muted", 1, dashed=True))


def discrimination(tables: Tables, style: Style) -> Drawing:
    """Return the AUC of each who states probabilities, a row a sample, those cross-validated hollow."""
    rows = [
        Row(
            _who(row, style),
            (
                Estimate(
                    number(row["auc"]), number(row["low"]), number(row["high"]), text=_area(row),
                    role="firth" if row["sample"] in VALIDATED else "ml", hollow=row["sample"] in VALIDATED,
                ),
            ),
        )
        for row in tables["discrimination"].records()
    ]  # fmt: skip
    return interval_plot(rows, style, Axis(at=0.5, high=1.0), title="AUC")


def discrimination_alt(tables: Tables, style: Style) -> str:
    """Return the figure's message: each AUC with its interval."""
    rows = tables["discrimination"].records()
    return "; ".join(f"{_who(row, style)}: AUC {_area(row)}" for row in rows)


def _who(row: dict[str, Any], style: Style) -> str:
    sample = "" if row["sample"] == "stated" else f" ({style.label(str(row['sample']))})"
    return f"{style.label(str(row['who']))}{sample}"


def _area(row: dict[str, Any]) -> str:
    span = "" if number(row["low"]) is None else f" ({said(row['low'], 2)} – {said(row['high'], 2)})"
    return f"{said(row['auc'], 2)}{span}"


def _share_span(row: dict[str, Any], rate: str, style: Style) -> str:
    cells = [readable(row[f"{rate}{end}"], "share", style.lang) for end in ("", "_low", "_high")]
    return f"{cells[0]} ({cells[1]} – {cells[2]})"
