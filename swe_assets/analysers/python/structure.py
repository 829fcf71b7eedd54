"""The eight structural measures of one Python source, equal to SonarQube 25.11's."""

from dataclasses import dataclass, field

from swe_assets.analysers.python.decoding import decode, line_ends
from swe_assets.analysers.python.lexer import tokenise
from swe_assets.analysers.python.statements import Statements
from swe_assets.analysers.python.tokens import RefusedError

GRAMMAR = "sonar-python 5.x as of 2025-10, reading 1"
"""The grammar that is followed, and the version of this reading of it; part of a record's provenance."""


@dataclass(frozen=True)
class Structure:
    """What could be measured: all eight keys, or only `lines` beside the reason it does not parse."""

    measures: dict[str, int] = field(default_factory=dict)
    reason: str | None = None


def measure_structure(content: bytes) -> Structure:
    """Measure the bytes of one source file; time and memory grow with its length, whatever its nesting."""
    text = decode(content)
    lines = line_ends(text) + 1
    try:
        parser = Statements(tokenise(text))
        parser.file()
    except RefusedError as refusal:
        return Structure({"lines": lines}, f"no longer parses: {refusal}")
    return Structure({**_measures(parser), "lines": lines})


def _measures(parser: Statements) -> dict[str, int]:
    tokens, tally, left_out = parser.tokens, parser.tally, parser.left_out
    code = tokens.code_lines(left_out)
    comments = {line for index, line in tokens.comments if index not in left_out}
    return {
        "complexity": tally.complexity,
        "cognitive_complexity": tally.scope.fixed,
        "ncloc": len(code - parser.docstring_lines),
        "comment_lines": len(comments | parser.docstring_lines),
        "statements": tally.statements,
        "functions": tally.functions,
        "classes": tally.classes,
    }
