"""The status of a study: its assets by current, excluded, stale, missing and failed instances."""

from typing import Any

from swe_assets.patch_quality.account import study_stages
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.report_assets import summaries
from swe_assets.storage.records import EXCLUDED
from swe_assets.storage.stage import Plan, plan_chain
from swe_assets.storage.stops import stops
from swe_assets.storage.summary import ALL, summary_reasons


def study_status(bench: PatchBench) -> dict[str, Any]:
    """Return study, pinned, judges and, for each asset in order of flow, its counts and the ids by reason."""
    plans = plan_chain(study_stages(bench), bench, bench.instances)
    return {
        "study": bench.study.name,
        "pinned": len(bench.instances),
        "judges": list(bench.study.judges),
        "assets": [
            *(_stage_status(bench, name, plan) for name, plan in plans.items()),
            *_summary_status(bench),
        ],
    }


def _stage_status(bench: PatchBench, name: str, plan: Plan) -> dict[str, Any]:
    found: dict[str, Any] = {"asset": name, "ok": 0, "excluded": 0, "stale": 0, "missing": 0, "failed": 0}
    reasons: dict[str, list[str]] = {}
    untried = stops(bench.store, name)
    for instance_id, header in plan.current.items():
        excluded = header.status == EXCLUDED
        found["excluded" if excluded else "ok"] += 1
        if excluded:
            reasons.setdefault(f"excluded: {header.reason}", []).append(instance_id)
    for instance_id, why in {**plan.todo, **{i: [w] for i, w in plan.waiting.items()}}.items():
        there = bench.store.header(name, instance_id) is not None
        failed = instance_id in plan.failed and instance_id in plan.todo
        kind = "failed" if failed else "stale" if there else "missing"
        found[kind] += 1
        told = [] if why == ["missing"] else list(why)
        if instance_id in untried and instance_id in plan.todo and not failed:
            told.append(untried[instance_id])
        if told:
            reasons.setdefault(f"{kind}: {'; '.join(told)}", []).append(instance_id)
    return {**found, "reasons": dict(sorted(reasons.items()))}


def _summary_status(bench: PatchBench) -> list[dict[str, Any]]:
    found = []
    for summary in summaries():
        why = summary_reasons(summary, bench)
        missing = bench.store.header(summary.name, ALL) is None
        counts = {"ok": int(not why), "excluded": 0, "stale": int(bool(why) and not missing)}
        reasons = {f"stale: {'; '.join(why)}": [ALL]} if why and not missing else {}
        row = {"asset": summary.name, **counts, "missing": int(missing), "failed": 0, "reasons": reasons}
        found.append(row)
    return found
