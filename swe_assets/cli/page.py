"""swe-assets page: a report's page and figures, in a language of one's choice."""

import json
from pathlib import Path

import click

from swe_assets.errors import InputError


@click.command("page")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder for the files, made if absent."
)
@click.option("--lang", type=click.Choice(["pt", "en"]), default="pt", show_default=True, help="Language.")
def command(folder: Path, out: Path, lang: str) -> None:
    """Write the page of the report in FOLDER, and its figures for a paper: SVG, and PNG of 300 dpi.

    FOLDER holds an analysis.json, as the --out of `analyse` and `compare` and a study's results do; nothing
    is computed again. --out must be another folder, so that FOLDER stays as `swe-assets verify` knows it.
    Prints the files as JSON.
    """
    from swe_assets.reporting.folder import read_analysis
    from swe_assets.reporting.page_files import write_page

    if out.exists() and (not out.is_dir() or out.samefile(folder)):
        raise InputError(f"--out {str(out)!r} is a file or the report's own folder; name another folder")
    written = write_page(out, read_analysis(folder), lang, pictures=True)
    click.echo(json.dumps({"files": [str(path) for path in written]}, ensure_ascii=False, indent=2))
