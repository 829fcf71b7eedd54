"""`swe-assets status NAME`: each asset by status, with reasons."""

import json
from typing import Any

import click


@click.command("status")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(name: str, as_json: bool) -> int:
    """Show each asset of study NAME by status, with the reasons of exclusions, failures and staleness."""
    from swe_assets.llm.plain_text import visible
    from swe_assets.patch_quality.bench import PatchBench
    from swe_assets.patch_quality.status import study_status

    found = study_status(PatchBench.open(name))
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        click.echo(visible("\n".join(_lines(found))))
    return 1 if any(asset["failed"] for asset in found["assets"]) else 0


def _lines(found: dict[str, Any]) -> list[str]:
    judges = ", ".join(found["judges"])
    lines = [f"{found['study']}: {found['pinned']} pinned instances, judged by {judges}"]
    for asset in found["assets"]:
        counts = ", ".join(
            f"{what} {asset[what]}"
            for what in ("ok", "excluded", "stale", "missing", "failed")
            if asset[what]
        )
        lines.append(f"{asset['asset']}: {counts or 'nothing yet'}")
        for reason, ids in asset["reasons"].items():
            more = f", … {len(ids) - 5} more" if len(ids) > 5 else ""
            lines.append(f"    {reason}: {len(ids)} ({', '.join(ids[:5])}{more})")
    return lines
