"""`swe-assets measure`: the measures of source files, on the same code as the study's assets."""

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

import click

from swe_assets.analysers.protocol import METRIC_KEYS, FileMeasures, SourceFile
from swe_assets.analysers.registry import analyser_named
from swe_assets.errors import InputError
from swe_assets.llm.plain_text import visible
from swe_assets.storage.regular_files import read_regular


@click.command(short_help="Measure source files.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print a list of {path, parsed, measures, reason}.")
@click.option("--analyser", "name", default="embedded", show_default=True, help="Which analyser measures.")
def command(files: tuple[Path, ...], as_json: bool, name: str) -> None:
    """Measure FILES, Python sources, by SonarQube's metric keys.

    All files are read before anything is printed. A file that does not parse is an answer, not a failure.
    """
    analyser = analyser_named(name)
    measured = analyser.measure([_read(path) for path in files])
    click.echo(f"violations and sqale_index: {analyser.violations_source}", err=True)
    listed = [dataclasses.asdict(one) for one in measured]
    click.echo(json.dumps(listed, indent=2) if as_json else _table(measured))


def _read(path: Path) -> SourceFile:
    """Read one file; raises InputError with the way out."""
    try:
        return SourceFile(str(path), read_regular(path))
    except OSError as wrong:
        asked = f"cannot read {click.format_filename(path)!r} ({wrong.strerror})"
        raise InputError(f"{asked}; name files that exist and can be read") from wrong


def _table(measured: Sequence[FileMeasures]) -> str:
    """Lay the measures out in columns, with a dash for what could not be had and the reasons below."""
    rows = [["file", *METRIC_KEYS], *map(_row, measured)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    lines += [f"{one.path}: {one.reason}" for one in measured if one.reason]
    return visible("\n".join(lines))


def _row(one: FileMeasures) -> list[str]:
    return [visible(one.path).replace("\n", " "), *(str(one.measures.get(key, "-")) for key in METRIC_KEYS)]
