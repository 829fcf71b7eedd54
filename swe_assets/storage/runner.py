"""One stage in one Dagster step: the good instances become materialised, the bad ones failed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from contextvars import ContextVar
from typing import Any

import dagster as dg

from swe_assets.storage.events import SELECTION_TAG, log_materialisations, silent_output
from swe_assets.storage.exports import export_if_changed
from swe_assets.storage.last_chunk import left_to_others
from swe_assets.storage.records import Header, Record, digest
from swe_assets.storage.stage import B, Failed, Progress, Results, Stage, perform, plan_stage
from swe_assets.storage.workers import WORKER_TAG, dask_worker_name

NAMED_FAILURES = 20

_report: ContextVar[Callable[[Progress], None]] = ContextVar("report", default=lambda _progress: None)


@contextmanager
def reporting(report: Callable[[Progress], None]) -> Iterator[None]:
    """Call report after each instance of the stages that run inside."""
    token = _report.set(report)
    try:
        yield
    finally:
        _report.reset(token)


def selection_digest(ids: Sequence[str]) -> str:
    """Return the digest that ties a run to its exact list of instances."""
    return digest(*ids)


def refuse_wrong_selection(context: dg.AssetExecutionContext) -> None:
    """Fail a re-execution whose range means other instances than the run it repeats.

    Our command line puts the selected instances first, so that an arbitrary list is one range; a
    re-execution from the UI would read that range in the pinned order.
    """
    wanted = context.run.tags.get(SELECTION_TAG)
    if wanted is not None and wanted != selection_digest(context.partition_keys):
        raise dg.Failure(
            "this run was started by `swe-assets run` for a list of instances that is not a range of the "
            "pinned order, so it cannot be re-executed from here. Materialise the wanted partitions from the "
            "asset's page, or run `swe-assets run` again: it continues with what is missing",
            allow_retries=False,
        )


def materialise(
    context: dg.AssetExecutionContext, stage: Stage[B], bench: B, *, force: bool = False
) -> Iterator[dg.Output[None]]:
    """Make what is missing or stale among the run's partitions, and record all of them.

    Instances whose record is current are recorded again without any work. Raises dagster.Failure, naming
    the instances that failed, after the others are recorded.
    """
    refuse_wrong_selection(context)
    _note_worker(context)
    ids = list(context.partition_keys)
    plan = plan_stage(stage, bench, ids, force=force)
    _log(context, stage, list(bench.store.records(stage.name, plan.current)))
    progress = Progress(stage.name, len(plan.todo), report=_report.get())
    failed = [Failed(i, reason) for i, reason in plan.waiting.items()]
    failed += _work(context, stage, perform(stage, bench, plan, ids), progress)
    if not left_to_others(context, bench):
        export_if_changed(stage, bench)
    if failed:
        raise _failure(stage.name, failed, len(ids))
    yield silent_output()


def _note_worker(context: dg.AssetExecutionContext) -> None:
    """Tag the run with the Dask worker that does it, where one does."""
    name = dask_worker_name()
    if name and context.run.tags.get(WORKER_TAG) != name:
        context.instance.add_run_tags(context.run_id, {WORKER_TAG: name})


def _work(
    context: dg.AssetExecutionContext,
    stage: Stage[B],
    results: Results,
    progress: Progress,
) -> list[Failed]:
    made: list[Record] = []
    failed: list[Failed] = []
    try:
        with closing(results):
            for result in results:
                progress.count(result)
                if isinstance(result, Failed):
                    failed.append(result)
                else:
                    made.append(result)
                if len(made) == stage.chunk:
                    _log(context, stage, made)
                    made = []
    finally:
        _log(context, stage, made)
    return failed


def _log(context: dg.AssetExecutionContext, stage: Stage[B], records: Sequence[Record]) -> None:
    headers: list[Header] = [record.header for record in records]
    metadata: Mapping[str, Mapping[str, Any]] = {r.instance_id: stage.show(r) for r in records}
    log_materialisations(context, headers, metadata)


def _failure(name: str, failed: Sequence[Failed], total: int) -> dg.Failure:
    lines = [f"{f.instance_id}: {f.reason}" for f in failed[:NAMED_FAILURES]]
    more = len(failed) - len(lines)
    text = "\n".join([*lines, *([f"… and {more} more"] if more > 0 else [])])
    return dg.Failure(
        f"{name}: {len(failed)} of {total} instances failed, the others are stored and recorded.\n{text}\n"
        "To go on: `swe-assets run` tries just these again; in the UI re-materialise the failed partitions. "
        "To run everything from the UI, materialise one asset after the other in the order of the graph, or "
        "start one backfill over all assets: it runs them stage by stage.",
        metadata={
            "failed": len(failed),
            "instances": dg.MetadataValue.json([f.instance_id for f in failed]),
        },
        allow_retries=False,
    )
