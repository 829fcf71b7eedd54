"""swe-assets compare: studies of one dataset side by side."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from swe_assets.errors import InputError

if TYPE_CHECKING:
    from swe_assets.patch_quality.analysis.comparison import Submission


@click.command("compare")
@click.argument("studies", nargs=-1, required=True)
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder for the files, made if absent."
)
@click.option(
    "--lang", type=click.Choice(["pt", "en"]), default="pt", show_default=True, help="Language of the page."
)
def command(studies: tuple[str, ...], out: Path, lang: str) -> None:
    """Compare STUDIES: paired differences in resolved rate and in every measure, on common instances.

    Each of STUDIES is a pinned study's name, a folder with a report, or a CSV: a matrix, or at least
    instance_id and pass@1. NAME=PATH gives one a name. Files and findings are printed as JSON.
    """
    from swe_assets.patch_quality.analysis.comparison_files import write_comparison

    if out.exists() and not out.is_dir():
        raise InputError(f"--out {str(out)!r} is a file; name a folder for the results")
    analysis, files = write_comparison(out, [submission(given) for given in studies], lang=lang)
    record = {
        "files": [str(path) for path in files],
        "findings": [row["en"] for row in analysis.tables["findings"].records()],
        "comparison": [
            {name: cell for name, cell in row.items() if cell is None or isinstance(cell, str | int | float)}
            for row in analysis.tables["comparison"].records()
        ],
    }
    click.echo(json.dumps(record, ensure_ascii=False, indent=2, allow_nan=False))


def submission(given: str) -> "Submission":
    """Return what an argument of compare names; raises InputError where it names nothing."""
    from swe_assets.patch_quality.analysis.comparison import submission_of, submission_of_csv
    from swe_assets.patch_quality.analysis.evidence_files import read_evidence

    name, equals, rest = given.partition("=")
    path = Path(rest if equals else given)
    if path.is_dir():
        evidence = read_evidence(path)[0]
        return submission_of(name if equals else evidence.title, evidence)
    if path.is_file():
        return submission_of_csv(name if equals else path.stem, path)
    from swe_assets.patch_quality.bench import PatchBench
    from swe_assets.patch_quality.report_evidence import evidence_of

    return submission_of(name, evidence_of(PatchBench.open(rest if equals else given)))
