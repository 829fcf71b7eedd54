"""`swe-assets record STUDY`: a recording of a judge's kept answers, to be replayed without key or network."""

import json
from pathlib import Path

import click


@click.command("record")
@click.argument("name", metavar="STUDY")
@click.option("--model", metavar="ID", help="The judge whose answers are recorded; the study's only one.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The file to write.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def command(name: str, model: str | None, out: Path, force: bool) -> None:
    """Record what a judge of STUDY answered, for replay:FILE; nothing is asked and no key is needed."""
    from swe_assets.patch_quality.bench import PatchBench
    from swe_assets.patch_quality.judge_recording import record_study

    found = record_study(PatchBench.open(name), model, out, replace=force)
    click.echo(json.dumps(found, ensure_ascii=False, indent=2))
    if found["missing"]:
        count = len(found["missing"])
        click.echo(f"{count} instances lack an answer: a replay fails for them", err=True)
