"""Nothing invisible is left in text that a person or a model reads, and all else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swe_assets.llm.plain_text import excerpt, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\r\nb\tc", "a\nb\tc"),
        ("a\rb", "a⟨U+000D⟩b"),
        ("\x1b[31m", "⟨U+001B⟩[31m"),
        ("\ud800", "⟨U+D800⟩"),
        ("x\u202ey", "x⟨U+202E⟩y"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("é 漢 👍 ‍", "é 漢 👍 ‍"),
    ],
)
def test_what_is_spelled_out(text: str, shown: str) -> None:
    """Controls, surrogates, bidi and tag characters are spelled out; letters of any script stay."""
    assert visible(text) == shown


@given(st.text(st.characters(codec=None)))
def test_visible_text_is_utf_8_and_stays_as_it_is(text: str) -> None:
    """Visible text can be encoded and is not changed by a second pass."""
    shown = visible(text)
    assert shown.encode("utf-8")[:0] == b""
    assert visible(shown) == shown


def test_an_excerpt_is_one_short_line() -> None:
    """An excerpt has no newline and at most as many characters as allowed."""
    line = excerpt("a\nb" * 500, 50)
    assert (len(line), "\n" in line, line[-1]) == (50, False, "…")
