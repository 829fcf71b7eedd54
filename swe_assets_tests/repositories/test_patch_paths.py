"""The paths that a patch may name, read from its header lines."""

import pytest

from swe_assets.repositories.patch_paths import patch_paths, unquote

NAMED = [
    (b"--- a/x.py\n+++ b/x.py\n", b"x.py"),
    (b"--- x.py\n+++ x.py\n", b"x.py"),
    (b"--- pkg/x.py\n+++ pkg/x.py\n", b"pkg/x.py"),
    (b"--- a/x.py\r\n+++ b/x.py\r\n", b"x.py"),
    (b"--- a/x.py\t2024-05-01 10:00:00\n", b"x.py"),
    (b"--- a/x.py 2024-05-01 10:00:00.0 +0000\n", b"x.py"),
    (b"--- a/my dir/s p.py\n", b"my dir/s p.py"),
    (b"--- a/pkg//x.py\n", b"pkg/x.py"),
    (b'+++ "b/caf\\303\\251.py"\n', "café.py".encode()),
    (b"diff --git a/my dir/x.py b/my dir/x.py\n", b"my dir/x.py"),
    (b"diff --git i/x.py w/x.py\r\n", b"x.py"),
    (b'diff --git "a/t\\tab.py" "b/t\\tab.py"\n', b"t\tab.py"),
    (b"rename from old name.py\n", b"old name.py"),
    (b"copy to new.py\r\n", b"new.py"),
]


@pytest.mark.parametrize(("header", "path"), NAMED)
def test_every_reading_of_a_header_is_kept(header: bytes, path: bytes) -> None:
    """Prefixes, time stamps, quotes, spaces and CR do not hide a path."""
    assert path in patch_paths(b"prose before\n" + header).candidates


def test_names_of_a_git_line_must_agree() -> None:
    """From `diff --git` alone git takes a name only where both sides are the same."""
    assert patch_paths(b"diff --git a/x.py b/y.py\n").candidates == frozenset()


def test_moves_and_copies_are_told_apart() -> None:
    """A rename is a move, a copy is a copy, and an edit in place is neither."""
    found = patch_paths(
        b"rename from a.py\nrename to b.py\ncopy from c.py\ncopy to d.py\n--- a/e.py\n+++ b/e.py\n"
    )
    assert (found.moves, found.copies) == (((b"a.py", b"b.py"),), ((b"c.py", b"d.py"),))


def test_a_line_too_long_for_a_name_is_passed_over() -> None:
    """A header of a megabyte names no file and costs no time."""
    assert patch_paths(b"--- a/" + b"x " * 500_000 + b"\n").candidates == frozenset()


@pytest.mark.parametrize(
    ("quoted", "plain"),
    [
        (b'"a\\\\b"', b"a\\b"),
        (b'"q\\"q"', b'q"q'),
        (b'"\\001\\n"', b"\x01\n"),
        (b"plain", b"plain"),
        (b'"', b'"'),
    ],
)
def test_c_quotes_are_undone(quoted: bytes, plain: bytes) -> None:
    """Escapes as git writes them come back as bytes; what is not quoted stays."""
    assert unquote(quoted) == plain
