"""`swe-assets sample`: build the sample submission, with nothing to fetch."""

import json
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from swe_assets.home import studies_dir

if TYPE_CHECKING:
    from swe_assets.patch_quality.sample import Sample


@click.command("sample")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--force", is_flag=True, help="Build the sample anew where one is already.")
def command(folder: Path | None, force: bool) -> None:
    """Build the sample submission in DIR (default: beside the studies) and say how to pin it.

    It holds small git repositories, a dataset, predictions and results of our own. JSON on stdout says where.
    """
    from swe_assets.patch_quality.sample import build

    sample = build(folder or studies_dir() / ".sample-input", force=force)
    parts = {
        name: str(getattr(sample, name)) for name in ("folder", "predictions", "results", "dataset", "repos")
    }
    click.echo(json.dumps(parts, ensure_ascii=False, indent=2))
    click.echo(f"next: {shlex.join([*called(), *study_add(sample)])}", err=True)


def called() -> list[str]:
    """Return how this command line can be called from any folder."""
    return ["swe-assets"] if shutil.which("swe-assets") else [sys.executable, "-m", "swe_assets"]


def study_add(sample: "Sample") -> list[str]:
    """Return the arguments that pin the sample as the study `sample`."""
    parts = {
        "predictions": sample.predictions,
        "results": sample.results,
        "dataset": sample.dataset,
        "mirrors": sample.repos,
    }
    return ["study", "add", "sample", *(f"--{name}={path}" for name, path in parts.items())]
