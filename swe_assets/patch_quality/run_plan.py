"""What `swe-assets run` would do and why: the targets of each stage, from the store and Dagster's records."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import dagster as dg

from swe_assets.errors import StudyError
from swe_assets.patch_quality.account import study_stages
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.report_assets import REPORT_NAMES, summaries
from swe_assets.patch_quality.stage_asset import asset_key
from swe_assets.patch_quality.stages import STAGE_NAMES
from swe_assets.storage.events import recorded_versions
from swe_assets.storage.stage import Plan, Stage, plan_stage
from swe_assets.storage.summary import summary_reasons

UNRECORDED = "stored, but not in Dagster's records"


@dataclass(frozen=True)
class RunOptions:
    """What a person asked `swe-assets run` for."""

    instances: tuple[str, ...] | None = None
    only: str | None = None
    retry_failed: bool = False
    force: bool = False


@dataclass(frozen=True)
class StageTargets:
    """The instances one stage would run on, in the pinned order, each with its reasons."""

    stage: Stage[PatchBench]
    plan: Plan
    reasons: dict[str, list[str]] = field(default_factory=dict)


def chosen_instances(bench: PatchBench, options: RunOptions) -> list[str]:
    """Return the ids asked for, in the pinned order; StudyError names those that are not pinned."""
    chosen = list(bench.instances)
    if options.instances is not None:
        pinned = set(chosen)
        unknown = [i for i in options.instances if i not in pinned]
        if unknown:
            raise StudyError(
                f"not among the {len(chosen)} pinned instances of {bench.study.name!r}: "
                f"{', '.join(map(repr, unknown[:20]))}; see {bench.study.path / 'instances.txt'}"
            )
        wanted = set(options.instances)
        chosen = [i for i in chosen if i in wanted]
    if options.retry_failed:
        failed = {i for name in STAGE_NAMES for i in bench.store.failures(name)}
        chosen = [i for i in chosen if i in failed]
    return chosen


def chosen_stages(bench: PatchBench, options: RunOptions) -> list[Stage[PatchBench]]:
    """Return the stages to run; StudyError where --only names no asset of the study."""
    known = (*STAGE_NAMES, *REPORT_NAMES)
    if options.only is not None and options.only not in known:
        raise StudyError(f"no asset {options.only!r} in {bench.study.name!r}; there are: {', '.join(known)}")
    return [stage for stage in study_stages(bench) if options.only in (None, stage.name)]


def stage_targets(
    instance: dg.DagsterInstance,
    bench: PatchBench,
    stage: Stage[PatchBench],
    ids: Sequence[str],
    *,
    force: bool = False,
) -> StageTargets:
    """Return what one stage would run on now: missing, stale, failed, or stored without Dagster knowing."""
    plan = plan_stage(stage, bench, ids, force=force)
    recorded = recorded_versions(instance, asset_key(bench.study.name, stage.name), ids)
    reasons = dict(plan.todo)
    for instance_id, header in plan.current.items():
        if recorded.get(instance_id) != header.data_version:
            reasons[instance_id] = [UNRECORDED]
    ordered = {i: reasons[i] for i in ids if i in reasons}
    return StageTargets(stage, plan, ordered)


def forecast(
    instance: dg.DagsterInstance, bench: PatchBench, options: RunOptions
) -> list[tuple[str, dict[str, list[str]]]]:
    """Return for each asset the instances that would run, each with its reasons, without running anything.

    What an upstream stage would make anew counts as a reason downstream; if it comes out the same, the
    downstream instance will not run after all.
    """
    ids = chosen_instances(bench, options)
    moved: dict[str, set[str]] = {}
    found = []
    for stage in chosen_stages(bench, options):
        targets = stage_targets(instance, bench, stage, ids, force=options.force)
        reasons = dict(targets.reasons)
        if options.only is None:
            for instance_id in ids:
                above = [name for name in stage.upstream if instance_id in moved.get(name, ())]
                if above and instance_id not in reasons:
                    reasons[instance_id] = [f"after {', '.join(above)}"]
        moved[stage.name] = {i for i, why in reasons.items() if why != [UNRECORDED]}
        found.append((stage.name, {i: reasons[i] for i in ids if i in reasons}))
    return found + _report_forecast(bench, options, moved)


def _report_forecast(
    bench: PatchBench, options: RunOptions, moved: dict[str, set[str]]
) -> list[tuple[str, dict[str, list[str]]]]:
    found = []
    anew: set[str] = {name for name, ids in moved.items() if ids}
    for summary in summaries():
        if options.only not in (None, summary.name):
            continue
        above = [name for name in (*summary.partitioned, *summary.summaries) if name in anew]
        why = summary_reasons(summary, bench) or ([f"after {', '.join(above)}"] if above else [])
        if why:
            anew.add(summary.name)
        found.append((summary.name, {"all": why} if why else {}))
    return found


def forecast_lines(plan: Iterable[tuple[str, dict[str, list[str]]]], named: int = 10) -> list[str]:
    """Return the forecast for reading: one line an asset, then its reasons with counts and first ids."""
    lines = []
    for name, reasons in plan:
        lines.append(f"{name}: {len(reasons)} to run" if reasons else f"{name}: current")
        grouped: dict[str, list[str]] = {}
        for instance_id, why in reasons.items():
            grouped.setdefault("; ".join(why), []).append(instance_id)
        for why_text, ids in grouped.items():
            more = f", … {len(ids) - named} more" if len(ids) > named else ""
            lines.append(f"    {why_text}: {len(ids)} ({', '.join(ids[:named])}{more})")
    return lines
