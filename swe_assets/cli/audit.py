"""`swe-assets audit`: draw a sample of the judged instances for a person, and take back what they scored."""

import json
from pathlib import Path

import click


@click.group("audit")
def command() -> None:
    """Let people judge a sample of what the judges judged, and compare."""


@command.command("draw")
@click.argument("name", metavar="STUDY")
@click.option("--share", help="Share of the judged instances; 0.1 where not said.")
@click.option("--seed", type=int, help="Seed of the draw; 0 where not said.")
@click.option("--stratified/--simple", default=None, help="Draw by verdict and tests' outcome; simple.")
@click.option("--blind/--open", default=None, help="Leave the judges' scores out; open.")
@click.option("--auditor", metavar="NAME", help="Who will audit; the page asks where not said.")
def draw(name: str, **said: str | int | bool | None) -> None:
    """Draw the sample of STUDY and write its sheet and page; what is not said stays as it was last drawn."""
    from swe_assets.patch_quality.auditoria_run import draw_audit
    from swe_assets.storage.instance import open_instance

    with open_instance() as instance:
        found = draw_audit(instance, name, {key: value for key, value in said.items() if value is not None})
    click.echo(json.dumps(found, ensure_ascii=False, indent=2))
    click.echo(f"{found['drawn']} of {found['population']} judged instances; open {found['page']}", err=True)


@command.command("return")
@click.argument("name", metavar="STUDY")
@click.argument("file", metavar="FILE.csv", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--auditor", metavar="NAME", help="Who audited, where the sheet does not say.")
@click.option("--partial", is_flag=True, help="Take a sheet with rows or scores missing.")
def take(name: str, file: Path, *, auditor: str | None, partial: bool) -> None:
    """Take an auditor's sheet back, strictly checked, and compare all that came back with the judges."""
    from swe_assets.llm.plain_text import visible
    from swe_assets.patch_quality.auditoria_run import return_audit
    from swe_assets.storage.instance import open_instance

    with open_instance() as instance:
        found = return_audit(instance, name, file, auditor=auditor, partial=partial)
    click.echo(json.dumps(found, ensure_ascii=False, indent=2))
    for note in found["notes"]:
        click.echo(visible(note), err=True)
