"""metricas_estruturais_extraidas: the three M_* measures, from the judge's reasoning alone."""

from typing import Any

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.evaluation_results import calls_that_may_stop
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.atomic import to_json, write_json_lines
from swe_assets.storage.records import EXCLUDED, Record
from swe_assets.storage.stage import Made, Stage, one_by_one

FACE = StageFace(
    "Three ordinal measures (1-3) inferred from raciocinio_analitico alone, each stated or the recorded "
    "fallback, and M_coerencia computed locally.",
    {"llm", "json"},
)


def _make(bench: PatchBench, instance_id: str) -> Made:
    from swe_assets.judging.extraction import extract

    verdict = bench.store.need("evaluation_results", instance_id).payload
    result = {"instance_id": instance_id, "evaluation": verdict["evaluation"]}
    with calls_that_may_stop():
        found = extract(result, bench.model, bench.prompts)
    payload = {
        "record": found.record,
        "origins": dict(found.origins),
        "notes": list(found.notes),
        "judge": found.judge,
    }
    return Made(instance_id, payload)


def _settings(bench: PatchBench) -> str:
    from swe_assets.judging.provenance import extraction_provenance

    return to_json(extraction_provenance(bench.planned_model, bench.prompts))


def _show(record: Record) -> dict[str, Any]:
    metrics = record.payload.get("record", {}).get("LLM_Judge_Metrics", {})
    shown = {name: value for name, value in metrics.items() if name.startswith("M_")}
    origins = record.payload.get("origins", {})
    fallbacks = [name for name, origin in origins.items() if origin == "fallback"]
    rehearsal = record.payload.get("judge", {}).get("rehearsal", False)
    return {**shown, "fallbacks": ", ".join(sorted(fallbacks)) or "none", "rehearsal": rehearsal}


def _export(bench: PatchBench) -> None:
    """Write one extraction a line in the pinned order."""
    records = bench.store.records(STAGE.name, bench.instances)
    rows = [record.payload["record"] for record in records if record.status != EXCLUDED]
    write_json_lines(bench.results / "metricas_estruturais_extraidas.jsonl", rows)


STAGE: Stage[PatchBench] = Stage(
    "metricas_estruturais_extraidas",
    "1",
    one_by_one(_make),
    upstream=("evaluation_results",),
    settings=_settings,
    export=_export,
    files=("metricas_estruturais_extraidas.jsonl",),
    show=_show,
    paid=True,
)
