"""Text that tries to steer its judge, flagged: the flag is data beside a verdict and never changes one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from swe_assets.judging.folded_text import folded
from swe_assets.judging.injection_patterns import HIDDEN, PATTERNS
from swe_assets.llm.plain_text import excerpt

LOOKED_AT = 400_000
"""Characters looked at: three quarters from the head of a text and one from its tail, so that whatever a
judge is shown of it is among them."""

EXCERPT = 160


@dataclass(frozen=True)
class Suspicion:
    """A place where a text seems to speak to its judge.

    ``line``: 1-based. ``pattern``: the kind of phrase (a name of injection_patterns, or hidden_characters).
    ``excerpt``: the place, on one line of at most 160 characters, with invisible characters spelled out.
    """

    line: int
    pattern: str
    excerpt: str


def suspicions(text: str, *, limit: int = 20) -> tuple[Suspicion, ...]:
    """Return where a text seems to speak to its judge: by line, once a kind and line, at most ``limit``.

    Looked for in Portuguese, English and Chinese, in prose, code, comments and docstrings alike, also across
    lines and under disguise: orders to set the rubric aside, asked-for grades, words to the judge, role
    markers, forged fences, forged verdicts, hidden characters. The time is linear in LOOKED_AT characters.

    False alarms, measured: 0 of the 500 gold patches, 0 of the 500 test patches and 0 of the 500 problem
    statements of SWE-bench Verified, 0 of 650 patches of three public submissions, 0 of 500 word problems
    of MGSM in English and Chinese. What it misses is unknown: a new phrase, another language, a picture
    of words or an encoding (base64) is not found.
    """
    found: dict[tuple[int, str], Suspicion] = {}
    for first_line, part in _parts(text):
        for line, pattern, near in _matches(part, limit):
            at = first_line + line
            found.setdefault((at, pattern), Suspicion(at, pattern, near))
    return tuple(found[place] for place in sorted(found))[:limit]


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text that are looked at, each with the number of its first line."""
    if len(text) <= LOOKED_AT:
        yield 1, text
        return
    head, tail = LOOKED_AT - LOOKED_AT // 4, LOOKED_AT // 4
    yield 1, text[:head]
    yield 1 + text.count("\n", 0, len(text) - tail), text[-tail:]


def _matches(text: str, limit: int) -> Iterator[tuple[int, str, str]]:
    """Yield the matches in a text: its line counted from 0, the pattern's name, an excerpt."""
    plain = folded(text)
    lines: list[str] | None = None
    for name, pattern in PATTERNS.items():
        for line, start, end in islice(_first_of_each_line(pattern, plain), limit):
            lines = lines if lines is not None else text.split("\n")
            yield line, name, _near(lines[line], plain, start, end)
    for line, start, _ in islice(_first_of_each_line(HIDDEN, text), limit):
        yield line, "hidden_characters", excerpt(text[start:][:EXCERPT], EXCERPT)


def _first_of_each_line(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int, int]]:
    """Yield line (from 0), start and end of each match that is the first of its line."""
    line, before, last = 0, 0, -1
    for match in pattern.finditer(text):
        start = match.end() - len(match.group().lstrip())
        line, before = line + text.count("\n", before, start), start
        if line != last:
            last = line
            yield line, start, match.end()


def _near(line: str, plain: str, start: int, end: int) -> str:
    """Return the line as written where it is short, else what the pattern matched with some words around."""
    around = line.strip() if len(line) <= EXCERPT else plain[max(0, start - 40) : end + 40]
    return excerpt(around, EXCERPT)
