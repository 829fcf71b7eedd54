"""The models: odds ratios by estimator side by side, collinearity, and what one instance decides."""

import math
from collections.abc import Iterable
from typing import Any

from swe_assets.reporting.drawing import Drawing, Line, Rect, Text, cut, longest
from swe_assets.reporting.figure_intervals import Axis, Estimate, Row, Shape, interval_plot
from swe_assets.reporting.figure_style import Style, Tables, axis_below, infinite, number, said
from swe_assets.reporting.palette import ESTIMATORS
from swe_assets.reporting.readable import p_words
from swe_assets.reporting.scale import Scale, ticks

CONST = "const"
SHAPES: dict[str, Shape] = {"ml": "round", "firth": "diamond", "cluster": "square", "mixed": "square"}
LIMITS = (5.0, 10.0)
MOST_VIF = 20.0
_LEAST_P = 1e-6


def forest(tables: Tables, style: Style) -> Drawing:
    """Return odds ratios with intervals, every model's terms below its name, every estimator by colour."""
    rows: list[Row] = []
    for model, records in _by_model(tables):
        terms = dict.fromkeys(str(row["term"]) for row in records if row["term"] != CONST)
        rows.append(Row(_heading(model, style), ()))
        for term in terms:
            own = [row for row in records if row["term"] == term]
            rows.append(Row(style.label(term), tuple(map(_odds, own))))
    kinds = dict.fromkeys(str(row["kind"]) for row in tables["logit"].records())
    entries = [(ESTIMATORS.get(kind, "muted"), style.label(kind)) for kind in kinds]
    return interval_plot(
        rows, style, Axis(at=1.0, log=True), entries=entries, title=_odds_title(tables, style)
    )


def forest_alt(tables: Tables, style: Style) -> str:
    """Return the figure's message: each term's odds ratio by each model's leading estimator."""
    leading = (
        {(row["model"], row["kind"]) for row in tables["fit"].records() if row["leads"]}
        if "fit" in tables
        else None
    )
    told = [
        f"{style.label(str(row['model']))}, {row['term']}: {_span(row)}"
        for row in tables["logit"].records()
        if row["term"] != CONST and (leading is None or (row["model"], row["kind"]) in leading)
    ]
    return "; ".join(told) or style.word("no_value")


def vif(tables: Tables, style: Style) -> Drawing:
    """Return each predictor's VIF as a bar, with lines at 5 and at 10."""
    rows = _vif_rows(tables)
    labels = [f"{style.label(model)}: {style.label(term)}" for model, term, _value in rows]
    drawing = Drawing(style.width)
    left = 12 if style.narrow else 12 + min(longest(labels) + 12, 0.5 * style.width)
    finite = [value for _m, _t, cell in rows if (value := number(cell)) is not None]
    scale = Scale(0, min(max([*finite, LIMITS[1]]) * 1.06, MOST_VIF), left, style.width - 58)
    pitch = 38.0 if style.narrow else 24.0
    bottom = 8 + pitch * len(rows)
    axis_below(drawing, scale, ticks(0, scale.high, 6), 6, bottom)
    for limit in LIMITS:
        drawing.add(Line(scale.at(limit), 6, scale.at(limit), bottom, "pos", 1.2, dashed=True))
    for place, ((_model, _term, cell), label) in enumerate(zip(rows, labels, strict=True)):
        y = 8 + pitch * place
        room = style.width - 70 if style.narrow else left - 18
        drawing.add(Rect(10, y + 3, longest([cut(label, room)]) + 4, 15, "paper"))
        drawing.add(Text(12, y + 14, cut(label, room), "ink", 12))
        value = scale.high if infinite(cell) else min(number(cell) or 0.0, scale.high)
        at = y + (19 if style.narrow else 4)
        drawing.add(Rect(left, at, max(scale.at(value) - left, 1), 13, "bar"))
        drawing.add(Text(scale.at(value) + 6, at + 11, said(cell, 2), "ink", 11))
    drawing.height = bottom + 22
    return drawing


def vif_alt(tables: Tables, style: Style) -> str:
    """Return the figure's message: each predictor's VIF."""
    return "; ".join(f"{style.label(m)}, {term}: {said(cell, 2)}" for m, term, cell in _vif_rows(tables))


