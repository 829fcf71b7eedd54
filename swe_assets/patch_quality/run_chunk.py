"""A chunk of one stage, done by a worker: a run of Dagster's of its own, as a backfill's would be."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass

import dagster as dg
from dagster._core.errors import DagsterExecutionInterruptedError
from dagster._core.storage.dagster_run import RunsFilter

from swe_assets import __version__
from swe_assets.errors import ConfigurationError, StoreError
from swe_assets.patch_quality.account import study_stages
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.run_plan import StageTargets, stage_targets
from swe_assets.patch_quality.stage_run import run_stage
from swe_assets.patch_quality.study import Study
from swe_assets.storage.instance import open_instance
from swe_assets.storage.records import EXCLUDED, digest
from swe_assets.storage.stage import Progress
from swe_assets.storage.stops import note_stop
from swe_assets.storage.turns import (
    CHUNK_TAG,
    STUDY_TAG,
    TURN_TAG,
    TurnWatch,
    close_left_runs,
    holds,
    stop_stage,
    stopped,
)
from swe_assets.storage.workers import WORKER_TAG, worker_name

TURN_NOTE = ".turn"
"""The note in the store by which a worker knows that it sees the command line's."""
SHARED_SECONDS = 10.0
"""How long a network file system may take to show what was written."""

_ONE_AT_A_TIME = threading.Lock()
"""Dagster is not safe with threads: a worker with several does one chunk after the other."""


@dataclass(frozen=True)
class Chunk:
    """Instances for one run of a stage; `todo` are those that are to be made, the others only recorded.

    `pin` and `version` say which study and program the command line sees; a worker that sees others refuses.
    `more_tags` go with the chunk's run, such as those of its budget.
    """

    study: str
    stage: str
    number: int
    ids: tuple[str, ...]
    todo: frozenset[str]
    force: bool
    token: str
    pin: str
    version: str = __version__
    more_tags: tuple[tuple[str, str], ...] = ()

    @property
    def tags(self) -> dict[str, str]:
        """Return the tags that tell the runs of this chunk from all others."""
        mark = f"{self.token}:{self.stage}:{self.number}"
        return {STUDY_TAG: self.study, TURN_TAG: self.token, CHUNK_TAG: mark}


@dataclass(frozen=True)
class ChunkOutcome:
    """What came of a chunk, over all attempts at it: counts of `todo`, and what ended it early."""

    done: int = 0
    excluded: int = 0
    failed: int = 0
    stop: str = ""
    crashes: tuple[str, ...] = ()
    interrupted: bool = False
    worker: str = ""


def pin_of(study: Study) -> str:
    """Return the digest of a study's pin, which worker and command line must both see."""
    pinned = (f"{name}={sha}" for name, sha in sorted(study.pinned.items()))
    return digest(study.created, *pinned, str(len(study.instances)))


def run_chunk(chunk: Chunk) -> ChunkOutcome:
    """Do a chunk in this process and return what came of it.

    An attempt whose worker was killed is closed first; what it stored is not made again. Raises
    ConfigurationError where this worker sees another study, store or records than the command line.
    """
    with _ONE_AT_A_TIME, open_instance() as instance:
        bench = PatchBench.open(chunk.study)
        _refuse_another_place(bench, chunk)
        if not holds(instance, chunk.study, chunk.token):
            return ChunkOutcome(interrupted=True, worker=worker_name())
        reason = stopped(instance, chunk.study, chunk.token, chunk.stage)
        if reason:
            with suppress(StoreError):  # as where the disk is full: the stop is told all the same
                note_stop(bench.store, chunk.stage, chunk.todo, reason)
            bench.close()
            return ChunkOutcome(failed=len(chunk.todo), stop=reason, worker=worker_name())
        try:
            return _attempt(instance, bench, chunk)
        except (KeyboardInterrupt, DagsterExecutionInterruptedError):
            return ChunkOutcome(interrupted=True, worker=worker_name())
        finally:
            bench.close()


def _refuse_another_place(bench: PatchBench, chunk: Chunk) -> None:
    if chunk.version != __version__:
        raise ConfigurationError(
            f"this worker has swe-assets {__version__}, the command line {chunk.version}: install the same"
        )
    same = chunk.pin == pin_of(bench.study)
    if not same or not retried(lambda: bench.store.note(TURN_NOTE) == chunk.token, SHARED_SECONDS):
        raise ConfigurationError(
            f"this worker sees another {'store' if same else 'study'} ({bench.study.path}, "
            f"{bench.store.place}) than the command line: start workers with the same SWE_ASSETS_HOME, on a "
            "path that all share, and the same SWE_ASSETS_STORE"
        )


def retried(holds_now: Callable[[], bool], seconds: float) -> bool:
    """Return whether something comes to hold within some seconds, asked four times a second."""
    end = time.monotonic() + seconds
    while not holds_now():
        if time.monotonic() > end:
            return False
        time.sleep(0.25)
    return True


def _attempt(instance: dg.DagsterInstance, bench: PatchBench, chunk: Chunk) -> ChunkOutcome:
    stage = next(stage for stage in study_stages(bench) if stage.name == chunk.stage)
    before = _made_before(instance, chunk)
    close_left_runs(instance, chunk.tags)
    targets = stage_targets(instance, bench, stage, chunk.ids, force=chunk.force)
    chosen = [i for i in targets.reasons if i not in before]
    progress = Progress(stage.name, 0)
    crashes: Sequence[str] = ()
    if chosen:
        watch = TurnWatch(instance, chunk.study, chunk.token)
        tags = {**chunk.tags, **dict(chunk.more_tags), WORKER_TAG: worker_name()}
        made = run_stage(
            instance,
            bench.study,
            stage.name,
            chosen,
            force=chunk.force,
            report=lambda _progress: watch.look(),
            tags=tags,
        )
        progress, crashes = made.progress, made.crashes
    if progress.stop:
        stop_stage(instance, chunk.study, chunk.token, stage.name, progress.stop)
    settled = _settled(targets, chunk, before)
    return ChunkOutcome(
        progress.done + settled["done"],
        progress.excluded + settled["excluded"],
        progress.failed + settled["failed"],
        progress.stop,
        tuple(crashes),
        worker=worker_name(),
    )


def _made_before(instance: dg.DagsterInstance, chunk: Chunk) -> frozenset[str]:
    """Return what earlier attempts at a forced chunk recorded: it was made anew and is not made again."""
    if not chunk.force:
        return frozenset()
    runs = instance.get_runs(RunsFilter(tags=chunk.tags))
    logs = (instance.all_logs(r.run_id, of_type=dg.DagsterEventType.ASSET_MATERIALIZATION) for r in runs)
    events = (entry.dagster_event for log in logs for entry in log)
    return frozenset(event.partition for event in events if event is not None and event.partition)


def _settled(targets: StageTargets, chunk: Chunk, before: Collection[str]) -> Counter[str]:
    """Count what earlier attempts came to: instances to be made that are current by now."""
    plan = targets.plan
    current = {i: h for i, h in plan.current.items() if i in chunk.todo}
    found = Counter("excluded" if h.status == EXCLUDED else "done" for h in current.values())
    again = [i for i in before if i in chunk.todo and i not in current]
    found.update("excluded" if i in plan.exclusions else "done" for i in again)
    found["failed"] = sum(i in chunk.todo for i in plan.waiting)
    return found
