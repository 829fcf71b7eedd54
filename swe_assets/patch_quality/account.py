"""The account: where each pinned instance stands, so that none is lost in silence."""

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.stages import stages
from swe_assets.storage.csv_text import csv_text
from swe_assets.storage.records import OK
from swe_assets.storage.stage import Plan, Stage, plan_chain

IN_MATRIX = "in_matrix"
EXCLUDED = "excluded"
MISSING = "missing"


@dataclass(frozen=True)
class AccountRow:
    """One pinned instance: in the matrix, excluded with a reason, or missing with the stage it stopped at."""

    instance_id: str
    place: str
    stage: str
    reason: str
    outcome: str


def account(bench: PatchBench) -> list[AccountRow]:
    """Return one row for each pinned instance, in the pinned order.

    A record counts only where it and everything above it is current: an older row never stands in for one
    that is stale or failed.
    """
    plans = plan_chain(study_stages(bench), bench, bench.instances)
    return [_row(bench, plans, instance_id) for instance_id in bench.instances]


def study_stages(bench: PatchBench) -> list[Stage[PatchBench]]:
    """Return the stages of the bench's study in order of flow."""
    return [stage for stage, _face in stages(judge_excluded=bench.study.judge_excluded)]


def _row(bench: PatchBench, plans: Mapping[str, Plan], instance_id: str) -> AccountRow:
    rebuilt = bench.store.read("arquivos_reconstruidos", instance_id)
    outcome = str(rebuilt.payload.get("outcome", "")) if rebuilt is not None else ""
    for name, plan in plans.items():
        if instance_id not in plan.current:
            return AccountRow(instance_id, MISSING, name, _why_not(plan, instance_id), outcome)
    row = bench.store.read("matriz_consolidada", instance_id)
    if row is None:
        bench.store.discard("matriz_consolidada", instance_id)
        return AccountRow(instance_id, MISSING, "matriz_consolidada", "its record was damaged", outcome)
    if row.status == OK:
        return AccountRow(instance_id, IN_MATRIX, "matriz_consolidada", "", outcome)
    stage = next(name for name, plan in plans.items() if plan.current[instance_id].status != OK)
    return AccountRow(instance_id, EXCLUDED, stage, row.reason, outcome)


def _why_not(plan: Plan, instance_id: str) -> str:
    if instance_id in plan.waiting:
        return plan.waiting[instance_id]
    if instance_id in plan.failed:
        return f"failed: {plan.failed[instance_id]}"
    reasons = plan.todo[instance_id]
    return "not materialised yet" if reasons == ["missing"] else f"stale: {'; '.join(reasons)}"


def excluded_ids(rows: Iterable[AccountRow]) -> dict[str, list[str]]:
    """Return the ids that are not in the matrix by reason, the most frequent reason first."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if row.place != IN_MATRIX:
            reason = row.reason if row.place == EXCLUDED else f"missing: {row.stage} {row.reason}"
            found.setdefault(reason, []).append(row.instance_id)
    return dict(sorted(found.items(), key=lambda item: (-len(item[1]), item[0])))


def account_csv(rows: Iterable[AccountRow]) -> str:
    """Return the account as CSV: instance_id, place, stage, reason, outcome."""
    return csv_text([field.name for field in fields(AccountRow)], map(astuple, rows))
