"""evaluation_payload: the prompts that the judge gets for each instance."""

from dataclasses import asdict
from typing import Any

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.atomic import write_json_lines
from swe_assets.storage.records import EXCLUDED, Record, digest
from swe_assets.storage.stage import Made, Stage, one_by_one

FACE = StageFace(
    "System and user prompt of each instance: issue and patch as fenced data, never as instructions, and "
    "where they seem to speak to the judge.",
    {"llm", "json"},
)
SHOWN = ("instance_id", "system_prompt", "user_prompt")


def _make(bench: PatchBench, instance_id: str) -> Made:
    from swe_assets.judging.injection import suspicions
    from swe_assets.judging.payload import build_payload

    statement = bench.dataset[instance_id].problem_statement
    if not statement or not statement.strip():
        return Made(instance_id, {}, EXCLUDED, "no_problem_statement")
    patch = bench.store.need("patches", instance_id).payload["model_patch"]
    payload = build_payload(instance_id, statement, patch, bench.prompts)
    found = {"patch": suspicions(patch or ""), "issue": suspicions(statement)}
    injection = [{"where": where, **asdict(one)} for where, those in found.items() for one in those]
    return Made(instance_id, {**payload, "injection": injection})


def _source(bench: PatchBench, instance_id: str) -> str:
    return digest(bench.dataset[instance_id].problem_statement or "")


def _settings(bench: PatchBench) -> str:
    return bench.prompts.judge_fingerprint


def _show(record: Record) -> dict[str, Any]:
    suspected = record.payload.get("injection", [])
    return {"characters": len(record.payload.get("user_prompt", "")), "injection": len(suspected)}


def _export(bench: PatchBench) -> None:
    """Write one payload a line for the instances that are judged."""
    records = bench.store.records(STAGE.name, bench.instances)
    rows = [{name: r.payload[name] for name in SHOWN} for r in records if r.status != EXCLUDED]
    write_json_lines(bench.results / "evaluation_payload.jsonl", rows)


STAGE: Stage[PatchBench] = Stage(
    "evaluation_payload",
    "2",
    one_by_one(_make),
    upstream=("patches",),
    settings=_settings,
    source=_source,
    export=_export,
    files=("evaluation_payload.jsonl",),
    show=_show,
)
