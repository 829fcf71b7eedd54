"""Whether what is quoted is there: quotations found in a judge's words, and looked up in a text."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

How = Literal["exact", "normalised", "elided"]

LONGEST = 2_000
_QUOTES = str.maketrans(
    {
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u300c\u300d\u300e\u300f\uff02", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u00b4\uff07", "'"),
        "\u2026": "...",
    }
)
_PAIRS = (
    r"```[^\n`]*\n(?P<block>.*?)\n?[ \t]*```",
    r"(?P<ticks>`+)(?P<code>[^`\n]+)(?P=ticks)",
    r'(?<!\w)"(?P<straight>[^"\n]+)"',
    r"[\u201c\u201e](?P<curly>[^\u201c\u201d\u201e\n]+)[\u201c\u201d]",
    r"\u00ab(?P<angle>[^\u00ab\u00bb\n]+)\u00bb",
    r"\u300c(?P<corner>[^\u300c\u300d\n]+)\u300d",
    r"\u300e(?P<double>[^\u300e\u300f\n]+)\u300f",
    r"(?<!\w)[\u2018](?P<single>[^\u2018\u2019\n]+)\u2019(?!\w)",
    r"(?<!\w)'(?P<apostrophe>[^'\n]+)'(?!\w)",
)
_QUOTATION = re.compile("|".join(_PAIRS), re.DOTALL)
_ELLIPSIS = re.compile(r"\s*[\[(]?\.{3,}[\])]?\s*")


@dataclass(frozen=True)
class QuotePlace:
    """Where a quote begins: its line (from 1), and how alike it is.

    ``exact``: letter by letter. ``normalised``: equal but for white space, case, kinds of quotation marks
    and composed accents. ``elided``: its parts, between ellipses, are there in their order.
    """

    line: int
    how: How


@dataclass(frozen=True)
class CheckedQuote:
    """A quote and the text that holds it; ``where`` is "" and ``place`` None where none does."""

    quote: str
    where: str
    place: QuotePlace | None


@dataclass(frozen=True)
class _Folded:
    """A text with white space, case, quotes and ellipses made alike, and where its lines begin in it."""

    text: str
    starts: tuple[int, ...]
    lines: tuple[int, ...]

    def line(self, offset: int) -> int:
        """Return the line (from 1) of the text as it was that an offset lies in."""
        return self.lines[bisect_right(self.starts, offset) - 1]


class Quotable:
    """A text that quotes are looked up in; a diff also as it reads without its first column."""

    def __init__(self, text: str, *, diff: bool = False) -> None:
        self._texts = [text]
        if diff:
            self._texts.append("\n".join(line[1:] for line in text.split("\n")))

    @cached_property
    def _folded(self) -> list[_Folded]:
        return [_folded(text) for text in self._texts]

    def find(self, quote: str) -> QuotePlace | None:
        """Return where a quote is, or None; an identifier inside a longer one is not it.

        Quotation marks and ellipses around the quote, and white space at its ends, are not part of it.
        """
        bare = quote.strip()
        for text in self._texts:
            at = _whole_words(bare, text, 0)
            if at >= 0:
                return QuotePlace(text.count("\n", 0, at) + 1, "exact")
        parts = _parts(bare)
        for folded in self._folded if parts else ():
            at = _in_order(parts, folded.text)
            if at >= 0:
                return QuotePlace(folded.line(at), "normalised" if len(parts) == 1 else "elided")
        return None


def find_quote(quote: str, text: str) -> QuotePlace | None:
    r"""Return where a quote is in a text, or None.

    >>> find_quote("A  CAUSA “raiz” …", 'Primeiro.\nTrata a causa "raiz" do erro.')
    QuotePlace(line=2, how='normalised')
    >>> find_quote("cau", "a causa") is None
    True
    """
    return Quotable(text).find(quote)


def quotations(text: str, *, limit: int = 40) -> tuple[str, ...]:
    """Return what a text sets between quotation marks or backticks, each once, in order, at most ``limit``.

    An apostrophe inside a word opens nothing. One single letter or sign is no quotation.
    """
    found: dict[str, None] = {}
    for match in _QUOTATION.finditer(text):
        inside = next(v for k, v in match.groupdict().items() if v is not None and k != "ticks").strip()
        if 2 <= len(inside) <= LONGEST:
            found.setdefault(inside)
        if len(found) >= limit:
            break
    return tuple(found)


def check_quotes(quotes: Iterable[str], texts: Mapping[str, Quotable]) -> tuple[CheckedQuote, ...]:
    """Return each quote with the first of the named texts that holds it, in the order of the quotes."""
    return tuple(_checked(quote, texts) for quote in quotes)


def _checked(quote: str, texts: Mapping[str, Quotable]) -> CheckedQuote:
    for name, text in texts.items():
        place = text.find(quote)
        if place is not None:
            return CheckedQuote(quote, name, place)
    return CheckedQuote(quote, "", None)


def _alike(line: str) -> str:
    """Return a line with white space, case, quotes, ellipses and composed accents made alike."""
    return " ".join(unicodedata.normalize("NFC", line).translate(_QUOTES).casefold().split())


def _folded(text: str) -> _Folded:
    """Return a text as one line of words, with the line that each part of it came from."""
    pieces, starts, lines, at = [], [], [], 0
    for number, line in enumerate(text.split("\n"), start=1):
        piece = _alike(line)
        if piece:
            pieces.append(piece)
            starts.append(at)
            lines.append(number)
            at += len(piece) + 1
    return _Folded(" ".join(pieces), tuple(starts), tuple(lines))


def _parts(quote: str) -> list[str]:
    """Return a quote's folded parts between ellipses, without marks around it."""
    folded = _alike(quote.replace("\n", " ")).strip("\"'` ")
    return [part for part in (piece.strip("\"'` ") for piece in _ELLIPSIS.split(folded)) if part]


def _in_order(parts: list[str], text: str) -> int:
    """Return where the first part begins with the others after it in order, or -1."""
    first = -1
    at = 0
    for part in parts:
        found = _whole_words(part, text, at)
        if found < 0:
            return -1
        first = found if first < 0 else first
        at = found + len(part)
    return first


def _whole_words(quote: str, text: str, start: int) -> int:
    """Return where a quote begins that neither begins nor ends inside a word, or -1."""
    at = text.find(quote, start) if quote else -1
    while at >= 0:
        end = at + len(quote)
        cut_before = at > 0 and _in_word(text[at - 1]) and _in_word(quote[0])
        cut_after = end < len(text) and _in_word(text[end]) and _in_word(quote[-1])
        if not cut_before and not cut_after:
            return at
        at = text.find(quote, at + 1)
    return -1


def _in_word(letter: str) -> bool:
    """Tell whether a letter is part of a word that spaces bound; Chinese and Japanese words have none."""
    return (letter.isalnum() or letter == "_") and ord(letter) < 0x2E80
