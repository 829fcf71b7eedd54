"""Text made safe to show, store and send: nothing invisible, nothing that UTF-8 cannot hold."""

import re

_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 and C1 controls but tab and newline
    "\u200b\u2028-\u202e\u2060-\u2069"  # zero width space, line, bidi and format controls
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"  # surrogates, BOM, interlinear marks, tags
)


def visible(text: str) -> str:
    r"""Return ``text`` with line ends as ``\n`` and each invisible character spelled out as ``⟨U+0000⟩``.

    Bidirectional controls and tag characters can hide instructions from a person while a model reads them
    (Boucher and Anderson, Trojan Source, arXiv:2111.00169).

    >>> visible("a\x00b\r\nc")
    'a⟨U+0000⟩b\nc'
    """
    return _INVISIBLE.sub(lambda found: f"⟨U+{ord(found.group()):04X}⟩", text.replace("\r\n", "\n"))


def excerpt(text: str, limit: int = 300) -> str:
    """Return ``text`` on one line and at most ``limit`` characters long, fit for a message or a log."""
    line = visible(text[: limit * 4].replace("\n", " "))
    return line if len(line) <= limit else line[: limit - 1] + "…"
