"""swe-assets analyse: the statistics of a consolidated matrix."""

import json
from pathlib import Path

import click

from swe_assets.errors import InputError


@click.command("analyse")
@click.argument("matrix", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder for the files, made if absent."
)
@click.option("--title", default=None, help="Title of figure and page; by default the matrix's file name.")
@click.option("--rehearsal", is_flag=True, help="Label the M_* ratings as the rehearsal judge's.")
@click.option(
    "--stand-in",
    metavar="TEXT",
    default=None,
    help="Label violations and sqale_index as TEXT's, not SonarQube's.",
)
def command(matrix: Path, out: Path, title: str | None, rehearsal: bool, stand_in: str | None) -> None:
    """Write correlation, normality, logit, heatmap and page of MATRIX, a CSV file with a header.

    MATRIX has instance_id, pass@1, M_profundidade, M_integridade, M_defesa, cognitive_complexity,
    complexity, ncloc, sqale_index and violations; other columns are ignored, but judge, analyser and
    rehearsal set the labels. Files and headline numbers are printed as JSON.
    """
    from swe_assets.patch_quality.analysis.matrix import read_matrix
    from swe_assets.patch_quality.analysis.whole import analyse_matrix

    if out.exists() and not out.is_dir():
        raise InputError(f"--out {str(out)!r} is a file; name a folder for the results")
    rows = read_matrix(matrix)
    found = analyse_matrix(rows, out, stand_in=stand_in, rehearsal=rehearsal, title=title or matrix.name)
    click.echo(json.dumps(found.record(), ensure_ascii=False, indent=2, allow_nan=False))
