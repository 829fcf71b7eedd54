"""Files from all records are written by the last of the runs that share a stage, not by each of them."""

import json

import dagster as dg
from dagster._core.storage.dagster_run import RunsFilter
from dagster._core.storage.tags import BACKFILL_ID_TAG

from swe_assets.storage.atomic import to_json
from swe_assets.storage.stage import B
from swe_assets.storage.turns import TURN_TAG

ENDED_NOTE = "ended.json"
UNFINISHED = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
]


def left_to_others(context: dg.AssetExecutionContext, bench: B) -> bool:
    """Return whether another run will write a stage's files once this one has stored all its records.

    Our command line writes them after all chunks that it spread. Of a backfill's runs the last to get here
    does: each notes under a lock that it got here, and leaves the files to those that did not yet. A run
    that is killed before it gets here may leave them as they were; the next run of any kind makes them.
    """
    if TURN_TAG in context.run.tags and context.run.parent_run_id is None:  # a repetition has its parent's
        return True
    backfill = context.run.tags.get(BACKFILL_ID_TAG)
    if backfill is None or len(context.partition_keys) >= len(bench.instances):
        return False
    with bench.store.exports_turn():
        filters = RunsFilter(statuses=UNFINISHED, tags={BACKFILL_ID_TAG: backfill})
        stage = context.run.asset_selection
        going = {run.run_id for run in context.instance.get_runs(filters) if run.asset_selection == stage}
        here = {run for run in _noted(bench) if run in going} | {context.run_id}
        bench.store.write_note(ENDED_NOTE, to_json(sorted(_unfinished(context, bench, here))))
        return bool(going - here)


def _noted(bench: B) -> list[str]:
    try:
        found = json.loads(bench.store.note(ENDED_NOTE) or "[]")
    except ValueError:
        return []
    return [str(run) for run in found] if isinstance(found, list) else []


def _unfinished(context: dg.AssetExecutionContext, bench: B, here: set[str]) -> set[str]:
    """Return what is noted from now on: those here, and runs of other stages that are not over."""
    others = [run for run in _noted(bench) if run not in here]
    found = context.instance.get_runs(RunsFilter(run_ids=others, statuses=UNFINISHED)) if others else []
    return here | {run.run_id for run in found}
