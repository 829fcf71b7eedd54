"""Which files of a folder are a report's own: an earlier report's are removed, foreign ones named."""

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from swe_assets.errors import ReportError
from swe_assets.patch_quality.analysis import evidence_files, files
from swe_assets.reporting.folder import ANALYSIS, TABLES, read_analysis, table_files
from swe_assets.reporting.page_files import FIGURES, figure_files
from swe_assets.storage.regular_files import read_regular

FOLDERS = (TABLES, FIGURES)
"""The folders that hold a report's files and nothing else."""
INPUTS = (
    evidence_files.MATRIX,
    evidence_files.INSTANCES,
    evidence_files.JUDGEMENTS,
    evidence_files.TEXTS,
)
_ENTRIES = (evidence_files.ENTRIES, files.COMPARED)
_STUDY = re.compile(r"estudo_[0-9]+\.csv")
_TOP = frozenset((*INPUTS, *_ENTRIES, *files.PUBLISHED, ANALYSIS))


def written_before(folder: Path) -> set[str]:
    """Return the files below a folder that the report lying there wrote, as far as it tells of itself.

    None where there is no report that can be read. The matrix of a study is not the report's.
    """
    found: set[str] = set()
    with suppress(ReportError):
        found |= {name for table in read_analysis(folder).tables for name in table_files(table)}
        found |= set(figure_files())
    for entries in _ENTRIES:
        told = _read(folder / entries)
        inputs, studies = (
            told.get(name) if isinstance(told, dict) else None for name in ("files", "studies")
        )
        found |= {name for name in inputs if name in INPUTS} if isinstance(inputs, dict) else set()
        listed = studies if isinstance(studies, list) else []
        found |= {str(one["file"]) for one in listed if isinstance(one, dict) and "file" in one}
        if told is not None:
            found |= {entries, *files.PUBLISHED}
    return {name for name in found if is_own(name)}


def remove_stale(folder: Path, before: Iterable[str], now: Iterable[Path]) -> None:
    """Remove what an earlier report wrote below a folder and this one did not."""
    kept = {str(path.relative_to(folder)) for path in now}
    for name in set(before) - kept:
        with suppress(OSError):
            (folder / name).unlink()


def foreign(folder: Path, made: Iterable[str]) -> list[str]:
    """Return the files that a report would own but did not write: in its folders, or named like its own."""
    there = [path for name in FOLDERS for path in (folder / name).rglob("*")]
    there += [path for path in folder.iterdir() if is_own(path.name)]
    names = {str(path.relative_to(folder)) for path in there if path.is_symlink() or not path.is_dir()}
    return sorted(names - set(made))


def is_own(name: str) -> bool:
    """Return whether a path below a report's folder is one that only a report writes.

    >>> [is_own(name) for name in ("tables/fit.csv", "report.html", "estudo_2.csv", "../tables/fit.csv")]
    [True, True, True, False]
    """
    folder, slash, rest = name.partition("/")
    if slash:
        return folder in FOLDERS and Path(rest).name == rest
    return name in _TOP or _STUDY.fullmatch(name) is not None


def _read(path: Path) -> Any:
    """Return a JSON file's value, None where it cannot be read."""
    try:
        return json.loads(read_regular(path).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
