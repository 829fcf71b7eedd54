"""The figures of a report: which tables each is drawn from, what it is called, how it is drawn."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from swe_assets.reporting import figure_comparison as of_studies
from swe_assets.reporting import figure_correlations as of_rho
from swe_assets.reporting import figure_judges as of_judges
from swe_assets.reporting import figure_models as of_models
from swe_assets.reporting.drawing import Drawing
from swe_assets.reporting.figure_distributions import distributions, distributions_alt
from swe_assets.reporting.figure_flow import flow, flow_alt
from swe_assets.reporting.figure_heatmap import heatmap, heatmap_alt
from swe_assets.reporting.figure_style import NARROW, WIDE, Draw, Marked, Style, Tables
from swe_assets.reporting.table_shape import Analysis

Alt: TypeAlias = Callable[[Tables, Style], str]


@dataclass(frozen=True)
class Sketch:
    """A kind of figure: the tables it needs (the first is the one it shows), how to draw it, its message."""

    tables: tuple[str, ...]
    draw: Draw
    alt: Alt


SKETCHES: Mapping[str, Sketch] = {
    "rates": Sketch(("comparison_studies",), of_studies.rates, of_studies.rates_alt),
    "comparison": Sketch(("comparison",), of_studies.comparison, of_studies.comparison_alt),
    "comparison_metrics": Sketch(("comparison_metrics",), of_studies.metrics, of_studies.metrics_alt),
    "flow": Sketch(("flow",), flow, flow_alt),
    "missing_bounds": Sketch(("missing_bounds",), of_rho.missing_bounds, of_rho.missing_bounds_alt),
    "distributions": Sketch(("distributions", "histograms"), distributions, distributions_alt),
    "heatmap": Sketch(("spearman",), heatmap, heatmap_alt),
    "intervals": Sketch(("spearman",), of_rho.intervals, of_rho.intervals_alt),
    "sides": Sketch(("spearman_sides",), of_rho.sides, of_rho.sides_alt),
    "forest": Sketch(("logit",), of_models.forest, of_models.forest_alt),
    "vif": Sketch(("logit",), of_models.vif, of_models.vif_alt),
    "fragility": Sketch(("influence",), of_models.fragility, of_models.fragility_alt),
    "confusion": Sketch(("judge_tests",), of_judges.confusion, of_judges.judge_tests_alt),
    "judge_tests": Sketch(("judge_tests",), of_judges.judge_tests, of_judges.judge_tests_alt),
    "calibration": Sketch(("calibration",), of_judges.calibration, of_judges.calibration_alt),
    "discrimination": Sketch(("discrimination",), of_judges.discrimination, of_judges.discrimination_alt),
}


@dataclass(frozen=True)
class Figure:
    """A figure of one report, drawn for a desk (760 pixels) and for a phone (350 pixels)."""

    name: str
    title: str
    caption: str
    alt: str
    table: str
    marks: tuple[str, ...]
    wide: Drawing
    narrow: Drawing


def drawable(name: str, tables: Tables) -> bool:
    """Return whether the tables of a figure are there and not empty."""
    return all(needed in tables and tables[needed].rows for needed in SKETCHES[name].tables)


def figure(name: str, analysis: Analysis, lang: str) -> Figure:
    """Return one figure of an analysis; raises KeyError for an unknown figure or a table it lacks."""
    sketch, marked = SKETCHES[name], marked_of(analysis)
    wide, narrow = (Style(lang, width, marked) for width in (WIDE, NARROW))
    marks = frozenset().union(*(analysis.tables[needed].marks for needed in sketch.tables))
    return Figure(
        name=name,
        title=wide.word(name),
        caption=wide.word(f"{name}_how"),
        alt=sketch.alt(analysis.tables, wide),
        table=sketch.tables[0],
        marks=tuple(sorted(marks)),
        wide=sketch.draw(analysis.tables, wide),
        narrow=sketch.draw(analysis.tables, narrow),
    )


def figures(analysis: Analysis, lang: str) -> Iterator[Figure]:
    """Yield every figure that an analysis has the tables for."""
    return (figure(name, analysis, lang) for name in SKETCHES if drawable(name, analysis.tables))


def marked_of(analysis: Analysis) -> Marked:
    """Return which measures bear which marks, as the manifest has it."""
    told = analysis.manifest.get("marked")
    return told if isinstance(told, Mapping) else {}