def fragility(tables: Tables, style: Style) -> Drawing:
    """Return p with all instances and without the one that changes it most, on a logarithmic axis."""
    rows: list[Row] = []
    last = None
    for row in fragile_rows(tables):
        if row["model"] != last:
            last = row["model"]
            rows.append(Row(_heading(str(last), style), ()))
        role = "pos" if row["changes_conclusion"] is True else "ml"
        whole, without = _p(row["p"]), _p(row["p_without"])
        ends = (None, None) if whole is None or without is None else sorted((whole, without))
        told = f"{_p_text(row['p'])} → {_p_text(row['p_without'])}  {row['instance_id']}"
        rows.append(
            Row(
                style.label(str(row["term"])),
                (
                    Estimate(whole, ends[0], ends[1], role),
                    Estimate(without, role=role, hollow=True, text=told),
                ),
                together=True,
            )
        )
    entries = [("ml", style.word("fragile_no")), ("pos", style.word("fragile_yes"))]
    axis = Axis(at=0.05, high=1.0, log=True)
    return interval_plot(rows, style, axis, entries=entries, title="p")


def fragility_alt(tables: Tables, style: Style) -> str:
    """Return the figure's message: which instances change which conclusion."""
    told = [
        f"{row['term']} {style.word('without')} {row['instance_id']}: p {_p_text(row['p_without'])}"
        for row in fragile_rows(tables)
        if row["changes_conclusion"] is True
    ]
    return f"{style.word('crossing')}: {'; '.join(told)}" if told else style.word("none_crosses")


def fragile_rows(tables: Tables) -> list[dict[str, Any]]:
    """Return of each model's term the one row that matters most: it turns the conclusion, or moves p most."""
    found: dict[tuple[object, object], dict[str, Any]] = {}
    for row in tables["influence"].records():
        key = row["model"], row["term"]
        if row["term"] not in (CONST, None) and (key not in found or _weight(row) > _weight(found[key])):
            found[key] = row
    return list(found.values())


def _heading(model: str, style: Style) -> str:
    """Return what stands above a model's rows, in words, its first letter a capital."""
    text = style.label(model)
    return text[:1].upper() + text[1:]


def _weight(row: dict[str, Any]) -> tuple[bool, float]:
    whole, without = _p(row["p"]), _p(row["p_without"])
    moved = 0.0 if whole is None or without is None else abs(math.log(without / whole))
    return row["changes_conclusion"] is True, moved


def _p(cell: object) -> float | None:
    """Return a p as it is drawn: at least a millionth."""
    found = number(cell)
    return None if found is None else max(found, _LEAST_P)


def _p_text(cell: object) -> str:
    found = number(cell)
    return "–" if found is None else p_words(found)


def _by_model(tables: Tables) -> Iterable[tuple[str, list[dict[str, Any]]]]:
    by: dict[str, list[dict[str, Any]]] = {}
    for row in tables["logit"].records():
        by.setdefault(str(row["model"]), []).append(row)
    return by.items()


def _odds(row: dict[str, Any]) -> Estimate:
    """Return a term's odds ratio; a bound that is not there is drawn as going on without end."""
    kind, value = str(row["kind"]), number(row["odds_ratio"])
    low, high = number(row["ci_low"]), number(row["ci_high"])
    if value is not None:
        low = 0.0 if low is None else low
        high = math.inf if high is None and infinite(row["ci_high"]) else high
    held = None if low is None else max(low, 1e-300)
    return Estimate(
        value, held, high, ESTIMATORS.get(kind, "muted"), SHAPES.get(kind, "round"), text=_span(row)
    )


def _span(row: dict[str, Any]) -> str:
    if number(row["odds_ratio"]) is None:
        return "–"
    return f"{said(row['odds_ratio'], 2)} ({said(row['ci_low'], 2)} – {said(row['ci_high'], 2)})"


def _odds_title(tables: Tables, style: Style) -> str:
    label = next(c.label for c in tables["logit"].columns if c.name == "odds_ratio")
    return label[style.lang]


def _vif_rows(tables: Tables) -> list[tuple[str, str, object]]:
    """Return (model, term, VIF) once for each term that has one; it does not hang on the estimator."""
    found: dict[tuple[str, str], object] = {}
    for row in tables["logit"].records():
        if row["term"] != CONST and row["vif"] is not None:
            found.setdefault((str(row["model"]), str(row["term"])), row["vif"])
    return [(model, term, cell) for (model, term), cell in found.items()]
