"""Whether a report is what its own inputs give: everything is made again from the files beside it."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from swe_assets.patch_quality.analysis import files
from swe_assets.patch_quality.analysis.comparison_files import (
    comparison_settings,
    is_comparison,
    read_comparison,
    write_comparison,
)
from swe_assets.patch_quality.analysis.evidence_files import matrix_file, read_evidence
from swe_assets.patch_quality.analysis.manifest import versions
from swe_assets.patch_quality.analysis.own_files import foreign
from swe_assets.patch_quality.analysis.whole import write_study
from swe_assets.reporting.folder import ANALYSIS, read_analysis
from swe_assets.reporting.tables import Analysis
from swe_assets.reporting.verification import differences, worded_as
from swe_assets.storage.regular_files import read_regular

_SHOWN = 80
OWN = "swe_assets"
DRAWN = frozenset({".html", ".png"})
"""Files that other versions of a library may draw otherwise from the same numbers, with the heatmap's SVG."""
WORDED = DRAWN | {".svg", ".tex"}
"""Files that another version of this project may word or draw otherwise from the same numbers."""


@dataclass(frozen=True)
class Verification:
    """What was compared, where it differs, which versions differ, and what is only put otherwise by these.

    ``differences`` has the inputs, cells and files that are not what the inputs give, and files that the
    report did not write. ``put_otherwise`` is empty where all versions are those that made the report.
    """

    checked: tuple[str, ...]
    differences: tuple[str, ...]
    versions: tuple[str, ...]
    put_otherwise: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Return whether the report's numbers are what its inputs give, and no file of it is another's."""
        return not self.differences

    @property
    def verdict(self) -> str:
        """Return the outcome in one sentence."""
        others = f"made with other versions ({'; '.join(self.versions)})" if self.versions else ""
        if self.differences:
            return f"not the same: {len(self.differences)} difference(s)" + (f"; {others}" if others else "")
        if self.put_otherwise:
            count = len(self.put_otherwise)
            return f"all tables are the same; {count} page(s), picture(s) or wording(s) are not; {others}"
        return f"all tables are the same; {others}" if others else "the same to the last byte"


def verify_folder(folder: Path) -> Verification:
    """Make a report again from its inputs in the folder and compare every file, tables cell by cell.

    The report made again names the versions that the stored one names, so that only what they make
    differs. Under other versions a page or picture that differs is told apart from numbers that do.
    Raises ReportError where the folder holds no report or an input cannot be read, MatrixError where one is
    not usable.
    """
    stored = read_analysis(folder)
    told = _versions(stored)
    others = _other_versions(told or {})
    with tempfile.TemporaryDirectory(prefix="swe-assets-verify-") as scratch:
        made = Path(scratch)
        changed = _make_again(folder, made, told)
        names = sorted(str(path.relative_to(made)) for path in made.rglob("*") if path.is_file())
        cells, otherwise = _cells(stored, read_analysis(made), others)
        found = [*changed, *cells]
        for name in names:
            line = "" if name == ANALYSIS else _compared(folder / name, made / name, name)
            free = (folder / name).is_file() and _free(name, others)
            (otherwise if free else found).extend([line] if line else [])
    found += [f"file {name!r} is not of this report; remove it" for name in foreign(folder, names)]
    return Verification(tuple(names), tuple(found), others, tuple(otherwise))


def _make_again(folder: Path, made: Path, told: Mapping[str, str] | None) -> list[str]:
    """Write the report into a scratch folder from the inputs of the other; return the inputs that changed."""
    if is_comparison(folder):
        submissions, changed = read_comparison(folder)
        lang, command = comparison_settings(folder)
        write_comparison(made, submissions, lang=lang, made_with=told, command=command)
        return changed
    evidence, changed = read_evidence(folder)
    name = matrix_file(folder)
    write_study(made, evidence, read_regular(folder / name), matrix_name=name, made_with=told)
    return changed


def _cells(stored: Analysis, computed: Analysis, others: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return where cells differ, and where only words do that another version of this project may change."""
    if not _of_another_self(others):
        return differences(stored, computed), []
    worded = worded_as(computed, stored)
    return differences(stored, worded), differences(worded, computed)


def _of_another_self(others: Sequence[str]) -> bool:
    return any(line.startswith(f"{OWN}:") for line in others)


def _free(name: str, others: Sequence[str]) -> bool:
    """Return whether a file may look otherwise under such versions."""
    drawn = Path(name).suffix in DRAWN or name == files.HEATMAP_SVG
    return bool(others) and (drawn or (_of_another_self(others) and Path(name).suffix in WORDED))


def _compared(stored: Path, made: Path, name: str) -> str:
    """Return how a stored file differs from the one made, the first line that does where it is text."""
    try:
        old = read_regular(stored)
    except OSError:
        return f"file {name!r} is not there"
    new = made.read_bytes()
    if old == new:
        return ""
    if stored.suffix not in {".csv", ".tex", ".txt", ".json", ".html", ".svg"}:
        return f"file {name!r}: {len(old)} bytes stored, {len(new)} computed, not the same"
    before, after = (content.decode("utf-8", "replace").split("\n") for content in (old, new))
    lines = enumerate(zip(before, after, strict=False), start=1)
    at, (one, other) = next(((n, pair) for n, pair in lines if pair[0] != pair[1]), (0, ("", "")))
    if not at:
        return f"file {name!r}: {len(before)} lines stored, {len(after)} computed"
    return f"file {name!r}, line {at}: stored {one[:_SHOWN]!r}, computed {other[:_SHOWN]!r}"


def _versions(stored: Analysis) -> dict[str, str] | None:
    """Return the versions that a report names, None where it names none."""
    told = stored.manifest.get("versions")
    whole = isinstance(told, dict) and all(isinstance(one, str) for one in told.values())
    return told if whole else None


def _other_versions(told: Mapping[str, str]) -> tuple[str, ...]:
    here = versions()
    return tuple(
        f"{name}: made with {told.get(name, 'one not named')}, here {here[name]}"
        for name in here
        if told.get(name) != here[name]
    )
