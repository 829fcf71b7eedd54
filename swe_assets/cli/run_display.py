"""How a run is shown: a bar a stage while it goes on, then what came of it and where the results lie."""

from collections.abc import Callable
from typing import Never, TextIO

import click
import dagster as dg
from dagster._core.errors import DagsterExecutionInterruptedError
from tqdm import tqdm

from swe_assets.llm.forecast_text import forecast_summary
from swe_assets.llm.plain_text import visible
from swe_assets.llm.prices import listing_name
from swe_assets.llm.spend import Spend
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.run import RunResult, StudyRun, run_lock
from swe_assets.patch_quality.run_forecast import call_forecast
from swe_assets.patch_quality.run_plan import RunOptions, forecast
from swe_assets.patch_quality.spending import Spending, asked_specs, ledger_of
from swe_assets.patch_quality.spent_runs import LiveSpend, begin_run, end_run
from swe_assets.storage.atomic import sweep_unfinished
from swe_assets.storage.instance import close_killed_runs
from swe_assets.storage.stage import Progress


class StageBars:
    """One progress bar a stage on a text stream, with the counts of done, excluded and failed.

    ``spent`` gives the run's calls and USD so far in words, empty where no call was made.
    """

    def __init__(self, stream: TextIO, spent: Callable[[], str] = lambda: "") -> None:
        self.stream, self.spent = stream, spent
        self.bar: tqdm[Never] | None = None
        self.stage = ""

    def show(self, progress: Progress) -> None:
        """Move the bar of the progress's stage, starting it when the stage is a new one."""
        bar = self.bar
        if bar is None or self.stage != progress.stage:
            self.close()
            self.stage = progress.stage
            bar = tqdm(total=progress.total, desc=progress.stage, file=self.stream, unit="inst")
            self.bar = bar
        counts = f"done {progress.done}, excluded {progress.excluded}, failed {progress.failed}"
        bar.set_postfix_str(", ".join(filter(None, (counts, self.spent()))), refresh=False)
        bar.update(progress.done + progress.excluded + progress.failed - bar.n)
        if bar.n >= progress.total:
            self.close()

    def close(self) -> None:
        """End the current bar, leaving its line."""
        if self.bar is not None:
            self.bar.close()
            self.bar = None


def run_shown(
    instance: dg.DagsterInstance,
    bench: PatchBench,
    options: RunOptions,
    spending: Spending,
    stream: TextIO,
) -> int:
    """Run with a bar a stage and tell what came of it; return the exit code (0 well, 1 something failed)."""
    bars = StageBars(stream, LiveSpend(ledger_of(bench, spending.run)).line)
    with run_lock(bench):
        sweep_unfinished(bench.study.path)
        for run_id in close_killed_runs(instance):
            click.echo(f"run {run_id} was killed before; going on from what it stored", err=True)
        for killed in begin_run(bench, spending):
            click.echo(killed, err=True)
        _foretell(instance, bench, options, spending)
        try:
            result = StudyRun(instance, bench, bars.show, spending).execute(options)
        except DagsterExecutionInterruptedError as stop:
            raise KeyboardInterrupt from stop
        finally:
            bars.close()
            _tell_spent(end_run(bench, spending), spending)
    _tell(bench, result)
    return 1 if result.failed or result.broken_gates or result.waiting or result.stalled else 0


def _foretell(
    instance: dg.DagsterInstance, bench: PatchBench, options: RunOptions, spending: Spending
) -> None:
    """Say what the model calls will take, where a service is to be asked; only then is anything looked up."""
    if not asked_specs(bench):
        return
    found = call_forecast(bench, forecast(instance, bench, options))
    if not found.calls:
        return
    for line in forecast_summary(found):
        click.echo(visible(line), err=True)
    if spending.max_usd is not None and found.usd is not None and found.usd > spending.max_usd:
        click.echo(
            f"that is more than the allowed USD {spending.max_usd:g}: the run will stop there", err=True
        )


def _tell_spent(spent: Spend, spending: Spending) -> None:
    """Say what the run's model calls came to, where there were some."""
    if spent.calls or spent.reused:
        bound = "" if spending.max_usd is None else f" of the allowed USD {spending.max_usd:g}"
        click.echo(f"model calls: {spent.line()}{bound} (prices: {listing_name()})", err=True)


def _tell(bench: PatchBench, result: RunResult) -> None:
    name = bench.study.name
    for progress in result.stages:
        counts = f"done {progress.done}, excluded {progress.excluded}, failed {progress.failed}"
        click.echo(f"{progress.stage}: {counts}", err=True)
        if progress.stop:
            click.echo(f"{progress.stage} {visible(progress.stop)}", err=True)
    for warning in result.warnings:
        click.echo(f"warning: {visible(warning)}", err=True)
    for broken in result.broken_gates:
        click.echo(f"gate broken: {visible(broken)}", err=True)
    if any(bench.store.failures(progress.stage) for progress in result.stages if progress.failed):
        click.echo(f"failed instances: see `swe-assets status {name}`; run again to try them again", err=True)
    for stalled in result.stalled:
        click.echo(stalled, err=True)
    if result.waiting:
        click.echo(
            f"the reports wait for {result.waiting} instances that are not accounted for yet", err=True
        )
    if not (result.stages or result.reports_run or result.stalled or result.waiting):
        click.echo("everything is current", err=True)
    click.echo(f"results: {bench.results}")
