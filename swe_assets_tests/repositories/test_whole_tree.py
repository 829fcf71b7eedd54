"""The small index gives what the whole tree gives, for patches of every shape."""

import os
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from swe_assets.repositories import OpenRepository, reconstruct
from swe_assets.repositories.hunks import dropped_tails
from swe_assets_tests.repositories.conftest import BASE, MODULE
from swe_assets_tests.repositories.patch_case import files_after
from swe_assets_tests.repositories.patches import deletion, edit, new_file, rename
from swe_assets_tests.repositories.real_git import Content, commit_files, git

FILES: dict[str, Content] = BASE | {"my dir/s p.py": MODULE, "café.py": MODULE, "tab\tname.py": "x\n"}
PATHS = [
    *(
        "pkg/mod.py",
        "pkg/sub/deep.py",
        "pkg",
        "pkg/sub",
        "link",
        "link/mod.py",
        "data",
        "data/x.py",
        "nope.py",
    ),
    *(
        "new/deep/n.py",
        "vendored",
        "README.md",
        "a/pkg/mod.py",
        "pkg/mod.py/x.py",
        "café.py",
        "my dir/s p.py",
    ),
]
Sides = dict[str, tuple[str, bytes] | None] | None


def random_patch(pick: random.Random) -> str:
    """Return one to three file patches with random paths, joined, with a line or two spoiled."""
    makers: list[Callable[[], str]] = [
        edit,
        lambda: new_file(f"n{pick.random()}.py", "x = 1"),
        lambda: edit(
            pick.choice(PATHS), pick.choice(["@@ -6,5 +6,5 @@", "@@ -5,5 +5,5 @@", "@@ -6,6 +6,6 @@"])
        ),
        lambda: new_file(pick.choice(PATHS), "x = 1", "y = 2"),
        lambda: deletion(pick.choice(PATHS), "x = 1"),
        lambda: rename(pick.choice(PATHS), pick.choice(PATHS), pick.choice(["rename", "copy"])),
        lambda: edit().replace("b/pkg/mod.py", f"b/{pick.choice(PATHS)}"),
        lambda: edit("pkg/mod.py").replace("diff --git a/pkg/mod.py b/pkg/mod.py\n", ""),
        lambda: f"diff --git a/{(path := pick.choice(PATHS))} b/{path}\nold mode 100644\nnew mode 100755\n",
    ]
    lines = "".join(pick.choice(makers)() for _ in range(pick.choice([1, 1, 2, 3]))).split("\n")
    for _ in range(pick.choice([0, 0, 0, 1, 2])):
        at = pick.randrange(len(lines))
        lines[at : at + 1] = pick.choice(
            [[], [lines[at], lines[at]], [lines[at].rstrip()], ["prose"], [lines[at] + "\r"]]
        )
    return "\n".join(lines)


def spoiled(line: str) -> list[list[str]]:
    """Return what may become of a line: gone, doubled, stripped, prose, with CR."""
    return [[], [line, line], [line.rstrip()], ["prose"], [line + "\r"]]


def whole_tree(folder: Path, commit: str, patch: str, work: Path) -> Sides:
    """Apply a patch to the index of the whole tree by git alone, on the same rungs; None where none holds."""
    ended = patch if patch.endswith("\n") else patch + "\n"
    for text, options in ((patch, []), (ended, []), (ended, ["--recount"])):
        shutil.rmtree(work, ignore_errors=True)
        (work / "objects").mkdir(parents=True)
        environment = os.environ | {
            "GIT_DIR": str(folder),
            "GIT_INDEX_FILE": str(work / "index"),
            "GIT_OBJECT_DIRECTORY": str(work / "objects"),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(folder / "objects"),
        }
        subprocess.run(["git", "read-tree", commit], env=environment, check=True)
        done = subprocess.run(
            ["git", "-c", "core.protectNTFS=true", "apply", "--cached", *options],
            input=text.encode(),
            env=environment,
            capture_output=True,
            check=False,
        )
        if done.returncode == 0:
            return _differences(commit, environment)
    return None


def _differences(commit: str, environment: dict[str, str]) -> Sides:
    command = ["git", "diff-index", "--cached", "--raw", "--no-renames", "--no-abbrev", "-z", commit]
    words = subprocess.run(command, env=environment, capture_output=True, check=True).stdout.split(b"\0")
    sides: dict[str, tuple[str, bytes] | None] = {}
    for head, path in zip(words[::2], words[1::2], strict=False):
        before, after, _, oid, _ = head.decode().removeprefix(":").split()
        if "160000" in (before, after) and not {before, after} & {"100644", "100755", "120000"}:
            continue
        content = subprocess.run(
            ["git", "cat-file", "blob", oid], env=environment, capture_output=True, check=False
        )
        sides[path.decode()] = (after, content.stdout) if after not in ("000000", "160000") else None
    return sides


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Build the repository of FILES once."""
    made = tmp_path_factory.mktemp("whole") / "r.git"
    return made, commit_files(made, FILES)


@pytest.mark.parametrize("seed", range(8))
def test_small_index_equals_whole_tree(folder: tuple[Path, str], tmp_path: Path, seed: int) -> None:
    """Over random patches both apply or both fail, and every file comes out the same."""
    pick, applied = random.Random(seed), 0
    with OpenRepository(folder[0]) as repository:
        for _ in range(25):
            patch = random_patch(pick)
            if dropped_tails(patch.encode()):
                continue
            found = reconstruct(repository, folder[1], patch)
            ours = files_after(found) if found.outcome.applied else None
            assert ours == whole_tree(*folder, patch, tmp_path / "work"), patch
            applied += ours is not None
    assert applied > 0


def test_the_comparison_can_fail(folder: tuple[Path, str], tmp_path: Path) -> None:
    """The whole tree's side really shows what a patch does."""
    assert whole_tree(*folder, new_file("n.py", "x = 1"), tmp_path / "work") == {
        "n.py": ("100644", b"x = 1\n")
    }
    assert whole_tree(*folder, new_file("pkg", "x = 1"), tmp_path / "work") is None
    assert git(folder[0], "rev-parse", "HEAD") == folder[1]
