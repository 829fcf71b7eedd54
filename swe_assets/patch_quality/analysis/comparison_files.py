"""A comparison of studies as files: each study's instances, the analysis and its tables, and back again."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from swe_assets.errors import ReportError
from swe_assets.patch_quality.analysis import files
from swe_assets.patch_quality.analysis.column_words import words
from swe_assets.patch_quality.analysis.comparison import (
    Submission,
    check_submissions,
    comparison_table,
    studies_table,
)
from swe_assets.patch_quality.analysis.comparison_metrics import metrics_table
from swe_assets.patch_quality.analysis.evidence_tables import instances_csv, read_instances
from swe_assets.patch_quality.analysis.findings_table import findings_table
from swe_assets.patch_quality.analysis.manifest import marked, versions
from swe_assets.patch_quality.analysis.own_files import remove_stale, written_before
from swe_assets.reporting.folder import write_analysis
from swe_assets.reporting.page_files import write_page
from swe_assets.reporting.reasons import in_words
from swe_assets.reporting.tables import Analysis, Table
from swe_assets.storage.atomic import write_bytes
from swe_assets.storage.regular_files import read_regular

ENTRIES = files.COMPARED
FORMAT = 2


def comparison_analysis(
    submissions: Sequence[Submission],
    inputs: Mapping[str, str] | None = None,
    made_with: Mapping[str, str] | None = None,
    command: str = "",
) -> Analysis:
    """Return the tables of a comparison of any number of studies of one dataset.

    ``inputs`` gives the sha256 of the files it lies in, ``made_with`` the versions that the manifest names,
    by default those that run, ``command`` what makes it.
    Raises InputError for fewer than two, a name twice, or two without a common instance.
    """
    check_submissions(submissions)
    tables = {
        "comparison_studies": _with_changes(studies_table(submissions), submissions),
        "comparison": comparison_table(submissions),
        "comparison_metrics": metrics_table(submissions),
    }
    names = [submission.name for submission in submissions]
    manifest = {
        "inputs": dict(inputs or {}),
        "versions": dict(made_with) if made_with else versions(),
        "studies": {one.name: dict(one.inputs) for one in submissions},
        "changed": {one.name: list(one.changed) for one in submissions if one.changed},
        "provenance": {"commands": [command] if command else []},
        "marked": {
            **marked(frozenset().union(*(one.marks for one in submissions)), ()),
            **{one.name: sorted(one.marks) for one in submissions if one.marks},
        },
        "absent": {"flow": _ONE_STUDY},
        "verify": "swe-assets verify FOLDER",
    }
    return Analysis(" × ".join(names), {"findings": findings_table(tables), **tables}, manifest)


def _with_changes(table: Table, submissions: Sequence[Submission]) -> Table:
    """Return the table of studies with a note on each whose inputs are not those of its own report."""
    notes = tuple(
        words(
            f"{one.name}: o relatório do próprio estudo não é destas entradas "
            f"({'; '.join(in_words(why, 'pt') for why in one.changed)}).",
            f"{one.name}: the study's own report is not of these inputs ({'; '.join(one.changed)}).",
        )
        for one in submissions
        if one.changed
    )
    return replace(table, notes=(*table.notes, *notes))


_ONE_STUDY = words(
    "O fluxo de cada estudo está no relatório dele.", "The flow of each study is in its own report."
)


def write_comparison(
    out: Path,
    submissions: Sequence[Submission],
    *,
    lang: str = "pt",
    made_with: Mapping[str, str] | None = None,
    command: str = "",
) -> tuple[Analysis, list[Path]]:
    """Write a comparison, its page and all it was made from into a folder; return it and the files' paths.

    ``lang`` is the page's language, pt or en; ``made_with`` are the versions to name in place of those that
    run, ``command`` is what makes the comparison. What an earlier report left in the folder and this one
    does not write is removed.
    Raises InputError as ``comparison_analysis`` does, StoreError where the folder cannot be written.
    """
    check_submissions(submissions)
    before, contents = written_before(out), _contents(submissions, lang, command)
    inputs = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    analysis = comparison_analysis(submissions, inputs, made_with, command)
    for name, content in contents.items():
        write_bytes(out / name, content)
    shown = write_page(out, analysis, lang)
    written = [*shown, *write_analysis(out, analysis), *(out / name for name in contents)]
    remove_stale(out, before, written)
    return analysis, written


def _contents(submissions: Sequence[Submission], lang: str, command: str) -> dict[str, bytes]:
    """Return what the comparison is made from, by file name: each study's instances, then the entries."""
    tables = {_file(at): instances_csv(one.lines, one.marks) for at, one in enumerate(submissions, start=1)}
    entries = [
        {
            "name": one.name,
            "file": name,
            "sha256": hashlib.sha256(table).hexdigest(),
            "marks": sorted(one.marks),
            "inputs": dict(one.inputs),
            "changed": list(one.changed),
        }
        for one, (name, table) in zip(submissions, tables.items(), strict=True)
    ]
    record = {"format": FORMAT, "lang": lang, "command": command, "studies": entries}
    return {**tables, ENTRIES: files.json_bytes(record)}


def is_comparison(folder: Path) -> bool:
    """Return whether a folder holds a comparison rather than one study's report."""
    return (folder / ENTRIES).is_file()


def read_comparison(folder: Path) -> tuple[list[Submission], list[str]]:
    """Return the studies of a comparison's folder, and a line for each file that is not what was compared.

    Raises ReportError where the entries or a file cannot be read, MatrixError where one is no such table.
    """
    path = folder / ENTRIES
    try:
        record = json.loads(read_regular(path).decode("utf-8"))
        studies: list[dict[str, Any]] = record["studies"]
        if record["format"] != FORMAT or any(Path(one["file"]).name != one["file"] for one in studies):
            raise ReportError(f"{str(path)!r} is not of format {FORMAT}; make the comparison again")
        found = [
            Submission(
                str(one["name"]),
                read_instances(folder / one["file"]),
                frozenset(one["marks"]),
                dict(one["inputs"]),
                tuple(one["changed"]),
            )
            for one in studies
        ]
        changed = [
            f"input {one['file']!r}: not what was compared (sha256)"
            for one in studies
            if hashlib.sha256(read_regular(folder / one["file"])).hexdigest() != one["sha256"]
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise ReportError(
            f"cannot read the comparison in {str(folder)!r}: {wrong!r}; make it again"
        ) from wrong
    return found, changed


def comparison_settings(folder: Path) -> tuple[str, str]:
    """Return the language that a comparison's page was written in, and the command that made it."""
    record = json.loads(read_regular(folder / ENTRIES).decode("utf-8"))
    lang = record.get("lang", "pt")
    if lang not in ("pt", "en"):
        raise ReportError(f"{str(folder / ENTRIES)!r}: lang is {lang!r}, neither pt nor en; compare again")
    return lang, str(record.get("command", ""))


def _file(at: int) -> str:
    return f"estudo_{at}.csv"
