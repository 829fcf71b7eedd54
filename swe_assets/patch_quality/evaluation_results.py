"""evaluation_results: the judge's verdict on each patch, on disk before the next call is made."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from swe_assets.errors import ConfigurationError
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.atomic import to_json, write_json_lines
from swe_assets.storage.records import EXCLUDED, Record
from swe_assets.storage.stage import Failed, Made, Stage, StageStoppedError, one_by_one

FACE = StageFace(
    "The judge's resolve_issue, score_confianca and raciocinio_analitico; a failed call is a failed "
    "partition and is tried again, never a verdict.",
    {"llm", "json"},
)


def _make(bench: PatchBench, instance_id: str) -> Made | Failed:
    from swe_assets.judging.verdict import judge

    payload = bench.store.need("evaluation_payload", instance_id).payload
    with calls_that_may_stop():
        result = judge(payload, bench.model)
    if "error" in result:
        return Failed(instance_id, str(result["error"]))
    return Made(instance_id, {"evaluation": result["evaluation"]})


@contextmanager
def calls_that_may_stop() -> Iterator[None]:
    """Turn what makes every further call useless (no key, a wrong key, a used-up quota) into a stop."""
    from swe_assets.llm.outcomes import StopCallsError

    try:
        yield
    except (StopCallsError, ConfigurationError) as stop:
        raise StageStoppedError(str(stop)) from stop


def _settings(bench: PatchBench) -> str:
    from swe_assets.judging.provenance import judge_provenance

    return to_json(judge_provenance(bench.planned_model, bench.prompts))


def _show(record: Record) -> dict[str, Any]:
    verdict = record.payload.get("evaluation", {})
    shown = {name: verdict[name] for name in ("resolve_issue", "score_confianca") if name in verdict}
    judge = verdict.get("judge", {})
    return {**shown, "judge": judge.get("model", "none"), "rehearsal": judge.get("rehearsal", False)}


def _export(bench: PatchBench) -> None:
    """Write one result a line, {instance_id, evaluation} or {instance_id, error}, in the pinned order.

    Where the last call failed the error stands, also beside an older verdict: that was of another call.
    """
    rows: list[dict[str, Any]] = []
    for instance_id in bench.instances:
        record = bench.store.read(STAGE.name, instance_id)
        failure = bench.store.failure(STAGE.name, instance_id)
        if failure is not None:
            rows.append({"instance_id": instance_id, "error": failure})
        elif record is not None and record.status != EXCLUDED:
            rows.append({"instance_id": instance_id, "evaluation": record.payload["evaluation"]})
    write_json_lines(bench.results / "evaluation_results.jsonl", rows)


STAGE: Stage[PatchBench] = Stage(
    "evaluation_results",
    "1",
    one_by_one(_make),
    upstream=("evaluation_payload",),
    settings=_settings,
    export=_export,
    files=("evaluation_results.jsonl",),
    show=_show,
    paid=True,
)
