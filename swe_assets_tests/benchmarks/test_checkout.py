"""Tests of the naive way that reconstruction is compared with."""

from pathlib import Path

import pytest

from benchmarks.checkout import Checkouts
from benchmarks.inputs import Task
from swe_assets.repositories import OpenRepository, reconstruct
from swe_assets_tests.repositories.real_git import commit_files, git

PATCH = "--- a/m.py\n+++ b/m.py\n@@ -1,2 +1,2 @@\n a = 1\n-b = 2\n+b = 3\n"


@pytest.fixture
def mirror(tmp_path: Path) -> tuple[Path, str]:
    """Give a bare repository and the id of its one commit."""
    return tmp_path / "mirror.git", commit_files(
        tmp_path / "mirror.git", {"m.py": "a = 1\nb = 2\n", "n": "n"}
    )


def checkouts(folder: Path, mirror: Path) -> Checkouts:
    """Return checkouts of the mirror in a folder."""
    (folder / "trees").mkdir()
    made = Checkouts(folder / "trees")
    made.prepare("own/made", mirror)
    return made


def test_both_ways_give_the_same_bytes(tmp_path: Path, mirror: tuple[Path, str]) -> None:
    """Checking out, applying and reading gives the bytes that the reconstruction gives."""
    path, commit = mirror
    naive = checkouts(tmp_path, path).both_sides(Task("i-1", "own/made", commit, PATCH))
    with OpenRepository(path) as repository:
        (ours,) = reconstruct(repository, commit, PATCH).files
    assert (
        naive
        == {"m.py": (ours.content_base, ours.content_patched)}
        == {"m.py": (b"a = 1\nb = 2\n", b"a = 1\nb = 3\n")}
    )


def test_refused_patch_is_none(tmp_path: Path, mirror: tuple[Path, str]) -> None:
    """A patch that git refuses gives no sides."""
    path, commit = mirror
    task = Task("i-1", "own/made", commit, PATCH.replace("b = 2", "b = 4"))
    assert checkouts(tmp_path, path).both_sides(task) is None


def test_mirror_is_only_read(tmp_path: Path, mirror: tuple[Path, str]) -> None:
    """No work tree, branch or file of ours is in the mirror afterwards."""
    path, commit = mirror
    before = sorted(str(found) for found in path.rglob("*"))
    checkouts(tmp_path, path).both_sides(Task("i-1", "own/made", commit, PATCH))
    assert sorted(str(found) for found in path.rglob("*")) == before
    assert len(git(path, "worktree", "list").splitlines()) == 1
