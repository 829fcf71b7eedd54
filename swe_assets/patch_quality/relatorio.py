"""relatorio: one page with the account, the correlations and the logit; it opens offline."""

import hashlib
from typing import Any

from swe_assets.llm.plain_text import visible
from swe_assets.patch_quality.account import IN_MATRIX, account, excluded_ids
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.matrix_frame import matrix_frame
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.atomic import to_json
from swe_assets.storage.records import digest
from swe_assets.storage.summary import Summary

FACE = StageFace(
    "The report as one self-contained page: submission, account, heatmap, correlations and logit.", {"html"}
)
FILES = ("report.html",)


def _make(bench: PatchBench) -> dict[str, Any]:
    from swe_assets.patch_quality.analysis.correlation import correlate
    from swe_assets.patch_quality.analysis.matrix import matrix_of
    from swe_assets.patch_quality.analysis.outcome_model import model_outcome
    from swe_assets.patch_quality.analysis.report import write_report

    matrix = matrix_of(matrix_frame(bench))
    title = bench.study.name
    shown = page_account(bench)
    correlation = correlate(matrix, title=title)
    path = write_report(
        bench.results,
        correlation,
        model_outcome(matrix),
        title=title,
        account=shown,
        metadata=readable(dict(bench.study.metadata)),
    )
    return {
        "pinned": shown["pinned"],
        "in_matrix": shown["in_matrix"],
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }


def readable(value: Any) -> Any:
    """Return a submission's metadata with every text made visible: no control reaches the page."""
    if isinstance(value, dict):
        return {visible(str(key)): readable(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [readable(inner) for inner in value]
    return visible(value) if isinstance(value, str) else value


def page_account(bench: PatchBench) -> dict[str, Any]:
    """Return the account as the page wants it: pinned, in_matrix, and the excluded ids by reason."""
    lines = account(bench)
    in_matrix = sum(line.place == IN_MATRIX for line in lines)
    return {"pinned": len(lines), "in_matrix": in_matrix, "excluded": excluded_ids(lines)}


def _settings(bench: PatchBench) -> str:
    return digest(to_json(dict(bench.study.metadata)))


SUMMARY: Summary[PatchBench] = Summary(
    "relatorio",
    "1",
    _make,
    summaries=("amostra", "relatorio_correlacao", "relatorio_logit"),
    settings=_settings,
    files=FILES,
)
