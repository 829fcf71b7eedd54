"""`swe-assets study`: pin studies, change them, and show what is pinned."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from swe_assets.errors import StudyError

if TYPE_CHECKING:
    from swe_assets.patch_quality.inputs.limits import Limits
    from swe_assets.patch_quality.study_settings import StudyInputs, StudySettings

INPUT_OPTIONS = (
    click.argument("submission", required=False),
    click.option("--predictions", help="Predictions: a path or URL, gzipped or not."),
    click.option("--results", help="Results: a path, a URL, or a folder of per-instance report.json."),
    click.option("--dataset", help="Dataset: a path, a URL, or NAME[@REVISION] on the Hugging Face Hub."),
    click.option("--results-key", help="Which nested block of the results to read, as in a.b."),
    click.option("--dataset-split", help="Split of the dataset; test where not said."),
    click.option(
        "--max-input-bytes", type=click.IntRange(min=1), help="Largest input read; 2 GiB where not said."
    ),
)
SETTING_OPTIONS = (
    click.option("--analyser", help="Analyser: embedded where not said, or sonarqube."),
    click.option("--sonar-mode", help="How sonarqube scans: batch where not said, or per-instance."),
    click.option("--judge", multiple=True, help="Judge: rehearsal where not said; more than one is a jury."),
    click.option(
        "--judge-excluded/--no-judge-excluded", default=None, help="Judge excluded instances too (yes)."
    ),
    click.option("--fuzz", type=int, help="Lines of context a patch may miss; none where not said."),
    click.option("--max-patch-bytes", type=int, help="Largest patch tried; 64 MiB where not said."),
    click.option("--mirrors", help="Folder of bare mirrors that are there already."),
    click.option("--mirror", multiple=True, metavar="REPO=PATH_OR_URL", help="Mirror of one repository."),
    click.option("--max-cost", type=float, help="The most USD that a run's model calls may cost."),
    click.option(
        "--consistency-n", type=int, help="Verdicts by the same prompt in consistencia_juiz; 0 for none."
    ),
    click.option("--consistency-sample", type=int, help="Instances of consistencia_juiz; 20 where not said."),
    click.option(
        "--consistency-order/--no-consistency-order", default=None, help="Also with the patch first (no)."
    ),
    click.option(
        "--consistency-wording/--no-consistency-wording", default=None, help="Also in other words (no)."
    ),
)

CONSISTENCY = ("n", "sample", "order", "wording")


def _with(*options: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds options in the order they are listed."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return add


@click.group("study")
def command() -> None:
    """Pin a study: where its inputs came from and which instances it holds."""


@command.command("add")
@click.argument("name")
@_with(*INPUT_OPTIONS, *SETTING_OPTIONS)
def add(name: str, **options: Any) -> None:
    """Pin study NAME from a SUBMISSION (folder or URL), or from predictions, results and a dataset."""
    from swe_assets.cli.study_display import summary_lines
    from swe_assets.patch_quality.study_add import add_study
    from swe_assets.patch_quality.study_settings import StudySettings

    settings = _settings(options, StudySettings()) or StudySettings()
    study = add_study(name, _inputs(options), settings, limits=_limits(options))
    click.echo("\n".join(summary_lines(study)), err=True)


@command.command("update")
@click.argument("name")
@_with(*INPUT_OPTIONS, *SETTING_OPTIONS)
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option("--dry-run", is_flag=True, help="Show what would change, write nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the change as JSON.")
def update(name: str, *, yes: bool, dry_run: bool, as_json: bool, **options: Any) -> None:
    """Read the inputs of study NAME again, or new ones, show what changes, and write it once agreed."""
    from swe_assets.cli.study_display import change_lines
    from swe_assets.patch_quality.study import load_study
    from swe_assets.patch_quality.study_update import planned_update, settings_of

    settings = _settings(options, settings_of(load_study(name)))
    with planned_update(name, _inputs(options), settings, limits=_limits(options)) as plan:
        click.echo("\n".join(change_lines(plan.change)), err=True)
        if as_json:
            click.echo(json.dumps(plan.change.record(), indent=2))
        if dry_run or plan.change.is_empty:
            return
        if not yes and not _agreed():
            raise StudyError(
                f"nothing was written: say --yes to write it (swe-assets study update {name} … --yes)"
            )
        study = plan.write()
        click.echo(
            f"{name}: {len(study.instances)} instances are pinned. Next: swe-assets run {name}", err=True
        )


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_studies(as_json: bool) -> None:
    """List the pinned studies."""
    from swe_assets.home import studies_dir
    from swe_assets.patch_quality.study import studies

    found = studies()
    if as_json:
        click.echo(json.dumps(found))
    elif found:
        click.echo("\n".join(found))
    else:
        click.echo(f"no study in {studies_dir()} yet: pin one with `swe-assets study add`", err=True)


@command.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(name: str, as_json: bool) -> None:
    """Show what study NAME is pinned to: sources, settings, counts and what was left out."""
    from swe_assets.cli.study_display import study_record, summary_lines
    from swe_assets.patch_quality.study import load_study

    study = load_study(name)
    click.echo(json.dumps(study_record(study), indent=2) if as_json else "\n".join(summary_lines(study)))


def _inputs(options: dict[str, Any]) -> "StudyInputs":
    """Return the inputs that the command line names."""
    from swe_assets.patch_quality.study_settings import StudyInputs

    names = ("submission", "predictions", "results", "dataset", "results_key")
    return StudyInputs(**{name: options[name] for name in names}, split=options["dataset_split"])


def _settings(options: dict[str, Any], before: "StudySettings") -> "StudySettings | None":
    """Return the settings with what the command line says, or None where it says nothing of them."""
    from swe_assets.patch_quality.study_settings import mirror_entry

    names = ("analyser", "judge_excluded", "fuzz", "max_patch_bytes", "max_cost")
    said: dict[str, Any] = {name: options[name] for name in names if options[name] is not None}
    if options["judge"]:
        said["judges"] = tuple(options["judge"])
    repeats = {name: value for name in CONSISTENCY if (value := options[f"consistency_{name}"]) is not None}
    if repeats:
        said["consistency"] = replace(before.consistency, **repeats)
    if options["sonar_mode"] is not None:
        said["sonar_mode"] = options["sonar_mode"] or None
    elif said.get("analyser", "sonarqube") != "sonarqube":
        said["sonar_mode"] = None
    if options["mirrors"] is not None:
        said["mirrors_folder"] = _mirrors(options["mirrors"])
    if options["mirror"]:
        entries = dict(before.mirror_map) | dict(map(mirror_entry, options["mirror"]))
        said["mirror_map"] = {repository: place for repository, place in entries.items() if place}
    return replace(before, **said) if said else None


def _mirrors(given: str) -> Path | None:
    """Return the folder of mirrors as absolute; None for the empty text, which takes it out of the study."""
    if not given:
        return None
    folder = Path(given).expanduser().absolute()
    if not folder.is_dir():
        raise click.BadParameter(f"no such folder: {given!r}", param_hint="--mirrors")
    return folder


def _limits(options: dict[str, Any]) -> "Limits":
    """Return the limits from the option or the environment."""
    from swe_assets.patch_quality.inputs.limits import limits_from

    return limits_from(options["max_input_bytes"])


def _agreed() -> bool:
    """Ask whether to write; False without asking where nobody can answer."""
    return sys.stdin.isatty() and click.confirm("Write this?", err=True)
