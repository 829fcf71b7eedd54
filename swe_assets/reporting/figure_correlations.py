"""Correlations with the outcome: intervals, given size, whole file against change, and what is missing."""

from collections.abc import Mapping
from typing import Any

from swe_assets.reporting.drawing import Drawing
from swe_assets.reporting.figure_intervals import Axis, Estimate, Row, interval_plot
from swe_assets.reporting.figure_style import Style, Tables, number, said
from swe_assets.reporting.table_shape import Table

SIDES: Mapping[str, str] = {"total": "ml", "base": "third", "delta": "firth"}


def intervals(tables: Tables, style: Style) -> Drawing:
    """Return each measure's rho with the outcome, its interval, and beside it rho given size."""
    rows = [
        Row(
            style.label(str(row["b"])),
            (
                Estimate(number(row["partial_rho_given_size"]), role="firth", hollow=True, shape="round"),
                Estimate(number(row["rho"]), number(row["ci_low"]), number(row["ci_high"]), text=_span(row)),
            ),
            together=True,
        )
        for row in _with_outcome(tables["spearman"])
    ]
    return interval_plot(rows, style, Axis(), title="ρ")


def intervals_alt(tables: Tables, style: Style) -> str:
    """Return the figure's message: each rho with its interval."""
    return "; ".join(
        f"{style.label(str(row['b']))} {_span(row)}" for row in _with_outcome(tables["spearman"])
    )


def sides(tables: Tables, style: Style) -> Drawing:
    """Return rho with the outcome on the whole file, before the patch, and on the change."""
    rows = [
        Row(
            style.label(str(row["b"])),
            tuple(
                Estimate(
                    number(row[f"rho_{side}"]),
                    role=role,
                    shape="diamond" if side == "delta" else "square" if side == "base" else "round",
                    text=f"{said(row[f'rho_{side}'])}{_star(row[f'p_{side}'])}",
                )
                for side, role in SIDES.items()
            ),
        )
        for row in _with_outcome(tables["spearman_sides"])
    ]
    entries = [(role, style.label(side)) for side, role in SIDES.items()]
    return interval_plot(rows, style, Axis(), entries=entries, title="ρ (* p < 0.05)")


def sides_alt(tables: Tables, style: Style) -> str:
    """Return the figure's message: rho of the total and of the change for each measure."""
    rows = _with_outcome(tables["spearman_sides"])
    return "; ".join(
        f"{style.label(str(row['b']))}: {style.label('total')} {said(row['rho_total'])}, "
        f"{style.label('delta')} {said(row['rho_delta'])}"
        for row in rows
    )


def missing_bounds(tables: Tables, style: Style) -> Drawing:
    """Return rho with the outcome between the contrary and the favourable scenario for what is missing."""
    rows = [
        Row(
            style.label(str(row["b"])),
            (
                Estimate(
                    number(row["rho"]), number(row["rho_worst"]), number(row["rho_best"]), shape="diamond",
                    text=f"{said(row['rho'])} ({said(row['rho_worst'])} – {said(row['rho_best'])})",
                ),
            ),
        )
        for row in _with_outcome(tables["missing_bounds"])
    ]  # fmt: skip
    return interval_plot(rows, style, Axis(), title="ρ")


def missing_bounds_alt(tables: Tables, style: Style) -> str:
    """Return the figure's message: each rho with both scenarios."""
    rows = _with_outcome(tables["missing_bounds"])
    return "; ".join(
        f"{style.label(str(row['b']))} {said(row['rho'])} "
        f"({said(row['rho_worst'])} – {said(row['rho_best'])})"
        for row in rows
    )


def _with_outcome(table: Table) -> list[dict[str, Any]]:
    """Return the pairs with the outcome, which is the first name of the first pair."""
    rows = table.records()
    return [row for row in rows if row["a"] == rows[0]["a"]]


def _span(row: Mapping[str, object]) -> str:
    return f"{said(row['rho'])} ({said(row['ci_low'])} – {said(row['ci_high'])})"


def _star(p: object) -> str:
    found = number(p)
    return " *" if found is not None and found < 0.05 else ""
