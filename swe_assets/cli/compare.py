"""swe-assets compare: studies of one dataset side by side."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from swe_assets.cli.output import check_folder, json_text

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
    instance_id and pass@1. NAME=PATH gives one a name. Files and findings are printed as JSON; a study
    whose inputs are no longer those of its own report is named under changed, on stderr and on the page.
    """
    from swe_assets.patch_quality.analysis.comparison_files import write_comparison
    from swe_assets.storage.locks import folder_locked

    check_folder(out, [path for _name, path, _rest in map(_parts, studies) if path.exists()])
    compared = [submission(given) for given in studies]
    with folder_locked(out):
        analysis, files = write_comparison(out, compared, lang=lang, command=_again(studies, lang))
    for one in compared:
        for why in one.changed:
            click.echo(f"{one.name}: its own report is not of what is compared: {why}", err=True)
    record = {
        "changed": analysis.manifest["changed"],
        "files": [str(path) for path in files],
        "findings": [row["en"] for row in analysis.tables["findings"].records()],
        "comparison": [
            {name: cell for name, cell in row.items() if cell is None or isinstance(cell, str | int | float)}
            for row in analysis.tables["comparison"].records()
        ],
    }
    click.echo(json_text(record))


def submission(given: str) -> "Submission":
    """Return what an argument of compare names; raises InputError where it names nothing."""
    from swe_assets.patch_quality.analysis.comparison import submission_of_csv, submission_of_folder

    name, path, rest = _parts(given)
    if path.is_dir():
        return submission_of_folder(name, path)
    if path.is_file():
        return submission_of_csv(name or path.stem, path)
    from swe_assets.patch_quality.compared import submission_of_study

    return submission_of_study(name or rest, rest)


def _parts(given: str) -> tuple[str, Path, str]:
    """Return the name that an argument gives, the path it may be, and that as text; a path there is one."""
    if Path(given).exists():
        return "", Path(given), given
    name, equals, rest = given.partition("=")
    return (name, Path(rest), rest) if equals else ("", Path(given), given)


def _again(studies: tuple[str, ...], lang: str) -> str:
    """Return the command that makes the same comparison, given where the files lie: names, no folders."""
    shown = []
    for name, path, rest in map(_parts, studies):
        where = path.resolve().name if path.exists() else rest
        shown.append(f"{name}={where}" if name else where)
    return shlex.join(["swe-assets", "compare", "--out", "FOLDER", "--lang", lang, "--", *shown])
