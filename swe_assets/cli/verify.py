"""swe-assets verify: whether a report is what the files beside it give."""

import json
from pathlib import Path

import click


@click.command("verify")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
def command(folder: Path) -> int:
    """Make the report in FOLDER again from its inputs, and compare every table and file.

    FOLDER is the --out of `analyse` or `compare`, or a study's results. Prints as JSON whether all is the
    same, and otherwise which table, row and column differ; files in FOLDER's tables and figures that the
    report did not write are named. Other versions alone make no difference: they are named, and with them
    pages and pictures that look otherwise while all tables are the same. Exit code 0: all tables are the
    same; 1: not; 2: not a report.
    """
    from swe_assets.patch_quality.analysis.verify import verify_folder

    found = verify_folder(folder)
    record = {
        "folder": str(folder),
        "same": found.same,
        "verdict": found.verdict,
        "differences": list(found.differences),
        "put_otherwise": list(found.put_otherwise),
        "checked": list(found.checked),
        "other_versions": list(found.versions),
    }
    click.echo(json.dumps(record, ensure_ascii=False, indent=2))
    return 0 if found.same else 1
