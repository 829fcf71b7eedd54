"""relatorio: all tables of the study's analysis, and one page that shows them; it opens offline."""

import hashlib
from typing import Any

from swe_assets.patch_quality.analysis.evidence_files import ABOUT_JUDGES
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.report_evidence import evidence_of
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.atomic import to_json
from swe_assets.storage.records import digest
from swe_assets.storage.summary import Summary

FACE = StageFace(
    "The report as one self-contained page, and all its tables as analysis.json, CSV and LaTeX; what was "
    "found in plain sentences, each with how sure it is.",
    {"html", "json", "csv"},
)
MATRIX = "matriz_consolidada.csv"
FILES = ("report.html", "analysis.json", "relatorio_entradas.json")


def _make(bench: PatchBench) -> dict[str, Any]:
    from swe_assets.patch_quality.analysis.whole import write_study

    evidence = evidence_of(bench)
    matrix = (bench.results / MATRIX).read_bytes()
    analysis = write_study(bench.results, evidence, matrix, matrix_name=MATRIX).analysis
    flow = analysis.tables["flow"].records()
    findings = analysis.tables["findings"].records()
    return {
        "pinned": flow[0]["n"],
        "in_matrix": flow[-1]["n"],
        "tables": len(analysis.tables),
        "labels": " / ".join(evidence.matrix.labels.texts()),
        "findings_md": "\n".join(f"{row['order']}. {row['pt']} ({row['strength']})" for row in findings),
        "sha256": hashlib.sha256((bench.results / FILES[0]).read_bytes()).hexdigest(),
    }


def _settings(bench: PatchBench) -> str:
    return digest(to_json(dict(bench.study.metadata)))


def _source(bench: PatchBench) -> str:
    """Return what the report shows that no table of amostra holds: the verdicts, and whether current."""
    from swe_assets.patch_quality.judged import judges_source

    return judges_source(bench)


SUMMARY: Summary[PatchBench] = Summary(
    "relatorio",
    "4",
    _make,
    partitioned=("evaluation_results", "metricas_completas"),
    summaries=("amostra", *ABOUT_JUDGES, "relatorio_correlacao", "relatorio_logit"),
    settings=_settings,
    source=_source,
    files=FILES,
)
