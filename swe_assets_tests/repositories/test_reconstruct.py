"""What becomes of a patch: outcome, files and flags."""

from pathlib import Path

import pytest

from swe_assets.repositories import OpenRepository, Outcome, Status, reconstruct
from swe_assets_tests.repositories.conftest import MODULE, Apply
from swe_assets_tests.repositories.patch_case import cpython_parses, files_after
from swe_assets_tests.repositories.patches import deletion, edit, new_file, rename
from swe_assets_tests.repositories.real_git import commit_files, git

PATCHED = MODULE.replace("total = 0", "total = 1")


def test_an_exact_patch_gives_both_sides(apply: Apply) -> None:
    """The changed file has its blob and bytes at base and after the patch, as hand-written."""
    found = apply(edit(), parses=cpython_parses)
    (file,) = found.files
    assert (found.outcome, found.status, found.reason) == (Outcome.APPLIED_EXACT, Status.MEASURED, "")
    assert (file.change, file.path_base, file.path_patched) == ("modified", "pkg/mod.py", "pkg/mod.py")
    assert (file.content_base, file.content_patched) == (MODULE.encode(), PATCHED.encode())
    assert found.flags() == {
        "changed": True,
        "touches_python": True,
        "only_tests": False,
        "python_parses_after": True,
    }


@pytest.mark.parametrize("patch", [None, "", " \n\t\r\n", "\u00a0\n"])
def test_nothing_is_empty(apply: Apply, patch: str | None) -> None:
    """Null and white space are no patch, and no git is asked."""
    found = apply(patch)
    assert (found.outcome, found.steps, found.reason) == (Outcome.EMPTY, (), "empty")


@pytest.mark.parametrize(
    "patch", ["None", "No patch file found\n", "I would change the start.\n", "```\n```\n", "\x00"]
)
def test_prose_is_not_a_diff(apply: Apply, patch: str) -> None:
    """Text without any patch is said to be that."""
    assert apply(patch).outcome is Outcome.NOT_A_DIFF


def test_added_deleted_renamed_and_copied(apply: Apply) -> None:
    """Each kind of change stands on the sides where it exists; a rename pairs."""
    patch = (
        new_file("n.py", "y = 1")
        + deletion("pkg/sub/deep.py", "x = 1")
        + rename("pkg/empty.py", "pkg/moved.py")
        + rename("pkg/mod.py", "pkg/twin.py", "copy")
    )
    found = {file.change: file for file in apply(patch).files}
    assert (found["added"].path_base, found["added"].content_patched) == (None, b"y = 1\n")
    assert (found["deleted"].path_patched, found["deleted"].content_base) == (None, b"x = 1\n")
    assert (found["renamed"].path_base, found["renamed"].path_patched) == ("pkg/empty.py", "pkg/moved.py")
    assert (found["copied"].path_base, found["copied"].copied_from) == (None, "pkg/mod.py")
    assert found["copied"].content_patched == MODULE.encode()


def test_a_rename_with_an_edit_pairs(apply: Apply) -> None:
    """A file that moves and changes has its old bytes on one side and the new ones on the other."""
    patch = edit().replace("--- a", "rename from pkg/mod.py\nrename to pkg/new.py\n--- a")
    patch = patch.replace("b/pkg/mod.py", "b/pkg/new.py")
    (file,) = apply(patch).files
    assert (file.change, file.content_base, file.content_patched) == (
        "renamed",
        MODULE.encode(),
        PATCHED.encode(),
    )


def test_a_mode_is_a_change(apply: Apply) -> None:
    """A file that only becomes executable is changed, with the same blob on both sides."""
    found = apply("diff --git a/pkg/mod.py b/pkg/mod.py\nold mode 100644\nnew mode 100755\n")
    (file,) = found.files
    assert (file.change, file.mode_base, file.mode_patched) == ("mode", "100644", "100755")
    assert file.blob_base == file.blob_patched
    assert found.changed


def test_a_file_that_becomes_a_link_is_two_changes(apply: Apply) -> None:
    """The Python file is gone and a link, which is no Python, is there."""
    path = "pkg/sub/deep.py"
    link = new_file(path, "mod.py").replace("100644", "120000") + "\\ No newline at end of file\n"
    found = apply(deletion(path, "x = 1") + link)
    assert [(file.change, file.is_python) for file in found.files] == [("added", False), ("deleted", True)]


def test_a_submodule_is_no_file(apply: Apply) -> None:
    """A new commit of a submodule applies and changes no file of this repository."""
    line = "Subproject commit "
    found = apply(
        "diff --git a/vendored b/vendored\n--- a/vendored\n+++ b/vendored\n@@ -1 +1 @@\n"
        f"-{line}{'1' * 40}\n+{line}{'2' * 40}\n"
    )
    assert (found.outcome, found.files, found.exclusion) == (Outcome.APPLIED_EXACT, (), "unchanged")


EXCLUSIONS = [
    (edit(added="    total = 0"), "unchanged"),
    (new_file("docs/x.md", "text"), "no_python"),
    (new_file("tests/test_n.py", "x = 1"), "only_tests"),
    (new_file("tests/test_n.py", "x = 1") + new_file("docs/x.md", "text"), "only_tests"),
    (new_file("pkg/mod.pyx", "x = 1"), "no_python"),
    (edit("pkg/none.py"), "target_missing"),
    (edit(added="    total = 1") + edit("pkg/none.py"), "target_missing"),
]


