r"""The literal parts of f-strings and t-strings, by SonarQube's rules.

A field opens at `{`, unless it is doubled, escaped by a backslash (raw strings aside) or follows `\N`; any
quote may stand inside, as PEP 701 allows. The text of a format ends at `}` only.
"""

import re
import sys
from typing import NamedTuple

STARTS = r"(?:[fFtT][rR]?|[rR][fFtT])(?:\"\"\"|'''|\"|')"
"""Regular expression of an opening: prefix and quotes."""


class Mode(NamedTuple):
    """What the lexer is inside of: a string (body), a format (neither) or a field (brackets)."""

    body: re.Pattern[str] | None
    brackets: int
    quote: str = ""


def repeated(choices: str) -> str:
    """Return a pattern that takes as many of the choices as there are, and gives none back.

    Before 3.11.5 Python matches a possessive group wrongly (gh-106052); an atomic one takes the same text,
    with 160 bytes of memory for each choice taken.
    """
    return rf"(?:{choices})*+" if sys.version_info >= (3, 11, 5) else rf"(?>(?:{choices})*)"


def _body(quote: str, *, raw: bool) -> re.Pattern[str]:
    first = quote[0]
    inner = rf"|{first}(?!{first}{first})" if len(quote) == 3 else ""
    backslash = r"\\[\\\"']|\\(?![\\\"'])" if raw else r"\\."
    return re.compile(
        repeated(rf"[^\\{{}}{first}]++|{backslash}|\{{\{{|\}}\}}?|(?<=\\N)\{{{inner}"), re.DOTALL
    )


BODIES = {(quote, raw): _body(quote, raw=raw) for quote in ('"', "'", '"""', "'''") for raw in (False, True)}
"""Patterns of the literal text of a string, by its quotes and whether it is raw."""

FORMAT_BODY = re.compile(repeated(r"[^{}]++|(?<=\\N)\{"), re.DOTALL)
"""Pattern of the literal text of a format."""
