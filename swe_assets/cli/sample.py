"""`swe-assets sample`: build the sample submission, with nothing to fetch."""

import json
import shlex
from pathlib import Path

import click

from swe_assets.home import studies_dir


@click.command("sample")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--force", is_flag=True, help="Build the sample anew where one is already.")
def command(folder: Path | None, force: bool) -> None:
    """Build the sample submission in DIR (default: beside the studies) and say how to pin it.

    It holds small git repositories, a dataset, predictions and results of our own. JSON on stdout says where.
    """
    from swe_assets.patch_quality.sample import build

    sample = build(folder or studies_dir() / ".sample-input", force=force)
    parts = {name: str(getattr(sample, name)) for name in ("predictions", "results", "dataset", "repos")}
    click.echo(json.dumps({"folder": str(sample.folder), **parts}, ensure_ascii=False, indent=2))
    click.echo(f"Next: {shlex.join(study_add(parts))}", err=True)


def study_add(parts: dict[str, str]) -> list[str]:
    """Return the command that pins the sample as the study `sample`."""
    given = [f"--predictions={parts['predictions']}", f"--results={parts['results']}"]
    return [
        "swe-assets",
        "study",
        "add",
        "sample",
        *given,
        f"--dataset={parts['dataset']}",
        f"--mirrors={parts['repos']}",
    ]
