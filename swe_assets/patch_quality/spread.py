"""Stages spread over workers in chunks, with the counts that one process would come to."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import dagster as dg

from swe_assets.errors import StoreError
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.run_chunk import TURN_NOTE, Chunk, ChunkOutcome, pin_of, run_chunk
from swe_assets.patch_quality.run_plan import StageTargets
from swe_assets.storage.engine import EngineSettings, engine_settings
from swe_assets.storage.stage import Progress
from swe_assets.storage.turns import STUDY_TAG, close_left_runs, turn
from swe_assets.storage.workers import Workers, open_workers


class Spread:
    """The workers of one run of a study, and the turn under which they work."""

    def __init__(self, bench: PatchBench, settings: EngineSettings, workers: Workers, token: str) -> None:
        self.bench = bench
        self.settings = settings
        self.workers = workers
        self.token = token

    def chunks(
        self, targets: StageTargets, *, force: bool, tags: Mapping[str, str] | None = None
    ) -> list[Chunk]:
        """Return the instances of a stage in chunks, in the pinned order."""
        ids = list(targets.reasons)
        size = self.settings.chunk_of(len(ids), self.workers.count)
        pin = pin_of(self.bench.study)
        parts = (tuple(ids[start : start + size]) for start in range(0, len(ids), size))
        return [
            Chunk(
                self.bench.study.name,
                targets.stage.name,
                number,
                part,
                frozenset(part) & targets.plan.todo.keys(),
                force,
                self.token,
                pin,
                more_tags=tuple((tags or {}).items()),
            )
            for number, part in enumerate(parts)
        ]

    def stage(
        self,
        targets: StageTargets,
        *,
        force: bool,
        report: Callable[[Progress], None],
        tags: Mapping[str, str] | None = None,
    ) -> tuple[Progress, list[str]]:
        """Have a stage's chunks done; return the counts and what ended chunks other than failed instances.

        Raises KeyboardInterrupt where a chunk was interrupted from elsewhere.
        """
        progress = Progress(targets.stage.name, len(targets.plan.todo), report=report)
        crashes: list[str] = []
        report(progress)
        for chunk, outcome in self.workers.work(run_chunk, self.chunks(targets, force=force, tags=tags)):
            if isinstance(outcome, Exception):
                crashes.append(f"chunk {chunk.number} ({len(chunk.ids)} instances): {outcome}")
            else:
                _add(progress, outcome)
                crashes += outcome.crashes
        return progress, crashes


def _add(progress: Progress, outcome: ChunkOutcome) -> None:
    """Count a chunk."""
    if outcome.interrupted:
        raise KeyboardInterrupt
    progress.done += outcome.done
    progress.excluded += outcome.excluded
    progress.failed += outcome.failed
    progress.stop = progress.stop or outcome.stop
    progress.report(progress)


@contextmanager
def spread(instance: dg.DagsterInstance, bench: PatchBench) -> Iterator[Spread | None]:
    """Give the workers that the environment names, None where this process does all itself.

    Raises ConfigurationError where the engine cannot be had, and StoreError where Dagster's records are only
    this process's.
    """
    settings = engine_settings()
    if not settings.spreads:
        yield None
        return
    if not instance.is_persistent:
        raise StoreError("Dagster's records are in memory, so no worker can see them: set SWE_ASSETS_HOME")
    study = bench.study.name
    tags = {STUDY_TAG: study}
    close_left_runs(instance, tags)
    try:
        with open_workers(settings) as workers, turn(instance, study) as token:
            bench.store.write_note(TURN_NOTE, token)
            yield Spread(bench, settings, workers, token)
    finally:
        close_left_runs(instance, tags)
