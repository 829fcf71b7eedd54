"""What a scanner's log says of files that did not parse, although it ends with exit code 0."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_MARK = re.compile(
    r"^(?:\[[^\]]*\]|[^A-Za-z\[]|(?:ERROR|WARN|WARNING|INFO|DEBUG|T|Z)\b|(?<=\d)T(?=\d))*"
    r"(?:Unable to (?:parse|analy[sz]e)|(?:Could not|Cannot|Can't|Failed to) parse|Pars(?:e|ing) error in)"
    r"(?: the)?(?: source)?(?: file)?\s*:?\s+(?P<named>\S.*)",
    re.IGNORECASE,
)
_NEXT = re.compile(r"\b(?:error|exception)\b.*?\bline:?\s*(\d{1,9})\b", re.IGNORECASE)
_BEHIND = re.compile(
    r"^(?P<path>.*?\.\w+['\"`\]]?)\s*(?:[,:;(]|\bat\b|\bon\b|\bin\b)\s*(?:at\s+|on\s+)?(?:line:?\s*)?(?P<line>\d{1,9})\b(?!\.)",
    re.IGNORECASE,
)
_QUOTED_SOURCE = re.compile(r"\s*(?:\d+:\s|-->)")
"""How the Python analyser begins each line of the source that it quotes below a parse error."""

_ABOUT_PARSING = re.compile(r"\bParse error at line \d")
_QUOTES = {"'": "'", '"': '"', "`": "`", "[": "]"}


@dataclass(frozen=True)
class Unparsed:
    """A file that the analyser could not parse, and the line where it gave up, if the log says so."""

    path: str
    line: int | None = None


def unparsed_in_log(log: str | Iterable[str]) -> tuple[Unparsed, ...]:
    """Return the files that a scanner's log marks as not parsed, each once, in order.

    The Python analyser writes ``Unable to parse file: PATH`` and on the next line ``Parse error at line N
    column M``; other analysers name the line behind the path. A path may hold blanks, commas and any
    letters. Source that is quoted below an error marks nothing, whatever it says.
    """
    told = log.splitlines() if isinstance(log, str) else log
    lines = [line for line in told if not _QUOTED_SOURCE.match(line)]
    found: dict[str, Unparsed] = {}
    for index, text in enumerate(lines):
        hit = _MARK.match(text.rstrip())
        if hit:
            one = _unparsed(hit["named"].rstrip(), lines[index + 1] if index + 1 < len(lines) else "")
            if one.path not in found or found[one.path].line is None:
                found[one.path] = one
    return tuple(found.values())


def is_of_a_file(line: str) -> bool:
    """Tell whether a line of a log is about one file that did not parse, or quotes its source."""
    return any(rule.match(line) for rule in (_QUOTED_SOURCE, _MARK)) or bool(_ABOUT_PARSING.search(line))


def _unparsed(named: str, following: str) -> Unparsed:
    """Return the file of a mark; where it gave up stands in the line after, or behind the path."""
    hit = None if _MARK.match(following) else _NEXT.search(following)
    if hit:
        return Unparsed(_bare(named), int(hit[1]))
    behind = _BEHIND.match(named)
    return Unparsed(_bare(behind["path"]), int(behind["line"])) if behind else Unparsed(_bare(named))


def _bare(path: str) -> str:
    """Return a path without the quotes around it."""
    quoted = len(path) > 1 and _QUOTES.get(path[0]) == path[-1]
    return path[1:-1] if quoted else path
