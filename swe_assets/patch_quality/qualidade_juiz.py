"""qualidade_juiz: each judge's verdicts, and the jury's, beside the outcome of the tests."""

from typing import Any

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.judged import judge_marks, judged_instances, judges_source
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.summary import Summary

FACE = StageFace(
    "Confusion matrix, MCC, sensitivity and specificity of each judge and the jury against the tests, "
    'calibration of score_confianca, and how often "resolved" was said of patches that cannot be right.',
    {"scipy", "csv"},
)
FILES = (
    "qualidade_juiz.json",
    "qualidade_juiz.md",
    "qualidade_juiz.csv",
    "qualidade_juiz_confusao.csv",
    "qualidade_juiz_calibracao.csv",
    "qualidade_juiz_refutados.csv",
)


def _make(bench: PatchBench) -> dict[str, Any]:
    from swe_assets.judging.jury_quality import JURY, quality
    from swe_assets.patch_quality.analysis.evidence import Settings
    from swe_assets.patch_quality.analysis.judge_files import write_tables
    from swe_assets.patch_quality.analysis.judge_findings import quality_findings
    from swe_assets.patch_quality.analysis.quality_tables import quality_tables

    rows, judges = judged_instances(bench), bench.study.judges
    names = [*judges, *([JURY] if len(judges) > 1 else [])]
    drawn = Settings()  # as the report draws, so that one number has one interval
    found = [
        quality(
            name,
            [row.said(name) for row in rows],
            draws=drawn.draws,
            seed=drawn.stream(f"judge_tests {name}"),
        )
        for name in names
    ]
    tables = quality_tables(found, marks=judge_marks(rows))
    manifest = {"judges": list(judges), "n": len(rows), "draws": drawn.draws, "seed": drawn.seed}
    title = f"Qualidade do juiz: {bench.study.name}"
    told = write_tables(bench.results, "qualidade_juiz", title, tables, manifest)
    wrong = {one.judge_id: one.refuted[-1].said for one in found}
    findings = [dict(one.sentence) for one in quality_findings({table.name: table for table in tables})]
    told |= {"resolved_of_nothing": wrong, "findings": findings}
    return {"judges": bench.study.judge, "n": len(rows), **told}


SUMMARY: Summary[PatchBench] = Summary(
    "qualidade_juiz",
    "3",
    _make,
    partitioned=("evaluation_results", "resultados_testes", "arquivos_reconstruidos"),
    summaries=("amostra",),
    source=judges_source,
    files=FILES,
)
