"""relatorio_correlacao: Spearman over the nine measures, Shapiro-Wilk, the heatmap."""

from typing import Any

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.matrix_frame import matrix_frame
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.summary import Summary

FACE = StageFace(
    "Spearman correlations of the nine measures with their p values, Shapiro-Wilk, and the heatmap.",
    {"scipy", "csv"},
)
FILES = (
    "matriz_correlação_spearman.csv",
    "matriz_p_values_spearman.csv",
    "normality.csv",
    "heatmap.png",
    "heatmap.svg",
)


def _make(bench: PatchBench) -> dict[str, Any]:
    from swe_assets.patch_quality.analysis.correlation import correlation_report

    found = correlation_report(matrix_frame(bench), bench.results, title=bench.study.name)
    return {
        "n": found.n,
        "resolved": found.resolved,
        "labels": " / ".join(found.labels.texts()),
        "heatmap_md": found.heatmap_markdown,
        "correlations_md": found.markdown,
        "normality_md": found.normality_markdown,
    }


SUMMARY: Summary[PatchBench] = Summary(
    "relatorio_correlacao", "3", _make, summaries=("amostra",), files=FILES
)
