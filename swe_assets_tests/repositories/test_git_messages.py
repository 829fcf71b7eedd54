"""What git's words are taken for."""

import pytest

from swe_assets.repositories.git_messages import failure_outcome, is_environment_failure, is_unsafe, offsets
from swe_assets.repositories.reconstruction import Outcome

HUNK = b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
SAID = [
    ("error: x.py: does not exist in index", Outcome.TARGET_MISSING),
    ("error: ../x.py: does not exist in index", Outcome.REFUSED),
    ("error: .git/config: does not exist in index", Outcome.REFUSED),
    ("error: invalid path '/etc/x'", Outcome.REFUSED),
    ("error: affected file 'l/x' is beyond a symbolic link", Outcome.REFUSED),
    ("error: cannot apply binary patch to 'x' without full index line", Outcome.BINARY),
    ("error: the patch applies to 'x' (123), which does not match the current contents.", Outcome.BINARY),
    ("error: corrupt binary patch at line 7: zzz", Outcome.BINARY),
    ("error: patch failed: x.py:1\nerror: x.py: patch does not apply", Outcome.DOES_NOT_APPLY),
    ("error: new.py: already exists in index", Outcome.DOES_NOT_APPLY),
    ("error: corrupt patch at line 5", Outcome.DOES_NOT_APPLY),
    ('error: No valid patches in input (allow with "--allow-empty")', Outcome.NOT_A_DIFF),
    ("error: x.py: patch does not apply\nerror: y.py: does not exist in index", Outcome.TARGET_MISSING),
]


@pytest.mark.parametrize(("said", "outcome"), SAID)
def test_each_failure_has_its_outcome(said: str, outcome: Outcome) -> None:
    """Git's messages of 2.39 are known, whichever of several comes first."""
    assert failure_outcome(said, HUNK) is outcome


def test_only_garbage_is_no_diff_unless_there_is_a_hunk() -> None:
    """A header without any hunk is no diff; beside a real hunk it is a diff that does not apply."""
    said = "error: patch with only garbage at line 3"
    assert failure_outcome(said, b"diff --git a/x b/x\n") is Outcome.NOT_A_DIFF
    assert failure_outcome(said, HUNK) is Outcome.DOES_NOT_APPLY


def test_a_plain_note_of_binary_files_is_binary() -> None:
    """`Binary files … differ` with nothing else is a binary patch rather than prose."""
    said = "error: No valid patches in input"
    assert failure_outcome(said, b"Binary files a/x.png and b/x.png differ\n") is Outcome.BINARY


@pytest.mark.parametrize(
    "path",
    [
        "../x",
        "a/../b",
        "/etc/x",
        ".git/config",
        "a/.GIT/x",
        "git~1/x",
        "a\\..\\b",
        ".git./x",
        ".g\u200cit/x",
        ".git::$D/x",
    ],
)
def test_paths_that_lead_out_are_unsafe(path: str) -> None:
    """Parents, absolute paths and each spelling of .git that some file system takes are seen."""
    assert is_unsafe(path)


@pytest.mark.parametrize("path", ["a/b.py", ".gitignore", "git/x", ".github/x", "a..b", "...", "agit~1"])
def test_usual_paths_are_safe(path: str) -> None:
    """Names that only look alike are no reason to refuse."""
    assert not is_unsafe(path)


def test_offsets_keep_their_signs() -> None:
    """Every `Hunk … succeeded` line gives one number; a path that imitates one gives none."""
    said = (
        "Checking patch Hunk #1 succeeded at 9 (offset 99 lines)....\n"
        "Hunk #1 succeeded at 9 (offset -3 lines).\nHunk #2 succeeded at 30 (offset 1 line).\n"
    )
    assert offsets(said) == (-3, 1)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("error: unable to create temporary file: No space left on device", True),
        ("fatal: Out of memory, malloc failed", True),
        ("error: No space left on device: does not exist in index", False),
    ],
)
def test_want_of_room_is_told_from_a_bad_patch(said: str, wanted: bool) -> None:
    """A full disk says nothing about the patch, and a path of that name nothing about the disk."""
    assert is_environment_failure(said) is wanted
