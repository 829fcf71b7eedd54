"""Which inputs a benchmark works on, as its command line says them."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from swe_assets.repositories import MirrorSettings

PREDICTIONS = click.option("--predictions", required=True, help="Predictions, as `study add` takes them.")
DATASET = click.option("--dataset", required=True, help="Dataset with base commits, as `study add` takes it.")
MIRRORS = click.option(
    "--mirrors", type=click.Path(path_type=Path, exists=True, file_okay=False), help="Folder of bare mirrors."
)
MIRROR = click.option("--mirror", multiple=True, metavar="REPO=PATH", help="Mirror of one repository.")
INSTANCES = click.option("--instances", type=int, default=500, show_default=True, help="How many at most.")


class Task(NamedTuple):
    """One instance: its repository, base commit and predicted patch."""

    instance_id: str
    repo: str
    base_commit: str
    patch: str | None


def with_options(*options: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds options in the order given."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def read_tasks(predictions: str, dataset: str, most: int, scratch: Path) -> list[Task]:
    """Return the first instances of the dataset that have a prediction, in the dataset's order."""
    from swe_assets.patch_quality.inputs.dataset import read_dataset
    from swe_assets.patch_quality.inputs.limits import limits_from
    from swe_assets.patch_quality.inputs.predictions import read_predictions
    from swe_assets.patch_quality.inputs.sources import Sources

    sources = Sources(scratch, limits_from())
    patches, _ = read_predictions(sources.open(predictions))
    rows = read_dataset(dataset, sources).rows
    wanted = [row for row in rows.values() if row.instance_id in patches][:most]
    return [Task(row.instance_id, row.repo, row.base_commit, patches[row.instance_id]) for row in wanted]


def mirror_settings(scratch: Path, mirrors: Path | None, mirror: tuple[str, ...]) -> "MirrorSettings":
    """Return where mirrors are; one that is not given is cloned into scratch."""
    from swe_assets.patch_quality.study_settings import mirror_entry
    from swe_assets.repositories import MirrorSettings

    return MirrorSettings(scratch / "mirrors", mirrors, dict(map(mirror_entry, mirror)))
