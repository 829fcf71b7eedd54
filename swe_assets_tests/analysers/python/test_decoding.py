"""Bytes to text as SonarQube's scanner does it."""

import codecs

import pytest

from swe_assets.analysers.python.decoding import LOOKED_AT, decode, line_ends
from swe_assets_tests.analysers.python.measured import measured

TEXT = "# café\nx = 'ß'\n"


@pytest.mark.parametrize(
    ("mark", "charset"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
        (b"", "utf-16-le"),
        (b"", "utf-16-be"),
        (b"", "windows-1252"),
        (b"", "latin-1"),
    ],
)
def test_text_survives_its_charset(mark: bytes, charset: str) -> None:
    """A byte order mark decides and is taken off; without one the bytes themselves decide."""
    assert decode(mark + TEXT.encode(charset)) == TEXT


def test_a_cookie_has_no_say() -> None:
    """UTF-8 under a latin-1 cookie is read as UTF-8."""
    text = "# -*- coding: latin-1 -*-\nx = 'é'\n"
    assert decode(text.encode("utf-8")) == text


def test_what_no_charset_reads_becomes_a_replacement() -> None:
    """0x81 is neither UTF-8 nor windows-1252."""
    assert decode(b"x = '\x81'\n") == "x = '\ufffd'\n"


def test_only_the_start_of_a_file_decides() -> None:
    """Latin-1 behind thousands of ASCII bytes is read as UTF-8 with replacements."""
    assert decode(b"#" * LOOKED_AT + b"\xe9") == "#" * LOOKED_AT + "\ufffd"


def test_a_cut_character_does_not_unsettle() -> None:
    """A character of UTF-8 across the end of what is looked at is no fault."""
    text = "#" * (LOOKED_AT - 1) + "é"
    assert decode(text.encode()) == text


@pytest.mark.parametrize("content", [b"", b"\x00", b"\xff", b"\x00\x00\x00\x00", b"\n\x00\x00\n"])
def test_any_bytes_are_text(content: bytes) -> None:
    """Decoding never fails."""
    assert isinstance(decode(content), str)


def test_utf_16_is_measured() -> None:
    """A file in UTF-16 has the same measures as in UTF-8."""
    keys = ("ncloc", "comment_lines", "lines", "statements")
    assert measured(TEXT.encode("utf-16"), *keys) == measured(TEXT, *keys) == (1, 1, 3, 1)


@pytest.mark.parametrize(
    ("text", "ends"), [("", 0), ("\n", 1), ("\r\n", 1), ("\r\r\n\n", 3), ("\u2028\x0b", 0)]
)
def test_line_ends(text: str, ends: int) -> None:
    """Only line feed, carriage return and the pair of both end a line."""
    assert line_ends(text) == ends
