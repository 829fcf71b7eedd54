"""relatorio_correlacao: Spearman over the nine metrics, Shapiro-Wilk of each, and their figure."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from swe_assets.patch_quality.analysis import files
from swe_assets.patch_quality.analysis.finding import marked_measures
from swe_assets.patch_quality.analysis.labels import Labels
from swe_assets.patch_quality.analysis.matrix import METRICS, OUTCOME, Matrix, matrix_of
from swe_assets.patch_quality.analysis.wording import imbalance_note, markdown_table, p_text, plain
from swe_assets.reporting.drawing import Drawing
from swe_assets.reporting.raster import png
from swe_assets.reporting.svg import paper_svg
from swe_assets.statistics import shapiro_wilk, spearman
from swe_assets.statistics.normality import Normality
from swe_assets.statistics.rank_correlation import RankCorrelation
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import pandas as pd

STRONGEST = 5
SCREEN_DPI = 110  # dots to the inch of the figure in the UI


@dataclass(frozen=True)
class Pair:
    """Two metrics with their rank correlation."""

    a: str
    b: str
    rho: float
    p: Value


@dataclass(frozen=True)
class Correlation:
    """What the correlation report holds, for the files and the UI; ``heatmap`` is its figure."""

    n: int
    resolved: int
    labels: Labels
    ranks: RankCorrelation
    normality: Mapping[str, Normality | Undefined]
    heatmap: Drawing = field(repr=False)

    @property
    def pairs(self) -> list[Pair]:
        """Return the defined pairs of different metrics, the strongest first."""
        found = []
        for a, b in combinations(METRICS, 2):
            rho = self.ranks.rho[a, b]
            if not isinstance(rho, Undefined):
                found.append(Pair(a, b, rho, self.ranks.p[a, b]))
        return sorted(found, key=lambda pair: -abs(pair.rho))

    @property
    def strongest(self) -> list[Pair]:
        """Return the five strongest pairs."""
        return self.pairs[:STRONGEST]

    @property
    def with_outcome(self) -> list[Pair]:
        """Return the defined pairs of pass@1 and a metric, the strongest first."""
        return [pair for pair in self.pairs if pair.a == OUTCOME]

    @property
    def undefined(self) -> list[str]:
        """Return the reasons for which pairs have no correlation, each once."""
        reasons = (self.ranks.rho[pair] for pair in combinations(METRICS, 2))
        return list(dict.fromkeys(why.reason for why in reasons if isinstance(why, Undefined)))

    @property
    def note(self) -> str:
        """Return the note on the imbalance of outcomes."""
        return imbalance_note(self.resolved, self.n)

    @property
    def markdown(self) -> str:
        """Return rho and p of each metric with pass@1 as a table in Markdown."""
        rows = [
            (name, plain(self.ranks.rho[OUTCOME, name]), p_text(self.ranks.p[OUTCOME, name]))
            for name in METRICS[1:]
        ]
        table = markdown_table((f"Spearman × {OUTCOME}", "rho", "p"), rows)
        missing = [f"– : {reason}" for reason in self.undefined]
        return self._labelled("\n\n".join([table, *missing]))

    @property
    def heatmap_markdown(self) -> str:
        """Return the figure as a picture in Markdown, which the UI shows; about 60 kB."""
        strongest = "; ".join(f"{pair.a} e {pair.b} {plain(pair.rho, 2)}" for pair in self.strongest[:3])
        picture = base64.b64encode(png(self.heatmap, dpi=SCREEN_DPI)).decode("ascii")
        return f"![Spearman, n = {self.n}: {strongest}](data:image/png;base64,{picture})"

    @property
    def normality_markdown(self) -> str:
        """Return the Shapiro-Wilk tests as a table in Markdown."""
        return self._labelled(
            markdown_table(("Shapiro-Wilk", "n", "W", "p", "veredito"), normality_rows(self))
        )

    def _labelled(self, table: str) -> str:
        return "\n\n".join([table, *self.labels.texts()])


def correlate(matrix: Matrix, *, title: str = "") -> Correlation:
    """Return Spearman and Shapiro-Wilk over a matrix, with the figure; writes nothing."""
    from swe_assets.patch_quality.analysis.heatmap import heatmap_drawing

    ranks = spearman(matrix.columns)
    normality = {name: shapiro_wilk(values) for name, values in matrix.columns.items()}
    marked = marked_measures(matrix.labels.marks, METRICS)
    figure = heatmap_drawing(ranks, METRICS, title=title, notes=matrix.labels.texts(), marked=marked)
    return Correlation(matrix.n, matrix.resolved, matrix.labels, ranks, normality, figure)


def correlation_report(
    frame: "pd.DataFrame | Matrix",
    out: Path,
    *,
    stand_in: str | None = None,
    rehearsal: bool = False,
    title: str = "",
) -> Correlation:
    """Write both Spearman matrices, the normality tests and the heatmap into a folder, and return them.

    Labels add to those that the matrix's own columns call for. Same input, same bytes.
    Raises MatrixError for an unusable matrix, StoreError where the folder cannot be written.
    """
    matrix = matrix_of(frame).labelled(Labels(rehearsal, stand_in))
    found = correlate(matrix, title=title)
    corner = " | ".join(["metric", *found.labels.texts()])
    for name, values in ((files.RHO, found.ranks.rho), (files.P_VALUES, found.ranks.p)):
        rows = [(a, *(values[a, b] for b in METRICS)) for a in METRICS]
        files.write(out, name, files.csv_bytes((corner, *METRICS), rows))
    files.write(out, files.NORMALITY, _normality_csv(found))
    files.write(out, files.HEATMAP, png(found.heatmap))
    named = f"{title}: Spearman, n = {found.n}"
    drawn = paper_svg(found.heatmap, title=named)
    files.write(out, files.HEATMAP_SVG, drawn.encode("utf-8", "backslashreplace"))
    return found


def verdict(test: Normality | Undefined) -> str:
    """Return what a normality test says at 0.05, in the study's language."""
    if isinstance(test, Undefined):
        return "indefinido"
    return "não rejeita normalidade" if test.normal else "rejeita normalidade"


def normality_rows(found: Correlation) -> list[tuple[str, str, str, str, str]]:
    """Return metric, n, W, p and verdict of each test as text for people."""
    rows = []
    for name, test in found.normality.items():
        if isinstance(test, Undefined):
            rows.append((name, str(found.n), "–", "–", f"{verdict(test)}: {test.reason}"))
        else:
            rows.append((name, str(test.n), plain(test.w), p_text(test.p), verdict(test)))
    return rows


def _normality_csv(found: Correlation) -> bytes:
    rows: list[tuple[object, ...]] = []
    for name, test in found.normality.items():
        label = found.labels.of_metric(name)
        if isinstance(test, Undefined):
            rows.append((name, found.n, None, None, verdict(test), _joined(test.reason, label)))
        else:
            rows.append((name, test.n, test.w, test.p, verdict(test), _joined(test.note, label)))
    return files.csv_bytes(("metric", "n", "W", "p", "verdict", "note"), rows)


def _joined(*notes: str) -> str:
    return "; ".join(filter(None, notes))
