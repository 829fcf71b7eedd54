"""consistencia_juiz: whether each judge says the same when it is asked again, or in another form."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.consistency_calls import asked_again, sampled, variant_requests
from swe_assets.patch_quality.judged import judge_marks, judged_instances, judges_source
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.atomic import to_json
from swe_assets.storage.records import digest
from swe_assets.storage.summary import ALL, Summary

if TYPE_CHECKING:
    from swe_assets.judging.jury_consistency import Answer

FACE = StageFace(
    "A sample of the instances judged again by each judge: the same question n times, the patch first, other "
    "words. Off unless the study asks for it; paid.",
    {"llm", "csv"},
)
FILES = (
    "consistencia_juiz.json",
    "consistencia_juiz.md",
    "consistencia_juiz.csv",
    "consistencia_juiz_formas.csv",
    "consistencia_juiz_respostas.csv",
)
FOR_GOOD = ("refused", "blocked", "truncated")
"""Outcomes of a call that the same call would have again."""


def _make(bench: PatchBench) -> dict[str, Any]:
    from swe_assets.judging.jury_agreement import DRAWS, SEED
    from swe_assets.patch_quality.analysis.consistency_tables import consistency_tables
    from swe_assets.patch_quality.analysis.judge_files import write_tables
    from swe_assets.patch_quality.analysis.judge_findings import consistency_findings

    asked = bench.study.consistency
    rows = judged_instances(bench) if asked.asked else []
    drawn = sampled(bench, [row.instance_id for row in rows])
    answers = asked_again(bench, variant_requests(bench, drawn)) if drawn else {}
    repeated, forms = _measured(bench, answers)
    tables = consistency_tables(repeated, forms, answers, asked=asked.asked, marks=judge_marks(rows))
    manifest = {**asked.record(), "judges": list(bench.study.judges), "instances": drawn, "seed": SEED}
    title = f"Consistência do juiz: {bench.study.name}"
    told = write_tables(
        bench.results, "consistencia_juiz", title, tables, {**manifest, "draws": DRAWS}, tables[:2]
    )
    errors = [one.error for given in answers.values() for one in given if one.error]
    later = [error for error in errors if not error.startswith(FOR_GOOD)]
    counts = {"instances": len(drawn), "answers": sum(map(len, answers.values())), "failed": len(errors)}
    told |= {"to_try_again": len(later), "why": later[0] if later else ""}
    findings = [dict(one.sentence) for one in consistency_findings({table.name: table for table in tables})]
    return {"asked": asked.asked, **counts, "findings": findings, **told}


def _measured(bench: PatchBench, answers: "Mapping[str, list[Answer]]") -> tuple[list[Any], list[Any]]:
    """Return what the answers come to: repeats and forms of each judge, as far as they were asked for."""
    from swe_assets.judging.jury_consistency import FORMS, form, repeats

    asked = bench.study.consistency
    wanted = [name for name in FORMS if getattr(asked, name)]
    repeated = [repeats(judge, given) for judge, given in answers.items() if asked.n > 1]
    return repeated, [form(judge, name, given) for judge, given in answers.items() for name in wanted]


def _settings(bench: PatchBench) -> str:
    """Return what shapes the answers: nothing where it was not asked for."""
    from swe_assets.judging.provenance import judge_provenance

    if not bench.study.consistency.asked:
        return "not asked for"
    models = bench.planned_models.items()
    told = [{"judge_id": name, **judge_provenance(model, bench.prompts)} for name, model in models]
    other = list(bench.prompts.reworded or ()) if bench.study.consistency.wording else []
    return to_json({**bench.study.consistency.record(), "judges": told, "reworded": digest(*other)})


def _unfinished(bench: PatchBench) -> str:
    """Return why the answers are to be asked for again though nothing changed: calls that may go well now."""
    record = bench.store.read(SUMMARY.name, ALL)
    failed = record.payload["to_try_again"] if record is not None else 0
    return f"{failed} calls failed" if failed else ""


SUMMARY: Summary[PatchBench] = Summary(
    "consistencia_juiz",
    "2",
    _make,
    partitioned=("evaluation_payload", "evaluation_results"),
    summaries=("amostra",),
    settings=_settings,
    source=judges_source,
    files=FILES,
    paid=True,
    unfinished=_unfinished,
)
