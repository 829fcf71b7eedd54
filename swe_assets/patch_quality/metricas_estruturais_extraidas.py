"""metricas_estruturais_extraidas: the three M_* measures, from the judge's reasoning alone."""

from collections.abc import Mapping
from typing import Any

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.evaluation_results import (
    cost_shown,
    exported_rows,
    failure_text,
    told_of_calls,
)
from swe_assets.patch_quality.jury_calls import each_judge, models_of, refuse_other_judges
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.atomic import to_json, write_json_lines
from swe_assets.storage.records import Record
from swe_assets.storage.stage import Failed, Made, Stage, one_by_one

FACE = StageFace(
    "Three ordinal measures (1-3) inferred from raciocinio_analitico alone, each stated or the recorded "
    "fallback, and M_coerencia computed locally; a jury's are the lower medians of its judges'.",
    {"llm", "json"},
)


def _make(bench: PatchBench, instance_id: str) -> Made | Failed:
    from swe_assets.judging.extraction import Extraction, extract
    from swe_assets.judging.jury_extraction import extraction_entry, joint_extraction
    from swe_assets.llm.outcomes import CallError, StopCallsError

    verdict, models = bench.store.need("evaluation_results", instance_id).payload, models_of(bench)
    evaluations = {one["judge_id"]: one for one in verdict["jury"]}
    refuse_other_judges(instance_id, evaluations, models)

    def ask(name: str) -> Extraction | str:
        try:
            result = {"instance_id": instance_id, "evaluation": evaluations[name]}
            return extract(result, models[name], bench.prompts, bench.prices)
        except StopCallsError:
            raise
        except CallError as failure:
            return str(failure)

    came = each_judge(evaluations, ask, bench.stop_calls)
    errors = {name: found for name, found in came.items() if isinstance(found, str)}
    if errors:
        return Failed(instance_id, failure_text(errors, of=len(came)))
    extracted = {name: found for name, found in came.items() if not isinstance(found, str)}
    jury = [extraction_entry(name, found) for name, found in extracted.items()]
    joint = joint_extraction(instance_id, verdict["evaluation"], jury)
    cached, costs = zip(*((found.cached, found.cost_usd) for found in extracted.values()), strict=True)
    return Made(instance_id, {**joint, "jury": jury}, told=told_of_calls(cached, costs))


def _settings(bench: PatchBench) -> str:
    from swe_assets.judging.provenance import extraction_provenance

    models = bench.planned_models.items()
    told = [{"judge_id": name, **extraction_provenance(model, bench.prompts)} for name, model in models]
    return to_json(told)


def _show(record: Record) -> dict[str, Any]:
    metrics = record.payload.get("record", {}).get("LLM_Judge_Metrics", {})
    shown = {name: value for name, value in metrics.items() if name.startswith("M_")}
    origins = record.payload.get("origins", {})
    fallbacks = [name for name, origin in origins.items() if origin == "fallback"]
    judge = record.payload.get("judge", {})
    told = {"fallbacks": ", ".join(sorted(fallbacks)) or "none", "rehearsal": judge.get("rehearsal", False)}
    return {**shown, **told, **cost_shown(judge, record)}


def _export(bench: PatchBench) -> None:
    """Write one extraction a line in the pinned order; where the last call failed, its error and no value."""
    rows = exported_rows(bench, STAGE.name, lambda record: exported(record.payload), failed_row)
    write_json_lines(bench.results / "metricas_estruturais_extraidas.jsonl", rows)


def exported(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is written of an extraction: the study's record, each value's origin, a jury's own."""
    jury = [{**_own(one), "judge_id": one["judge_id"]} for one in payload["jury"]]
    return {**_own(payload), **({"jury": jury} if len(jury) > 1 else {})}


def _own(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with the origin of each of its values."""
    return {**payload["record"], "origins": dict(payload["origins"])}


def failed_row(instance_id: str, reason: str) -> dict[str, Any]:
    """Return what is written of an extraction whose call failed: why, and that no value has an origin."""
    from swe_assets.judging.extraction import FALLBACK
    from swe_assets.judging.jury_extraction import CALL_FAILED

    return {"instance_id": instance_id, "error": reason, "origins": dict.fromkeys(FALLBACK, CALL_FAILED)}


STAGE: Stage[PatchBench] = Stage(
    "metricas_estruturais_extraidas",
    "2",
    one_by_one(_make),
    upstream=("evaluation_results",),
    settings=_settings,
    export=_export,
    files=("metricas_estruturais_extraidas.jsonl",),
    show=_show,
    paid=True,
    concurrency=lambda bench: bench.call_concurrency,
    cancel=lambda bench: bench.stop_calls(),
)
