"""acordo_juizes: how far the judges of the jury agree on each thing they say."""

from typing import Any

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.judged import judge_marks, judged_instances, judges_source
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.summary import Summary

FACE = StageFace(
    "Krippendorff's alpha of verdict, confidence and each M_*, weighted kappa and confusion of each pair of "
    "judges; of one judge it says that there is nobody to agree with.",
    {"scipy", "csv"},
)
FILES = (
    "acordo_juizes.json",
    "acordo_juizes.md",
    "acordo_juizes.csv",
    "acordo_juizes_pares.csv",
    "acordo_juizes_confusao.csv",
    "acordo_juizes_juri.csv",
)


def _make(bench: PatchBench) -> dict[str, Any]:
    from swe_assets.judging.jury import spread
    from swe_assets.judging.jury_agreement import DRAWS, MEASURES, SEED, agreement
    from swe_assets.patch_quality.analysis.agreement_tables import agreement_tables, confusion_tables
    from swe_assets.patch_quality.analysis.judge_files import write_tables
    from swe_assets.patch_quality.analysis.judge_findings import agreement_findings
    from swe_assets.patch_quality.jury_settings import shared_houses

    rows, judges = judged_instances(bench), bench.study.judges
    found = [
        agreement({name: [row.value(name, measure) for row in rows] for name in judges}, measure)
        for measure in MEASURES
    ]
    votes = [(sum(v["resolve_issue"] for v in r.verdicts.values()), len(r.verdicts)) for r in rows]
    spreads = [spread([v["score_confianca"] for v in r.verdicts.values()]) for r in rows]
    alphas, pairs, counts, jury = agreement_tables(found, votes, spreads, marks=judge_marks(rows))
    shown = [jury, alphas, pairs, *confusion_tables(found, marks=judge_marks(rows))]
    shared = shared_houses(bench.planned_models)
    manifest = {"judges": list(judges), "n": len(rows), "draws": DRAWS, "seed": SEED, "same_service": shared}
    title = f"Acordo dos juízes: {bench.study.name}"
    tables = [alphas, pairs, counts, jury]
    told = write_tables(bench.results, "acordo_juizes", title, tables, manifest, shown)
    findings = [dict(one.sentence) for one in agreement_findings({table.name: table for table in tables})]
    return {"judges": bench.study.judge, "n": len(rows), "same_service": shared, "findings": findings, **told}


SUMMARY: Summary[PatchBench] = Summary(
    "acordo_juizes",
    "3",
    _make,
    partitioned=("evaluation_results", "metricas_estruturais_extraidas"),
    summaries=("amostra",),
    source=judges_source,
    files=FILES,
)
