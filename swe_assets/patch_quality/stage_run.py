"""One stage over a list of instances as one run of Dagster's in this process, as the UI would record it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import dagster as dg
from dagster._core.storage.tags import (
    ASSET_PARTITION_RANGE_END_TAG,
    ASSET_PARTITION_RANGE_START_TAG,
)
from dagster_shared.error import SerializableErrorInfo

from swe_assets.patch_quality.report_assets import REPORT_NAMES
from swe_assets.patch_quality.stage_asset import asset_key
from swe_assets.patch_quality.study import Study
from swe_assets.patch_quality.study_assets import LOCATION, study_definitions
from swe_assets.storage.asset_run import run_assets
from swe_assets.storage.events import SELECTION_TAG, event_batches
from swe_assets.storage.instance import PROCESS_TAG, process_mark
from swe_assets.storage.runner import reporting, selection_digest
from swe_assets.storage.stage import Progress

GATE_FAILURES = {"DagsterAssetCheckFailedError"}
INTERRUPTIONS = {"DagsterExecutionInterruptedError", "KeyboardInterrupt"}
QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


@dataclass(frozen=True)
class StageRun:
    """What came of one run of a stage: its counts, what ended it other than failed instances, its run id."""

    progress: Progress
    crashes: list[str]
    run_id: str


def run_stage(
    instance: dg.DagsterInstance,
    study: Study,
    stage: str,
    ids: Sequence[str],
    *,
    force: bool = False,
    report: Callable[[Progress], None] = lambda _progress: None,
    tags: Mapping[str, str] | None = None,
) -> StageRun:
    """Run one stage over any of the study's instances; KeyboardInterrupt where it was interrupted."""
    seen: list[Progress] = []

    def note(progress: Progress) -> None:
        seen[:] = [progress]
        report(progress)

    span = {
        ASSET_PARTITION_RANGE_START_TAG: ids[0],
        ASSET_PARTITION_RANGE_END_TAG: ids[-1],
        SELECTION_TAG: selection_digest(ids),
    }
    config = {"ops": {f"{study.name}__{stage}": {"config": {"force": force}}}}
    with reporting(note):
        outcome = run_named(instance, study, ids, [stage], {**span, **(tags or {})}, config)
    progress = seen[0] if seen else Progress(stage, 0)
    return StageRun(progress, crashes(outcome), outcome.run_id)


def run_named(
    instance: dg.DagsterInstance,
    study: Study,
    ids: Sequence[str],
    names: Sequence[str],
    tags: Mapping[str, str],
    config: Mapping[str, object],
) -> dg.JobExecutionResult:
    """Run the named assets of a study whose partitions are ids; KeyboardInterrupt where interrupted."""
    selection: dg.AssetSelection = dg.AssetSelection.assets(*(asset_key(study.name, name) for name in names))
    if not set(names) & set(REPORT_NAMES):
        selection = selection.without_checks()
    with event_batches():
        outcome = run_assets(
            instance,
            study_definitions(study, tuple(ids)),
            selection,
            LOCATION,
            tags={PROCESS_TAG: process_mark(), **tags},
            run_config={**QUIET, **config},
        )
    stop_if_interrupted(outcome)
    return outcome


def crashes(outcome: dg.JobExecutionResult) -> list[str]:
    """Return what ended steps other than failed instances and broken blocking gates, which are told apart."""
    failures = [event.step_failure_data for event in outcome.all_events if event.is_step_failure]
    errors = [f.error for f in failures if f.user_failure_data is None and f.error is not None]
    texts = [(e.cause or e).message.strip() for e in errors if e.cls_name not in GATE_FAILURES]
    return [re.sub(r"^swe_assets\.errors\.\w+: ", "", text) for text in texts]


def stop_if_interrupted(outcome: dg.JobExecutionResult) -> None:
    """Raise KeyboardInterrupt where Dagster ended the step for one: nothing further is to be started."""
    if any(error.cls_name in INTERRUPTIONS for error in _step_errors(outcome)):
        raise KeyboardInterrupt


def _step_errors(outcome: dg.JobExecutionResult) -> list[SerializableErrorInfo]:
    failures = (event.step_failure_data for event in outcome.all_events if event.is_step_failure)
    return [failure.error for failure in failures if failure.error is not None]
