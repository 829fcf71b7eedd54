"""Patches that mean harm: each has an outcome, and nothing outside the temporary folder is touched."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from swe_assets.errors import RepositoryError
from swe_assets.repositories import Outcome
from swe_assets_tests.repositories.conftest import Apply
from swe_assets_tests.repositories.patches import deletion, edit, new_file, rename
from swe_assets_tests.repositories.test_objects import snapshot

LINK = new_file("out", "/var").replace("100644", "120000") + "\\ No newline at end of file\n"
REFUSED = {
    "parent": new_file("../../evil.py", "x = 1"),
    "parent edited": edit("../../evil.py"),
    "parent within": new_file("pkg/../../evil.py", "x = 1"),
    "parent deleted": deletion("../../evil.py", "x"),
    "absolute": new_file("/etc/evil.py", "x = 1"),
    "git folder": new_file(".git/hooks/post-checkout", "#!/bin/sh"),
    "git folder, other case": new_file(".GIT/config", "x"),
    "git folder, short name": new_file("git~1/config", "x"),
    "git folder below": new_file("pkg/.git/config", "x"),
    "git folder edited": edit(".git/config"),
    "renamed into git folder": rename("pkg/mod.py", ".git/config"),
    "renamed out": rename("pkg/mod.py", "../evil.py"),
    "copied out": rename("pkg/mod.py", "../evil.py", "copy"),
    "renamed in": rename("../../etc/passwd", "pkg/passwd"),
    "through a link of the tree": new_file("link/evil.py", "x = 1"),
    "edit through a link of the tree": edit("link/mod.py"),
    "through a link of its own": LINK + new_file("out/evil.py", "x = 1"),
    "hidden letters": new_file(".g\u200cit/config", "x"),
    "stream of another file system": new_file(".git::$INDEX_ALLOCATION/config", "x"),
    "backslashes": new_file("..\\..\\evil.py", "x"),
}
ELSEWHERE = {
    "rename onto a file": rename("pkg/mod.py", "README.md"),
    "copy onto a file": rename("pkg/mod.py", "README.md", "copy"),
    "new file that exists": new_file("README.md", "x"),
    "file below a file": new_file("data/x.py", "x = 1"),
    "file in a folder's place": new_file("pkg", "x = 1"),
    "file in a submodule": new_file("vendored/x.py", "x = 1"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_leads_out_is_refused(name: str, apply: Apply, temporary: Path, base: tuple[Path, str]) -> None:
    """Each way out of the repository or into .git is refused, and the mirror stays as it was."""
    before = snapshot(base[0])
    found = apply(REFUSED[name], fuzz=3)
    assert (found.outcome, found.files) == (Outcome.REFUSED, ())
    assert list(temporary.iterdir()) == []
    assert snapshot(base[0]) == before
    assert not list(temporary.parent.rglob("evil.py"))


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_would_overwrite_changes_nothing(name: str, apply: Apply, temporary: Path) -> None:
    """A patch onto something that is there does not apply, as in the whole tree."""
    found = apply(ELSEWHERE[name])
    assert (found.outcome, found.files) in [(Outcome.DOES_NOT_APPLY, ()), (Outcome.REFUSED, ())]
    assert list(temporary.iterdir()) == []


def test_a_link_that_points_out_is_only_text(apply: Apply) -> None:
    """A link to /etc/passwd is an added link whose content is the path, not the file."""
    (file,) = apply(new_file("l.py", "/etc/passwd").replace("100644", "120000")).files
    assert (file.mode_patched, file.content_patched, file.is_python) == ("120000", b"/etc/passwd\n", False)


@pytest.mark.parametrize("patch", ["x" * 2000, edit() + " " * 2000, "é" * 600])
def test_a_patch_beyond_the_limit_is_refused(apply: Apply, patch: str) -> None:
    """The limit counts bytes, is named, and git is not asked."""
    found = apply(patch, max_patch_bytes=1000)
    assert (found.outcome, found.steps) == (Outcome.REFUSED, ())
    assert "limit of 1000 bytes" in found.reason


def test_a_line_of_200_mb_is_refused_at_once(apply: Apply) -> None:
    """The default limit stops it before a copy is made."""
    patch = new_file("n.py", "x" * 200_000_000)
    start = time.process_time()
    assert apply(patch).outcome is Outcome.REFUSED
    assert time.process_time() - start < 1


def test_a_long_line_within_the_limit_applies(apply: Apply) -> None:
    """Twenty megabytes in one line are one line."""
    (file,) = apply(new_file("n.py", "#" * 20_000_000)).files
    assert file.content_patched == b"#" * 20_000_000 + b"\n"


@pytest.mark.parametrize("part", ["--- a/", "diff --git a/x ", "@@ -1,9 +1,9 @@\n", '+++ "b/\\'])
def test_many_odd_headers_cost_little(apply: Apply, part: str) -> None:
    """A megabyte of repeated headers is judged within seconds."""
    start = time.process_time()
    assert not apply(part * (1_000_000 // len(part))).outcome.applied
    assert time.process_time() - start < 10


def test_a_patch_that_keeps_git_busy_is_refused(apply: Apply, temporary: Path) -> None:
    """After the time limit git is ended, the patch is refused, and the folder is gone."""
    found = apply(new_file("n.py", "#" * 30_000_000), timeout_seconds=0.001)
    assert (found.outcome, found.steps) == (Outcome.REFUSED, ())
    assert "still busy" in found.reason
    assert list(temporary.iterdir()) == []


def test_a_temporary_folder_that_cannot_be_written_is_said(apply: Apply, temporary: Path) -> None:
    """Without a temporary folder there is an error and no outcome."""
    temporary.rmdir()
    temporary.write_text("in the way")
    with pytest.raises(RepositoryError, match="TMPDIR"):
        apply(edit())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
@pytest.mark.parametrize("kibibytes", [4, 24, 40, 64])
def test_a_full_disk_is_an_error_and_no_outcome(apply: Apply, temporary: Path, kibibytes: int) -> None:
    """However far it comes, a full disk is never written down as a patch that does not apply."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={kibibytes}k", "tmpfs", str(temporary)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    noise = random.Random(1).randbytes(100_000).hex()
    try:
        with pytest.raises(RepositoryError):
            apply(new_file("n.py", noise))
        assert list(temporary.iterdir()) == []
    finally:
        subprocess.run(["umount", str(temporary)], check=True)


def test_an_interrupt_leaves_nothing(base: tuple[Path, str], temporary: Path) -> None:
    """A parser that raises in mid-work, as an interrupt does, leaves no temporary folder."""
    script = (
        "import sys; from pathlib import Path\n"
        "from swe_assets.repositories import OpenRepository, reconstruct\n"
        "def stop(content):\n    raise KeyboardInterrupt\n"
        "with OpenRepository(Path(sys.argv[1])) as repository:\n"
        "    reconstruct(repository, sys.argv[2], sys.argv[3], parses=stop)\n"
    )
    command = [sys.executable, "-c", script, str(base[0]), base[1], edit()]
    done = subprocess.run(
        command, env=os.environ | {"TMPDIR": str(temporary)}, capture_output=True, check=False
    )
    assert b"KeyboardInterrupt" in done.stderr
    assert list(temporary.iterdir()) == []
