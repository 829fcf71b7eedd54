"""evaluation_results: the verdict of the judge or the jury on each patch, kept before it is used."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.jury_calls import each_judge, models_of
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.atomic import to_json, write_json_lines
from swe_assets.storage.records import EXCLUDED, Record
from swe_assets.storage.stage import Failed, Made, Stage, one_by_one

FACE = StageFace(
    "The judge's resolve_issue, score_confianca and raciocinio_analitico, or a jury's majority and mean "
    "beside each judge's; a failed call is a failed partition and is tried again, never a verdict.",
    {"llm", "json"},
)
SUSPECTED = "injection_suspected"
"""The flag of an instance whose issue or patch seems to speak to its judge."""


def _make(bench: PatchBench, instance_id: str) -> Made | Failed:
    from swe_assets.judging.jury import joint_evaluation, jury_flags
    from swe_assets.judging.verdict import judge

    payload = bench.store.need("evaluation_payload", instance_id).payload
    models = models_of(bench)
    results = each_judge(models, lambda name: judge(payload, models[name], bench.prices), bench.stop_calls)
    errors = {name: result["error"] for name, result in results.items() if "error" in result}
    if errors:
        return Failed(instance_id, failure_text(errors, of=len(results)))
    jury = [{"judge_id": name, **result["evaluation"]} for name, result in results.items()]
    injection = payload["injection"]
    flags = [*([SUSPECTED] if injection else []), *jury_flags(jury)]
    made = {"evaluation": joint_evaluation(jury), "jury": jury, "flags": flags, "injection": injection}
    costs = [result["cost_usd"] for result in results.values()]
    return Made(instance_id, made, told=told_of_calls([r["cached"] for r in results.values()], costs))


def told_of_calls(cached: Sequence[bool], costs: Sequence[float | None]) -> dict[str, Any]:
    """Return what is shown of an instance's calls and not stored: whether all were kept already, their USD.

    By later prices the cost would be another, while the record stays the same. No cost is shown where one
    judge's is not known.
    """
    from swe_assets.judging.jury import total

    cost = total(costs)
    return {"cached": all(cached), **({} if cost is None else {"cost_usd": cost})}


def failure_text(errors: Mapping[str, str], *, of: int) -> str:
    """Return why an instance failed, of a jury with the names of the judges that gave no answer."""
    if of == 1:
        return next(iter(errors.values()))
    return "; ".join(f"{name}: {error}" for name, error in errors.items())


def _settings(bench: PatchBench) -> str:
    from swe_assets.judging.provenance import judge_provenance

    models = bench.planned_models.items()
    return to_json([{"judge_id": name, **judge_provenance(model, bench.prompts)} for name, model in models])


def _show(record: Record) -> dict[str, Any]:
    verdict = record.payload.get("evaluation", {})
    names = ("resolve_issue", "score_confianca", "spread")
    shown = {name: verdict[name] for name in names if name in verdict}
    judge, jury = verdict.get("judge", {}), record.payload.get("jury", [])
    votes = {one["judge_id"]: [one["resolve_issue"], one["score_confianca"]] for one in jury}
    return {
        **shown,
        "judge": judge.get("model", "none"),
        **({"votes": votes} if len(votes) > 1 else {}),
        **cost_shown(judge, record),
        "flags": ", ".join(record.payload.get("flags", [])) or "none",
        "rehearsal": judge.get("rehearsal", False),
    }


def cost_shown(judge: Mapping[str, Any], record: Record) -> dict[str, Any]:
    """Return what the UI shows of a record's calls: tokens, USD, whether all answers were kept already."""
    told = {name: judge.get(name) for name in ("tokens_in", "tokens_out")}
    return {**{name: value for name, value in told.items() if value is not None}, **record.told}


def _export(bench: PatchBench) -> None:
    """Write one result a line, {instance_id, evaluation, …} or {instance_id, error}, in the pinned order.

    Beside the evaluation stand each judge's of a jury, and the flags where there are any. Where the
    last call failed the error stands, also beside an older verdict: that was of another call.
    """
    rows = exported_rows(
        bench,
        STAGE.name,
        lambda record: {"instance_id": record.instance_id, **exported(record.payload)},
        lambda instance_id, reason: {"instance_id": instance_id, "error": reason},
    )
    write_json_lines(bench.results / "evaluation_results.jsonl", rows)


def exported_rows(
    bench: PatchBench,
    asset: str,
    made: Callable[[Record], dict[str, Any]],
    failed: Callable[[str, str], dict[str, Any]],
) -> list[dict[str, Any]]:
    """Return a row for each instance that was made, or whose last call failed, in the pinned order."""
    records = {r.instance_id: r for r in bench.store.records(asset, bench.instances)}
    failures = bench.store.failures(asset)
    rows = []
    for instance_id in bench.instances:
        record = records.get(instance_id)
        if instance_id in failures:
            rows.append(failed(instance_id, failures[instance_id]))
        elif record is not None and record.status != EXCLUDED:
            rows.append(made(record))
    return rows


def exported(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is written of a verdict: of one judge without flags, the evaluation alone."""
    beside = {name: payload[name] for name in ("flags", "injection") if payload[name]}
    jury = {"jury": payload["jury"]} if len(payload["jury"]) > 1 else {}
    return {"evaluation": payload["evaluation"], **jury, **beside}


STAGE: Stage[PatchBench] = Stage(
    "evaluation_results",
    "2",
    one_by_one(_make),
    upstream=("evaluation_payload",),
    settings=_settings,
    export=_export,
    files=("evaluation_results.jsonl",),
    show=_show,
    paid=True,
    concurrency=lambda bench: bench.call_concurrency,
    cancel=lambda bench: bench.stop_calls(),
)
