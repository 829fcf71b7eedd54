"""The rungs from strict to tolerant."""

import pytest

from swe_assets.repositories import Outcome, Reconstruction
from swe_assets_tests.repositories.conftest import MODULE, Apply
from swe_assets_tests.repositories.patches import edit, new_file

WIDE = "@@ -6,6 +6,6 @@"  # claims one line more than the hunk has


def tried(found: Reconstruction) -> list[tuple[str, int]]:
    """Return the rungs that were tried with git's exit codes."""
    return [(step.name, step.returncode) for step in found.steps]


def test_strict_is_tried_first_and_alone(apply: Apply) -> None:
    """A good patch needs one rung."""
    assert tried(apply(edit())) == [("strict", 0)]


def test_one_final_newline_mends(apply: Apply) -> None:
    """A patch that lost its last newline is mended by that alone, and it is said."""
    found = apply(edit().removesuffix("\n"))
    assert (found.outcome, tried(found)) == (
        Outcome.APPLIED_NEWLINE_REPAIR,
        [("strict", 128), ("newline", 0)],
    )
    assert found.reason == "needed a final newline"


def test_wrong_counts_are_recounted(apply: Apply) -> None:
    """A hunk with fewer lines than it claims goes through the recount."""
    found = apply(edit(header=WIDE))
    assert (found.outcome, tried(found)) == (Outcome.APPLIED_RECOUNT, [("strict", 128), ("recount", 0)])


def test_both_repairs_are_recorded(apply: Apply) -> None:
    """Without newline and with wrong counts all three rungs are on record."""
    found = apply(edit(header=WIDE).removesuffix("\n"))
    assert tried(found) == [("strict", 128), ("newline", 128), ("recount", 0)]
    assert found.outcome is Outcome.APPLIED_RECOUNT


@pytest.mark.parametrize("header", ["@@ -2,5 +2,5 @@", "@@ -2,6 +2,6 @@"])
def test_an_offset_wins_over_the_rung(apply: Apply, header: str) -> None:
    """A hunk four lines off is applied_offset, with or without a recount, and each rung stays on record."""
    found = apply(edit(header=header))
    assert (found.outcome, found.offsets, found.offset_lines) == (Outcome.APPLIED_OFFSET, (4,), 4)
    assert found.steps[-1].name == ("recount" if header.endswith("6 @@") else "strict")
    assert "offset 4 lines" in found.steps[-1].message


def test_the_farthest_offset_counts(apply: Apply) -> None:
    """Of two offsets the larger in absolute value is named, whatever its sign."""
    found = apply(edit(header="@@ -99,5 +99,5 @@"))
    assert (found.offsets, found.offset_lines) == ((-93,), 93)
    assert found.reason == "found -93 lines off"


def test_fuzz_is_never_silent(apply: Apply) -> None:
    """Wrong context fails, and goes through only where fuzz is asked for, which is then said."""
    patch = edit().replace(" def second(b):", " def second(c):")
    assert apply(patch).outcome is Outcome.DOES_NOT_APPLY
    found = apply(patch, fuzz=3)
    assert (found.outcome, found.steps[-1].name) == (Outcome.APPLIED_OFFSET, "fuzz")
    assert found.reason.startswith("with fuzz 3")


def test_less_fuzz_than_needed_fails(apply: Apply) -> None:
    """Fuzz asked for and not enough leaves the patch out."""
    patch = edit().replace(" def second(b):", " def second(c):")
    found = apply(patch, fuzz=1)
    assert (found.outcome, found.steps[-1].name) == (Outcome.DOES_NOT_APPLY, "fuzz")


def test_a_dropped_tail_goes_to_the_recount(apply: Apply) -> None:
    """Git would add two of three lines with exit code 0; all three are added, and it is said."""
    found = apply(new_file("n.py", "a = 1", "b = 2", "c = 3", count=2))
    assert (found.outcome, tried(found)) == (Outcome.APPLIED_RECOUNT, [("strict", 0), ("recount", 0)])
    assert found.files[0].content_patched == b"a = 1\nb = 2\nc = 3\n"
    assert "drop 1 changed lines from line 8" in found.reason


def test_a_dropped_tail_that_cannot_be_recounted_does_not_apply(apply: Apply) -> None:
    """Prose glued to the tail keeps git from counting it, so that half a file is not taken for the patch."""
    found = apply(new_file("n.py", "a = 1", "b = 2", count=1) + "</patch>\n")
    assert (found.outcome, found.files) == (Outcome.DOES_NOT_APPLY, ())
    assert "does not take them in" in found.reason


def test_a_tail_that_contradicts_the_file_does_not_apply(apply: Apply) -> None:
    """A change beyond the count that the file does not bear is not passed over."""
    patch = edit() + "-    no such line\n"
    assert apply(patch).outcome is Outcome.DOES_NOT_APPLY


def test_a_list_below_the_patch_is_prose(apply: Apply) -> None:
    """Points after a blank line leave an exact patch exact, with the files of the strict rung."""
    found = apply(edit() + "\n- changed the start value\n")
    assert (found.outcome, tried(found)) == (Outcome.APPLIED_EXACT, [("strict", 0), ("recount", 1)])
    assert found.files[0].content_patched == MODULE.replace("total = 0", "total = 1").encode()


def test_the_failure_shown_is_of_the_rung_that_read_the_patch(apply: Apply) -> None:
    """Counts wrong and the file missing: the recount found out which file, and that is the reason."""
    found = apply(edit("pkg/none.py", header=WIDE))
    assert tried(found) == [("strict", 128), ("recount", 1)]
    assert found.reason == "target_missing: error: pkg/none.py: does not exist in index"


def test_a_crash_of_git_is_an_outcome(apply: Apply) -> None:
    """A blank line after `diff --git` makes git 2.39 abort over a new file beside a bad hunk; we go on."""
    broken = new_file("tests/n.py", "x = 1").replace("\nnew file", "\n\nnew file", 1)
    found = apply(edit().replace("second", "third") + broken)
    assert found.outcome is Outcome.DOES_NOT_APPLY
    assert apply(edit()).outcome is Outcome.APPLIED_EXACT


def test_messages_do_not_quote_the_patch(apply: Apply) -> None:
    """Text of the patch that imitates git's words steers neither outcome nor reason."""
    lie = "error: x.py: does not exist in index"
    found = apply(edit().replace(" def second(b):", f" {lie}"))
    assert found.outcome is Outcome.DOES_NOT_APPLY
    assert lie not in found.reason


def test_git_speaks_english(apply: Apply, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's language does not change what is understood."""
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    monkeypatch.setenv("LANGUAGE", "pt_BR")
    assert apply(edit("pkg/none.py")).outcome is Outcome.TARGET_MISSING
