"""`swe-assets run NAME`: materialise what is missing or stale, stage by stage."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from swe_assets.errors import InputError

if TYPE_CHECKING:
    from dagster import DagsterInstance

    from swe_assets.patch_quality.bench import PatchBench
    from swe_assets.patch_quality.run_plan import RunOptions


def _ids(given: str | None) -> tuple[str, ...] | None:
    """Return the ids of --instances: a comma-separated list, or @file with one id a line."""
    if given is None:
        return None
    if given.startswith("@"):
        try:
            text = Path(given[1:]).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as wrong:
            raise InputError(f"cannot read the ids in {given[1:]!r}: {wrong}") from wrong
        found = [line.strip() for line in text.splitlines()]
    else:
        found = [part.strip() for part in given.split(",")]
    ids = tuple(dict.fromkeys(i for i in found if i))
    if not ids:
        raise InputError(f"--instances {given!r} names no instance; give a,b,c or @file with one id a line")
    return ids


@click.command("run")
@click.argument("name")
@click.option("--instances", metavar="a,b|@FILE", help="Only these instances.")
@click.option("--only", metavar="ASSET", help="Only this asset.")
@click.option("--retry-failed", is_flag=True, help="Only the instances that failed.")
@click.option(
    "--force", is_flag=True, help="Make current records again too; answers that are kept cost nothing."
)
@click.option("--max-cost", type=float, metavar="USD", help="The most that model calls may cost.")
@click.option("--dry-run", is_flag=True, help="List what would run and why, and what its calls would cost.")
def command(
    name: str,
    instances: str | None,
    only: str | None,
    retry_failed: bool,
    force: bool,
    max_cost: float | None,
    dry_run: bool,
) -> int:
    """Materialise what is missing or stale in study NAME, stage by stage."""
    from swe_assets.patch_quality.bench import PatchBench
    from swe_assets.patch_quality.run_plan import RunOptions
    from swe_assets.patch_quality.spending import new_spending
    from swe_assets.storage.instance import open_instance, place_of

    ids = _ids(instances)
    bench = PatchBench.open(name)
    options = RunOptions(ids, only, retry_failed, force)
    spending = new_spending(bench, max_cost)
    with open_instance() as instance:
        place = place_of(instance)
        if place is not None:
            click.echo(place.sentence, err=True)
        if dry_run:
            _show_plan(instance, bench, options)
            return 0
        from swe_assets.cli.run_display import run_shown

        return run_shown(instance, bench, options, spending, sys.stderr)


def _show_plan(instance: "DagsterInstance", bench: "PatchBench", options: "RunOptions") -> None:
    """Print what would run and why, and what its calls to models may come to."""
    from swe_assets.llm.forecast_text import forecast_text
    from swe_assets.llm.plain_text import visible
    from swe_assets.patch_quality.run_forecast import call_forecast
    from swe_assets.patch_quality.run_plan import forecast, forecast_lines
    from swe_assets.patch_quality.spending import asked_specs

    plan = forecast(instance, bench, options)
    click.echo(visible("\n".join(forecast_lines(plan))))
    if asked_specs(bench):
        click.echo(visible("\n".join(forecast_text(call_forecast(bench, plan)))))
    if bench.analyser.notice:
        click.echo(visible(bench.analyser.notice), err=True)
