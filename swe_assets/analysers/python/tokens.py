"""The tokens of one source text, held as parallel lists, and the error that says where they end."""

from dataclasses import dataclass, field

NAME, NUMBER, STRING = "NAME", "NUMBER", "STRING"
NEWLINE, INDENT, DEDENT, EOF = "NEWLINE", "INDENT", "DEDENT", "EOF"
F_START, T_START, F_TEXT, F_END = "F_START", "T_START", "F_TEXT", "F_END"
FIELD_OPEN, FIELD_CLOSE, FIELD_FORMAT = "F{", "F}", "F:"

LAYOUT = frozenset({NEWLINE, INDENT, DEDENT, EOF})
"""Kinds that take no line of code."""

_RESERVED = """None and as assert break class continue def del elif else except finally for from global if
import in is lambda nonlocal not or pass raise return try while with yield"""
KEYWORDS = frozenset(_RESERVED.split())
"""Words that can never be a name; True, False, print and exec are names here."""

SOFT_WORDS = frozenset({"print", "exec", "async", "await", "match", "case", "type"})
"""Names that open a construct of their own in some places."""

NAMES = SOFT_WORDS | {NAME}
"""Kinds of tokens that are names."""


class RefusedError(Exception):
    """The source cannot be read as Python; says where and why."""

    def __init__(self, line: int, column: int, why: str) -> None:
        super().__init__(f"line {line}, column {column}: {why}")


@dataclass(slots=True)
class Tokens:
    """All tokens of a text; `kinds[i]`, `starts[i]` (offset) and `lines[i]` (from 1) belong together.

    A keyword or an operator is its own kind. `extents` holds, for tokens over several lines, how many lines
    follow the first: by line feeds alone, and by any line end. `comments` holds the pairs (index of the
    token a comment hangs on, its line) of those comments that count.
    """

    text: str
    kinds: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    extents: dict[int, tuple[int, int]] = field(default_factory=dict)
    comments: list[tuple[int, int]] = field(default_factory=list)

    def refuse(self, index: int, why: str) -> RefusedError:
        """Build the error for the token at `index`."""
        start = self.starts[index]
        before = max(self.text.rfind("\n", 0, start), self.text.rfind("\r", 0, start))
        return RefusedError(self.lines[index], start - before, why)

    def code_lines(self, left_out: set[int]) -> set[int]:
        """Return the lines that hold a token, layout and the tokens left out aside."""
        pairs = zip(self.kinds, self.lines, strict=True)
        if left_out:
            pairs = (pair for i, pair in enumerate(pairs) if i not in left_out)  # type: ignore[assignment]  # an iterator too
        lines = {line for kind, line in pairs if kind not in LAYOUT}
        for index, (more, _) in self.extents.items():
            first = self.lines[index]
            lines.update(range(first + 1, first + more + 1))
        return lines
