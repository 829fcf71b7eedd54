"""`swe-assets patch check` as a person calls it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from swe_assets_tests.repositories.patches import edit, new_file
from swe_assets_tests.repositories.real_git import commit_files

MODULE = "import os\n\n\n\n\n\n\ndef second(b):\n    total = 0\n    return total + b\n"


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Build a bare repository with one module."""
    folder = tmp_path_factory.mktemp("cli") / "r.git"
    return folder, commit_files(folder, {"pkg/mod.py": MODULE})


def check(
    folder: Path, commit: str, *arguments: str, given: bytes = b""
) -> "subprocess.CompletedProcess[bytes]":
    """Run the command in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "swe_assets",
        "patch",
        "check",
        "--repo",
        str(folder),
        "--commit",
        commit,
    ]
    return subprocess.run([*command, *arguments], input=given, capture_output=True, check=False)


def answer(done: "subprocess.CompletedProcess[bytes]") -> dict[str, Any]:
    """Return the JSON of an answer that was given with exit code 0 and nothing on stderr."""
    assert (done.returncode, done.stderr) == (0, b"")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_answers_in_json(repository: tuple[Path, str], tmp_path: Path) -> None:
    """The record has outcome, reason, steps, offset, files and flags, and no contents."""
    (tmp_path / "x.patch").write_text(edit())
    found = answer(check(*repository, "--json", str(tmp_path / "x.patch")))
    assert list(found) == ["outcome", "reason", "status", "steps", "offset_lines", "files", "flags"]
    assert (found["outcome"], found["status"], found["offset_lines"]) == ("applied_exact", "measured", 0)
    assert found["files"][0]["path_patched"] == "pkg/mod.py"
    assert found["flags"]["python_parses_after"] is True


def test_reads_standard_input(repository: tuple[Path, str]) -> None:
    """A dash stands for standard input, and any bytes are taken as they are."""
    found = answer(check(*repository, "--json", "-", given=new_file("n.py", "#").encode() + b"+\xff\n"))
    assert found["outcome"] == "applied_recount"


@pytest.mark.parametrize("patch", [b"", b"None", edit("no.py").encode(), new_file("../x.py", "x").encode()])
def test_a_patch_that_does_not_apply_is_an_answer(repository: tuple[Path, str], patch: bytes) -> None:
    """Empty, prose, missing and refused patches give exit code 0 and a reason."""
    found = answer(check(*repository, "--json", "-", given=patch))
    assert (found["status"], bool(found["reason"])) == ("excluded", True)


def test_a_patch_beyond_the_limit_is_refused(repository: tuple[Path, str]) -> None:
    """The limit in MiB counts, and no more than that is read."""
    found = answer(check(*repository, "--json", "--max-mib", "1", "-", given=b"+" * 3_000_000))
    assert found["outcome"] == "refused"


def test_words_for_people(repository: tuple[Path, str]) -> None:
    """Without --json the outcome, the reason and the files are a line each."""
    done = check(*repository, "-", given=edit().removesuffix("\n").encode())
    assert done.stdout.decode().splitlines() == [
        "applied_newline_repair (measured)",
        "needed a final newline",
        "modified: 'pkg/mod.py'",
    ]


def test_wrong_input_is_exit_code_2(repository: tuple[Path, str], tmp_path: Path) -> None:
    """No repository, no commit and no patch file are errors on stderr, without a traceback."""
    folder, commit = repository
    wrong = [
        check(tmp_path, commit, "-"),
        check(folder, "1" * 40, "-"),
        check(folder, commit, str(tmp_path / "no")),
    ]
    assert [done.returncode for done in wrong] == [2, 2, 2]
    assert all(done.stderr and b"Traceback" not in done.stderr and not done.stdout for done in wrong)
