"""Whether a report is what its own inputs give: everything is made again from the files beside it."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from swe_assets.patch_quality.analysis.comparison_files import (
    comparison_language,
    is_comparison,
    read_comparison,
    write_comparison,
)
from swe_assets.patch_quality.analysis.evidence_files import ENTRIES, matrix_file, read_evidence
from swe_assets.patch_quality.analysis.manifest import versions
from swe_assets.patch_quality.analysis.whole import write_study
from swe_assets.reporting.folder import ANALYSIS, read_analysis
from swe_assets.reporting.verification import differences
from swe_assets.storage.regular_files import read_regular

_SHOWN = 80


@dataclass(frozen=True)
class Verification:
    """What was compared, where it differs, and which versions differ from those that made the report."""

    checked: tuple[str, ...]
    differences: tuple[str, ...]
    versions: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Return whether the report is what its inputs give."""
        return not self.differences


def verify_folder(folder: Path) -> Verification:
    """Make a report again from its inputs in the folder and compare every file, tables cell by cell.

    Raises ReportError where the folder holds no report or an input cannot be read, MatrixError where one is
    not usable. With other versions of the libraries last digits may differ; ``versions`` names them.
    """
    stored = read_analysis(folder)
    with tempfile.TemporaryDirectory(prefix="swe-assets-verify-") as scratch:
        made = Path(scratch)
        changed = _make_again(folder, made)
        names = sorted(str(path.relative_to(made)) for path in made.rglob("*") if path.is_file())
        found = [*changed, *differences(stored, read_analysis(made))]
        for name in names:
            if name not in (ANALYSIS, ENTRIES):
                found += _compared(folder / name, made / name, name)
    return Verification(tuple(names), tuple(found), _other_versions(stored.manifest.get("versions", {})))


def _make_again(folder: Path, made: Path) -> list[str]:
    """Write the report into a scratch folder from the inputs of the other; return the inputs that changed."""
    if is_comparison(folder):
        submissions, changed = read_comparison(folder)
        write_comparison(made, submissions, lang=comparison_language(folder))
        return changed
    evidence, changed = read_evidence(folder)
    name = matrix_file(folder)
    write_study(made, evidence, read_regular(folder / name), matrix_name=name)
    return changed


def _compared(stored: Path, made: Path, name: str) -> list[str]:
    """Return how a stored file differs from the one made: the first line that does, where it is text."""
    try:
        old = read_regular(stored)
    except OSError:
        return [f"file {name!r} is not there"]
    new = made.read_bytes()
    if old == new:
        return []
    if stored.suffix not in {".csv", ".tex", ".txt", ".json", ".html", ".svg"}:
        return [f"file {name!r}: {len(old)} bytes stored, {len(new)} computed, not the same"]
    before, after = (content.decode("utf-8", "replace").split("\n") for content in (old, new))
    lines = enumerate(zip(before, after, strict=False), start=1)
    at, (one, other) = next(((n, pair) for n, pair in lines if pair[0] != pair[1]), (0, ("", "")))
    if not at:
        return [f"file {name!r}: {len(before)} lines stored, {len(after)} computed"]
    return [f"file {name!r}, line {at}: stored {one[:_SHOWN]!r}, computed {other[:_SHOWN]!r}"]


def _other_versions(stored: object) -> tuple[str, ...]:
    told = stored if isinstance(stored, dict) else {}
    here = versions()
    return tuple(
        f"{name}: made with {told.get(name)}, here {here[name]}"
        for name in here
        if told.get(name) != here[name]
    )
