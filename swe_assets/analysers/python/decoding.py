"""Bytes to text the way SonarQube's scanner picks a charset, with UTF-8 as the project's encoding."""

import codecs

LOOKED_AT = 4192
"""Bytes at the start of a file that decide its charset."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NOT_WINDOWS_1252 = frozenset(b"\x81\x8d\x8f\x90\x9d")


def decode(content: bytes) -> str:
    """Decode source bytes; what the charset cannot read becomes U+FFFD.

    A byte order mark decides first. Then UTF-8, if the start of the file is valid UTF-8 without NUL; then
    UTF-16 by the places of its NULs; then windows-1252. A coding cookie has no say, as in SonarQube.
    """
    for mark, charset in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(charset, "replace")
    if content.isascii() and 0 not in content:
        return content.decode("ascii")
    return content.decode(_charset(content[:LOOKED_AT]), "replace")


def line_ends(text: str) -> int:
    """Count the line ends of a text: line feed, carriage return, or both as one."""
    return text.count("\n") + (text.count("\r") - text.count("\r\n") if "\r" in text else 0)


def _charset(head: bytes) -> str:
    if _is_utf8(head):
        return "utf-8"
    utf16 = _utf16(head)
    if utf16 is not None and _is_valid(head, utf16):
        return utf16
    return "utf-8" if _NOT_WINDOWS_1252.intersection(head) else "windows-1252"


def _is_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, final=False)
    except UnicodeDecodeError:
        return False
    return 0 not in head


def _utf16(head: bytes) -> str | None:
    """Guess the byte order of UTF-16 from NULs beside ASCII and from line ends, or say that it is none."""
    pairs = list(zip(head[::2], head[1::2], strict=False))
    if (0, 0) in pairs or not pairs:
        return None
    big = [low for high, low in pairs if high == 0]
    little = [low for low, high in pairs if high == 0]
    share_big, share_little = len(big) / len(pairs), len(little) / len(pairs)
    ends_big, ends_little = _has_line_end(big), _has_line_end(little)
    if ends_big and ends_little:
        return None
    if ends_big or (not ends_little and share_big >= 0.7 and share_little < 0.1):
        return "utf-16-be"
    if ends_little or (share_little >= 0.7 and share_big < 0.1):
        return "utf-16-le"
    return None


def _has_line_end(values: list[int]) -> bool:
    return 10 in values or 13 in values


def _is_valid(head: bytes, charset: str) -> bool:
    try:
        codecs.getincrementaldecoder(charset)().decode(head, final=False)
    except UnicodeDecodeError:
        return False
    return True
