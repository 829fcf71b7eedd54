"""relatorio_logit: the logit of pass@1 with EPV, VIF and odds ratios."""

from typing import Any

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.matrix_frame import matrix_frame
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.summary import Summary

FACE = StageFace(
    "Logit of pass@1 on M_profundidade, M_defesa, log1p(cognitive_complexity) and log1p(ncloc).",
    {"statsmodels", "csv"},
)
FILES = ("logit.csv", "logit_summary.txt", "fit.json")


def _make(bench: PatchBench) -> dict[str, Any]:
    from swe_assets.patch_quality.analysis.outcome_model import fit_record, logit_report

    found = logit_report(matrix_frame(bench), bench.results, title=bench.study.name)
    record = fit_record(found)
    return {
        "n": found.n,
        "resolved": found.resolved,
        "converged": found.converged,
        "EPV": record["EPV"],
        "EPV_level": record["EPV_level"],
        "McFadden": record["McFadden"],
        "LR_p": record["LR_p"],
        "leads": record["leads"],
        "verdict": found.verdict,
        "vif": found.vif_verdict,
        "labels": " / ".join(found.labels.texts()),
        "odds_ratios_md": found.markdown,
    }


SUMMARY: Summary[PatchBench] = Summary("relatorio_logit", "3", _make, summaries=("amostra",), files=FILES)
