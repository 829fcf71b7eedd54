"""`swe-assets run`: stage after stage over any list of instances, with the records the UI would leave."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import dagster as dg

from swe_assets.errors import MatrixError, StoreError, StudyError
from swe_assets.patch_quality.account import MISSING, account, study_stages
from swe_assets.patch_quality.amostra import write_tables
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.checks import GATES
from swe_assets.patch_quality.report_assets import REPORT_NAMES, summaries
from swe_assets.patch_quality.run_plan import (
    RunOptions,
    chosen_instances,
    chosen_stages,
    stage_targets,
)
from swe_assets.patch_quality.spending import Spending, check_prices, new_spending
from swe_assets.patch_quality.spread import Spread, spread
from swe_assets.patch_quality.stage_asset import asset_key
from swe_assets.patch_quality.stage_run import QUIET, crashes, run_named, run_stage, stop_if_interrupted
from swe_assets.patch_quality.study_assets import LOCATION, study_definitions
from swe_assets.patch_quality.study_folder import run_turn
from swe_assets.storage.asset_run import run_assets
from swe_assets.storage.events import event_batches, recorded_version
from swe_assets.storage.exports import export_if_changed, read_stamps, records_digest, write_stamp
from swe_assets.storage.instance import PROCESS_TAG, process_mark
from swe_assets.storage.records import digest
from swe_assets.storage.stage import Progress, Stage, plan_stage
from swe_assets.storage.summary import ALL, Summary, summary_reasons


@dataclass
class RunResult:
    """What a run came to: counts by stage, gates that do not hold, and what the reports wait for."""

    stages: list[Progress] = field(default_factory=list)
    broken_gates: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    stalled: list[str] = field(default_factory=list)
    waiting: int = 0
    reports_run: tuple[str, ...] = ()

    @property
    def failed(self) -> int:
        """Return how many instances failed, over all stages."""
        return sum(progress.failed for progress in self.stages)


@contextmanager
def run_lock(bench: PatchBench) -> Iterator[None]:
    """Hold the study for one command-line run at a time; StudyError where another run holds it."""
    busy = StudyError(
        f"another `swe-assets run {bench.study.name}` is under way; wait for it or interrupt it"
    )
    with run_turn(bench.study.path, busy):
        yield


class StudyRun:
    """One run of one study on one Dagster instance."""

    def __init__(
        self,
        instance: dg.DagsterInstance,
        bench: PatchBench,
        report: Callable[[Progress], None] = lambda _progress: None,
        spending: Spending | None = None,
    ) -> None:
        self.instance = instance
        self.bench = bench
        self.report = report
        self.spending = spending or new_spending(bench, None)
        self.result = RunResult()
        self._spread: Spread | None = None
        self._stopped = ""

    def execute(self, options: RunOptions) -> RunResult:
        """Run what is missing or stale: the stages in order, the exports, the gates, then the reports."""
        ids = chosen_instances(self.bench, options)
        chosen = chosen_stages(self.bench, options)
        self._refuse_without_judge(chosen, ids)
        with spread(self.instance, self.bench) as self._spread:
            for stage in chosen:
                if stage.paid and self._stopped:
                    self.result.stalled.append(f"{stage.name}: not begun, since {self._stopped} was stopped")
                else:
                    self._stage(stage, ids, options)
        for stage in study_stages(self.bench):
            if self.bench.store.any(stage.name):
                export_if_changed(stage, self.bench)
        self._gates()
        if options.only is None or options.only in REPORT_NAMES:
            self._reports(options)
        return self.result

    def _refuse_without_judge(self, chosen: Sequence[Stage[PatchBench]], ids: Sequence[str]) -> None:
        """Raise ConfigurationError at once where a call is to be made and cannot be, or not be bounded."""
        for stage in chosen:
            if stage.paid and len(plan_stage(stage, self.bench, ids).current) < len(ids):
                _ = self.bench.model
                check_prices(self.bench, self.spending.max_usd)

    def _stage(self, stage: Stage[PatchBench], ids: Sequence[str], options: RunOptions) -> None:
        targets = stage_targets(self.instance, self.bench, stage, ids, force=options.force)
        chosen = list(targets.reasons)
        if targets.plan.waiting and options.only is not None:
            why = next(iter(targets.plan.waiting.values()))
            count = len(targets.plan.waiting)
            self.result.stalled.append(
                f"{stage.name}: {count} instances cannot run yet ({why}): run it first"
            )
        if not chosen:
            return
        if self._spread is not None:
            progress, ended = self._spread.stage(
                targets, force=options.force, report=self.report, tags=self.spending.tags
            )
        else:
            study = self.bench.study
            made = run_stage(
                self.instance,
                study,
                stage.name,
                chosen,
                force=options.force,
                report=self.report,
                tags=self.spending.tags,
            )
            progress, ended = made.progress, made.crashes
        self.result.stages.append(progress)
        self._stopped = self._stopped or (stage.name if stage.paid and progress.stop else "")
        if ended:
            raise StoreError(f"{stage.name} did not finish: {'; '.join(ended)}")

    def _gates(self) -> None:
        """Evaluate the gates of the stages in one run, if any record changed since they last were."""
        stamp = digest(*(records_digest(stage, self.bench) for stage in study_stages(self.bench)))
        if read_stamps(self.bench).get("gates") == stamp:
            return
        study = self.bench.study
        guarded = [gate for gate in GATES if gate.asset not in REPORT_NAMES]
        keys = [dg.AssetCheckKey(asset_key(study.name, g.asset), g.rule.__name__) for g in guarded]
        with event_batches():
            outcome = run_assets(
                self.instance,
                study_definitions(study),
                dg.AssetSelection.checks(*keys),
                LOCATION,
                tags={PROCESS_TAG: process_mark()},
                run_config=QUIET,
            )
        stop_if_interrupted(outcome)
        self._note_gates(outcome)
        self.result.broken_gates += [f"a gate could not be evaluated: {text}" for text in crashes(outcome)]
        if not self.result.broken_gates:
            write_stamp(self.bench, "gates", stamp)

    def _note_gates(self, outcome: dg.JobExecutionResult) -> None:
        for found in outcome.get_asset_check_evaluations():
            if not found.passed:
                warn = found.severity == dg.AssetCheckSeverity.WARN
                kept = self.result.warnings if warn else self.result.broken_gates
                kept.append(f"{found.check_name} ({found.asset_key.path[-1]}): {found.description}")

    def _reports(self, options: RunOptions) -> None:
        """Run amostra and the reports if one is stale; they wait while an instance is unaccounted for.

        amostra is run with them each time, so that its blocking gates are evaluated in the same run.
        """
        stale = [summary.name for summary in summaries() if options.force or self._is_stale(summary)]
        if options.only is not None:
            stale = [options.only]
        if not stale:
            return
        lines = account(self.bench)
        self.result.waiting = sum(line.place == MISSING for line in lines)
        if self.result.waiting and options.only is None:
            write_tables(self.bench, lines)
            return
        names = list(REPORT_NAMES) if options.only is None else stale
        tags = self.spending.tags
        outcome = run_named(self.instance, self.bench.study, self.bench.instances, names, tags, {})
        self._note_gates(outcome)
        ended = [text for text in crashes(outcome) if not self.result.broken_gates]
        if ended:
            raise MatrixError("; ".join(ended))
        self.result.reports_run = tuple(names)

    def _is_stale(self, summary: Summary[PatchBench]) -> bool:
        header = self.bench.store.header(summary.name, ALL)
        known = recorded_version(self.instance, asset_key(self.bench.study.name, summary.name))
        unknown = header is None or header.data_version != known
        return unknown or bool(summary_reasons(summary, self.bench))
