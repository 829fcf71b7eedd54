"""`swe-assets doctor`: what is installed, reachable and configured, with the mend for each lack."""

import json
from collections.abc import Iterable, Iterator

import click

from swe_assets.cli.findings import Finding


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as a JSON list.")
@click.option("--offline", is_flag=True, help="Ask no repository on the network.")
def command(as_json: bool, offline: bool) -> int:
    """Show what is installed, reachable and configured, and how to mend what is not.

    Ends with 0 where all that is required is well, with 1 otherwise. No key is ever shown.
    """
    found = []
    for finding in examine(offline=offline):
        found.append(finding)
        if not as_json:
            click.echo("\n".join(lines(finding)))
    if as_json:
        click.echo(json.dumps([finding.record() for finding in found], ensure_ascii=False, indent=2))
    lacking = [finding for finding in found if finding.lacks]
    click.echo(f"{len(lacking)} lacks" if lacking else "all that is required is well", err=True)
    return 1 if lacking else 0


def examine(*, offline: bool) -> Iterator[Finding]:
    """Yield every finding, the quick ones first."""
    from swe_assets.cli.doctor_servers import servers
    from swe_assets.cli.doctor_settings import configured, reachable
    from swe_assets.cli.doctor_studies import pinned
    from swe_assets.cli.doctor_tools import installed

    yield from installed()
    yield from servers()
    yield from reachable()
    yield from configured()
    yield from pinned(offline=offline)


def lines(finding: Finding) -> Iterable[str]:
    """Return a finding as a line of the table, and its mend below where something lacks."""
    yield f"{finding.state:<8}  {finding.part:<10}  {finding.name:<28}  {finding.value}"
    if finding.mend and finding.state != "ok":
        yield f"{'':<8}  {'':<10}  {'':<28}  mend: {finding.mend}"
