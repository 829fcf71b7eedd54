"""Tails that git drops without a word."""

import pytest

from swe_assets.repositories.hunks import Tail, dropped_tails
from swe_assets_tests.repositories.patches import edit, new_file


def tails(patch: str) -> list[Tail]:
    """Return the dropped tails of a patch given as text."""
    return dropped_tails(patch.encode())


def test_right_counts_leave_no_tail() -> None:
    """A patch whose counts are right has none, also with a second file after it."""
    assert tails(edit() + new_file("n.py", "x = 1", "y = 2") + edit("z.py")) == []


def test_a_line_beyond_the_count_is_a_tail() -> None:
    """Three added lines under a count of two leave one, its place counted from 1."""
    assert tails(new_file("n.py", "a", "b", "c", count=2)) == [Tail(8, 1, adjacent=True, closed=True)]


@pytest.mark.parametrize(
    "ending", ["-- \n2.39.5\n", "--\n2.39.5\n", "\nThis changes the start.\n", "```\n", "\n\n"]
)
def test_signature_prose_and_fences_are_no_tail(ending: str) -> None:
    """What a mail or a model writes after the last hunk is not taken for a part of it."""
    assert tails(edit() + ending) == []


def test_a_list_after_a_blank_line_is_set_apart() -> None:
    """Points that begin with a minus look like removals, but a blank line lies before them."""
    (tail,) = tails(edit() + "\n- changed the start\n- nothing else\n")
    assert (tail.adjacent, tail.changes) == (False, 2)


def test_prose_keeps_a_tail_open() -> None:
    """A recount stops at prose, so the tail before it stays lost."""
    (tail,) = tails(new_file("n.py", "a", "b", count=1) + "</patch>\n")
    assert (tail.adjacent, tail.closed) == (True, False)


def test_a_header_without_git_line_is_no_tail() -> None:
    """The `---` of the next file is its header, not a removed line."""
    assert tails("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n") == []


def test_missing_counts_mean_one() -> None:
    """`@@ -1 +1 @@` counts one line on each side."""
    assert len(tails("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n")) == 1


def test_the_mark_of_a_missing_newline_belongs_to_the_hunk() -> None:
    """`No newline at end of file` after the last counted line is not a tail."""
    assert tails(new_file("n.py", "a") + "\\ No newline at end of file\n") == []