@pytest.mark.parametrize(("patch", "exclusion"), EXCLUSIONS)
def test_what_is_not_measured_has_a_reason(apply: Apply, patch: str, exclusion: str) -> None:
    """Without a changed Python file that is no test the instance is excluded, in one word."""
    found = apply(patch)
    assert (found.status, found.exclusion) == (Status.EXCLUDED, exclusion)
    assert found.reason.split(":")[0] == exclusion


def test_tests_with_documentation_are_not_only_tests(apply: Apply) -> None:
    """The flag asks for every changed file; the reason for Python alone."""
    assert not apply(new_file("tests/test_n.py", "x = 1") + new_file("x.md", "text")).only_tests
    assert apply(new_file("tests/test_n.py", "x = 1") + new_file("tests/x.txt", "text")).only_tests


def test_a_file_that_no_longer_parses_is_flagged(apply: Apply) -> None:
    """The caller's parser is asked of each changed Python file that remains, and its word counts."""
    assert apply(edit(added="    total = (1"), parses=cpython_parses).python_parses_after is False
    assert apply(deletion("pkg/sub/deep.py", "x = 1"), parses=lambda _: False).python_parses_after is True
    assert apply(new_file("x.md", "text ("), parses=lambda _: False).python_parses_after is True
    assert apply(edit()).python_parses_after is None
    assert apply("None", parses=cpython_parses).python_parses_after is None


def test_half_a_patch_is_none(apply: Apply) -> None:
    """One file of two fails, so that none is changed."""
    found = apply(new_file("n.py", "x = 1") + edit(header="@@ -6,5 +6,5 @@").replace("second", "third"))
    assert (found.outcome, found.files) == (Outcome.DOES_NOT_APPLY, ())


def test_the_same_file_twice_adds_up(apply: Apply) -> None:
    """Two patches of one file, one after the other, are both in."""
    second = edit(added="    total = 2").replace("-    total = 0", "-    total = 1")
    assert files_after(apply(edit() + second))["pkg/mod.py"] == (
        "100644",
        MODULE.replace("total = 0", "total = 2").encode(),
    )


def test_a_reversed_patch_does_not_apply(apply: Apply) -> None:
    """What is in the file already is not taken out again."""
    reverse = edit().replace("-    total = 0\n+    total = 1", "-    total = 1\n+    total = 0")
    assert apply(reverse, fuzz=3).outcome is Outcome.DOES_NOT_APPLY


@pytest.mark.parametrize(
    ("text", "raw"),
    [("\udce9", b"\xe9"), ("\ud83d", b"\xed\xa0\xbd"), ("\x00", b"\x00"), ("é\u2028", "é\u2028".encode())],
)
def test_any_text_of_json_reaches_git(apply: Apply, text: str, raw: bytes) -> None:
    """Lone surrogates, NUL and line separators within a line end up as bytes of the file."""
    (file,) = apply(new_file("n.py", f"x = '{text}'")).files
    assert file.content_patched == b"x = '" + raw + b"'\n"


def test_crlf_applies_to_crlf_alone(apply: Apply) -> None:
    """A patch whose lines all end in CR LF does not apply to a file in LF, but adds a file in CR LF."""
    assert apply(edit().replace("\n", "\r\n")).outcome is Outcome.DOES_NOT_APPLY
    (file,) = apply(new_file("n.py", "x = 1").replace("\n", "\r\n")).files
    assert (file.path_patched, file.content_patched) == ("n.py", b"x = 1\r\n")


DIFFER = "Binary files a/x.png and b/x.png differ\n"
PICTURE = f"diff --git a/x.png b/x.png\nnew file mode 100644\nindex 0000000..1111111\n{DIFFER}"
LITERAL = PICTURE.replace(DIFFER, "GIT binary patch\nliteral 3\nKc${NkU|;|M00aO5\n\n")


@pytest.mark.parametrize("patch", [PICTURE, DIFFER, LITERAL, edit() + PICTURE])
def test_binary_hunks_without_their_content_are_binary(apply: Apply, patch: str) -> None:
    """A note that binary files differ, or content that git cannot verify, makes the whole patch binary."""
    assert apply(patch).outcome is Outcome.BINARY


def test_a_whole_binary_patch_applies(tmp_path: Path) -> None:
    """What `git diff --binary` writes is applied, and there is no Python in it to measure."""
    before = commit_files(tmp_path / "r.git", {"x.bin": bytes(range(200))})
    after = commit_files(tmp_path / "r.git", {"x.bin": bytes(range(100, 256))})
    patch = git(tmp_path / "r.git", "diff", "--binary", before, after) + "\n"
    with OpenRepository(tmp_path / "r.git") as repository:
        found = reconstruct(repository, before, patch)
    assert (found.outcome, found.exclusion) == (Outcome.APPLIED_EXACT, "no_python")
    assert found.files[0].content_patched == bytes(range(100, 256))


def test_the_record_leaves_out_the_contents(apply: Apply) -> None:
    """What goes to JSON has no bytes, and the printed form is short."""
    (file,) = apply(edit()).files
    assert not any(isinstance(value, bytes) for value in file.summary().values())
    assert "total" not in repr(file)
