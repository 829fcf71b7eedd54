"""A study with a jury, run once, and what auditors send back of it."""

import csv
import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from swe_assets.cli.audit import command
from swe_assets.judging.audit_csv import read_sheet, sheet_bytes
from swe_assets.patch_quality.sample import Sample
from swe_assets_tests.patch_quality.small_study import SmallStudy

JUDGES = ("rehearsal:strict", "rehearsal:balanced", "rehearsal:lenient")
Row = dict[str, str]


def jury_study(home: Path, sample: Sample, count: int = 30) -> SmallStudy:
    """Pin and run a study of count instances that three judges judge."""
    lines = sample.predictions.read_text(encoding="utf-8").splitlines(keepends=True)
    predictions = home / "predictions.jsonl"
    predictions.parent.mkdir(parents=True, exist_ok=True)
    predictions.write_text("".join(lines[:: len(lines) // count]), encoding="utf-8")
    study = SmallStudy(home, sample, predictions)
    study.add(*(f"--judge={name}" for name in JUDGES))
    study.run()
    return study


def draw(study: SmallStudy, *more: str) -> dict[str, Any]:
    """Draw the audit sample and return what the command prints."""
    return _said(study, "draw", study.name, *more)


def give_back(study: SmallStudy, path: Path, *more: str) -> dict[str, Any]:
    """Return a sheet and give what the command prints."""
    return _said(study, "return", study.name, str(path), *more)


def _said(study: SmallStudy, *arguments: str) -> dict[str, Any]:
    """Call `swe-assets audit` in this process, which spares a start each, and return the JSON it prints."""
    places = {"SWE_ASSETS_HOME": str(study.home), "DAGSTER_HOME": None}
    done = CliRunner().invoke(command, arguments, env=places, catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def rows_of(path: str | Path) -> list[Row]:
    """Return the rows of one of our sheets."""
    sheet = read_sheet(Path(path).read_bytes(), [])
    return [dict(row) for _number, row in sheet.rows]


def filled(study: SmallStudy, auditor: str, scores: dict[str, str], rater: str = "") -> list[Row]:
    """Return the drawn sheet's rows filled in: like a rater of it where one is named, then with scores."""
    rows = rows_of(study.path / "results/auditoria/auditoria.csv")
    for row in rows:
        own = {name: row[f"{rater}: {name.removeprefix('humano_')}"] if rater else "" for name in scores}
        row |= {"auditor": auditor, **own, **{name: value for name, value in scores.items() if value}}
    return rows


def written(path: Path, rows: list[Row]) -> Path:
    """Write rows as a sheet of ours and return its path."""
    header = list(rows[0])
    path.write_bytes(sheet_bytes(header, [[row[name] for name in header] for row in rows]))
    return path


def as_excel(path: Path, rows: list[Row]) -> Path:
    """Write rows as a spreadsheet of another language saves them: semicolons, Windows-1252, CRLF."""
    with path.open("w", encoding="cp1252", errors="replace", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), delimiter=";", lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(rows)
    return path
