"""How one line of the `patch` cases is checked: against a fresh real repository."""

import ast
import warnings
from pathlib import Path
from typing import Any

from swe_assets.repositories import OpenRepository, Reconstruction, reconstruct
from swe_assets_tests.repositories.real_git import blob_of, commit_files


def check_patch_case(case: dict[str, Any], tmp_path: Path) -> None:
    """Build the case's base commit, reconstruct its patch, and compare outcome, files and flags."""
    commit = commit_files(tmp_path / "base.git", case["input"]["base"])
    with OpenRepository(tmp_path / "base.git") as repository:
        found = reconstruct(repository, commit, case["input"]["patch"], parses=cpython_parses)
    expected = case["expected"]
    assert found.outcome in expected["outcome"].split("_or_"), found
    if "files_after" in expected and found.outcome.applied:
        assert files_after(found) == {path: _side(side) for path, side in expected["files_after"].items()}
    for flag, value in found.flags().items():
        if flag in expected and found.outcome.applied:
            assert value == expected[flag], (flag, found)
    if "offset_lines" in expected:
        assert list(found.offsets) == expected["offset_lines"]
        assert found.offset_lines == max(map(abs, expected["offset_lines"]))


def files_after(found: Reconstruction) -> dict[str, tuple[str, bytes] | None]:
    """Return mode and bytes of each changed path after the patch, None where it was deleted."""
    after: dict[str, tuple[str, bytes] | None] = {}
    for file in found.files:
        if file.path_base is not None:
            after.setdefault(file.path_base, None)
        if file.path_patched is not None and file.content_patched is not None:
            after[file.path_patched] = (file.mode_patched or "", file.content_patched)
    return after


def cpython_parses(content: bytes) -> bool:
    """Say whether CPython's own parser takes the bytes."""
    try:
        with warnings.catch_warnings(action="ignore"):
            ast.parse(content)
    except (SyntaxError, ValueError):
        return False
    return True


def _side(side: Any) -> tuple[str, bytes] | None:
    return None if side is None else blob_of(side)
