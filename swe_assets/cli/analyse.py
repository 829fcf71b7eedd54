"""swe-assets analyse: the statistics of a consolidated matrix."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from swe_assets.cli.output import check_folder, json_text

if TYPE_CHECKING:
    from swe_assets.patch_quality.analysis.evidence import Evidence


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
@click.option(
    "--instances",
    type=click.Path(path_type=Path),
    default=None,
    help="CSV of all pinned instances (instance_id, place, stage, reason, pass@1): flow, what is missing.",
)
@click.option(
    "--judgements",
    type=click.Path(path_type=Path),
    default=None,
    help="CSV of verdicts (instance_id, judge, resolve_issue, score_confianca): the judge against the tests.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of every draw.")
@click.option(
    "--draws", type=click.IntRange(min=100), default=10_000, show_default=True, help="Draws of each interval."
)
@click.option(
    "--lang", type=click.Choice(["pt", "en"]), default="pt", show_default=True, help="Language of the page."
)
def command(matrix: Path, out: Path, **said: Any) -> None:
    """Write correlation, normality, logit, all further tables, heatmap and page of MATRIX, a CSV file.

    MATRIX has a header with instance_id, pass@1, M_profundidade, M_integridade, M_defesa,
    cognitive_complexity, complexity, ncloc, sqale_index and violations; base_*, delta_* and repo are used
    where present; judge, analyser and rehearsal set the labels; other columns are ignored. Files, findings
    and headline numbers are printed as JSON. `swe-assets verify` makes them again.
    """
    from swe_assets.patch_quality.analysis.whole import write_study
    from swe_assets.storage.locks import folder_locked

    check_folder(out, [path for path in (matrix, said["instances"], said["judgements"]) if path], kept=matrix)
    evidence = _evidence(matrix, _again(matrix, **said), **said)
    with folder_locked(out):
        found = write_study(out, evidence, matrix.read_bytes())
    click.echo(json_text(found.record()))


def _evidence(  # the names are those of the options
    matrix: Path,
    again: str,
    *,
    title: str | None,
    rehearsal: bool,
    stand_in: str | None,
    instances: Path | None,
    judgements: Path | None,
    seed: int,
    draws: int,
    lang: str,
) -> "Evidence":
    """Return what the matrix and the options say; ``again`` is the command that says it."""
    from swe_assets.patch_quality.analysis.evidence import Evidence, Settings
    from swe_assets.patch_quality.analysis.evidence_tables import read_instances, read_judgements
    from swe_assets.patch_quality.analysis.labels import Labels
    from swe_assets.patch_quality.analysis.matrix import read_matrix

    return Evidence(
        title=title or matrix.name,
        matrix=read_matrix(matrix).labelled(Labels(rehearsal, stand_in)),
        lines=read_instances(instances) if instances else (),
        judgements=read_judgements(judgements) if judgements else (),
        provenance={"commands": [again]},
        settings=Settings(seed=seed, draws=draws, permutations=draws, lang=lang),
    )


def _again(matrix: Path, **said: Any) -> str:
    """Return the command that makes the same report, given where the files lie: names, no folders."""
    parts = ["swe-assets", "analyse", "--out", "FOLDER"]
    for name, value in said.items():
        if value is not None and value is not False:
            shown = value.name if isinstance(value, Path) else str(value)
            parts += [f"--{name.replace('_', '-')}", *([] if value is True else [shown])]
    return shlex.join([*parts, "--", matrix.name])
