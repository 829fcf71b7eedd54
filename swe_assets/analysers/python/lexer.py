"""Text to tokens by SonarQube's lexical rules, which are wider than CPython's.

What differs from CPython: every character outside ASCII belongs to a name; a string in single quotes may run
over lines; a tab goes to the next multiple of eight; a dedent to a column that was never opened is allowed;
a form feed at the start of a line is column 0; octals like 0777 and long integers are numbers.
"""

import re
from collections.abc import Callable

from swe_assets.analysers.python.fstrings import BODIES, FORMAT_BODY, STARTS, Mode, repeated
from swe_assets.analysers.python.tokens import (
    DEDENT,
    EOF,
    F_END,
    F_START,
    F_TEXT,
    FIELD_CLOSE,
    FIELD_FORMAT,
    FIELD_OPEN,
    INDENT,
    KEYWORDS,
    NAME,
    NEWLINE,
    NUMBER,
    SOFT_WORDS,
    STRING,
    T_START,
    Tokens,
)

_WORD = r"[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff]*+"
_EXPONENT = r"(?:[Ee][+-]?[0-9_]+)"
_DIGITS = r"[0-9]+(?:_?[0-9])*"
_NUMBER = (
    rf"{_DIGITS}\.[0-9]*(?:_?[0-9])*{_EXPONENT}?[jJ]?|\.{_DIGITS}{_EXPONENT}?[jJ]?|{_DIGITS}{_EXPONENT}[jJ]?"
    rf"|{_DIGITS}[jJ]|0[oO]?(?:_?[0-7])+[lL]?|0[xX](?:_?[0-9a-fA-F])+[lL]?|0[bB](?:_?[01])+[lL]?"
    r"|[1-9](?:_?[0-9])*[lL]?|0(?:_?0)*[lL]?"
)
_TWICE = repeated(r'[^"\\]++|\\.')
_ONCE = repeated(r"[^'\\]++|\\.")
_THRICE_TWICE = repeated(r'[^"\\]++|\\.|"(?!"")')
_THRICE_ONCE = repeated(r"[^'\\]++|\\.|'(?!'')")
_STRING = (
    rf'[rRuUbB]{{0,2}}(?:"""{_THRICE_TWICE}"""|' + rf"'''{_THRICE_ONCE}'''|"
    rf'"(?!""){_TWICE}"|' + rf"'(?!''){_ONCE}')"
)
_TOKEN = re.compile(
    r"[ \t\f\x0b]*(?:"
    rf"({_WORD})(?![\"'])"
    r"|(\*\*=?|//=?|>>=?|<<=?|<>|!=|:=?|\.(?![0-9])|[-+*/%&|^@=<>]=?|[~,;`])"
    r"|([(\[{])|([)\]}])|(\r\n|\n|\r)|(#[^\n\r]*)"
    rf"|({_STRING})|({STARTS})|({_WORD})|({_NUMBER})"
    r"|(\\(?:\r\n|\n|\r))|(\Z)|(.))",
    re.DOTALL,
)
_JOINED = re.compile("[\t\n\x0b\f\r\x1c-\x1f \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]+")
_INDENT = re.compile(r"[ \t]*")
_BLANK = frozenset(("", "\n", "\r", "#"))
_TWO_ENDS = re.compile(r"\\(?:\r\n\r\n|\n\n)")
_KINDS = {word: word for word in KEYWORDS | SOFT_WORDS}


def tokenise(text: str) -> Tokens:
    """Split a text into tokens; raises RefusedError where a literal never ends."""
    return _Lexer(text).run()


class _Lexer:
    """The state of one pass over a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.out = Tokens(text)
        self.position, self.line = 0, 1
        self.brackets = 0
        self.line_start = True
        self.levels = [0]
        self.modes: list[Mode] = []

    def run(self) -> Tokens:
        """Make every token, one regular-expression match each."""
        match, text, kinds = _TOKEN.match, self.text, self.out.kinds
        starts, lines, kind_of = self.out.starts, self.out.lines, _KINDS.get
        handlers = self._handlers()
        while True:
            if self.line_start:
                self._indentation()
            found = match(text, self.position)
            assert found is not None  # noqa: S101 - the last alternatives match anything
            group = found.lastindex or 0
            if group in (1, 9):
                kinds.append(kind_of(found[group], NAME))
            elif group == 2 and not self.modes:
                kinds.append(found[2])
            elif group == 10:
                kinds.append(NUMBER)
            elif group == 12:
                return self._finish()
            else:
                handlers[group](found)
                continue
            starts.append(found.start(group))
            lines.append(self.line)
            self.position = found.end()

    def _handlers(self) -> dict[int, Callable[[re.Match[str]], None]]:
        return {
            2: self._operator,
            3: self._open,
            4: self._close,
            5: self._line_end,
            6: self._comment,
            7: self._string,
            8: self._fstring,
            11: self._backslash,
            13: self._unknown,
        }

    def _add(self, kind: str, start: int, end: int) -> None:
        """Append a token and move behind it, counting its line ends."""
        out = self.out
        out.kinds.append(kind)
        out.starts.append(start)
        out.lines.append(self.line)
        feeds = self.text.count("\n", start, end)
        ends = feeds + self._returns(start, end)
        if ends:
            out.extents[len(out.kinds) - 1] = (feeds, ends)
            self.line += ends
        self.position = end

    def _returns(self, start: int, end: int) -> int:
        """Count carriage returns that are a line end of their own."""
        returns = self.text.count("\r", start, end)
        return returns - self.text.count("\r\n", start, end) if returns else 0

    def _operator(self, found: re.Match[str]) -> None:
        """Take an operator inside an f-string field, where a colon at its depth opens the format."""
        start = found.start(2)
        if found[2][0] == ":" and self.modes[-1].brackets == self.brackets:
            self._add(FIELD_FORMAT, start, start + 1)
            self.modes.append(Mode(None, 0))
            self._fstring_text()
        else:
            self._add(found[2], start, found.end())

    def _open(self, found: re.Match[str]) -> None:
        self.brackets += 1
        self._add(found[3], found.start(3), found.end())

    def _close(self, found: re.Match[str]) -> None:
        self.brackets -= 1
        if found[4] == "}" and self.modes and self.modes[-1].brackets - 1 == self.brackets:
            self._add(FIELD_CLOSE, found.start(4), found.end())
            self.modes.pop()
            self._fstring_text()
        else:
            self._add(found[4], found.start(4), found.end())

    def _line_end(self, found: re.Match[str]) -> None:
        """End a logical line, or join lines inside brackets."""
        start = found.start(5)
        if self.brackets > 0:
            joined = _JOINED.match(self.text, start)
            assert joined is not None  # noqa: S101 - it matches a line end
            self.line += self.text.count("\n", start, joined.end()) + self._returns(start, joined.end())
            self.position = joined.end()
            return
        kinds = self.out.kinds
        if kinds and kinds[-1] != NEWLINE:
            kinds.append(NEWLINE)
            self.out.starts.append(start)
            self.out.lines.append(self.line)
        self.line += 1
        self.position = found.end()
        self.line_start = True

    def _comment(self, found: re.Match[str]) -> None:
        comment = found[6]
        if "NOSONAR" not in comment and _says_something(comment):
            self.out.comments.append((len(self.out.kinds), self.line))
        self.position = found.end()

    def _string(self, found: re.Match[str]) -> None:
        self._add(STRING, found.start(7), found.end())

    def _backslash(self, found: re.Match[str]) -> None:
        """Join two physical lines, unless the second is empty and so ends the logical line."""
        start = found.start(11)
        if _TWO_ENDS.match(self.text, start):
            self.position = start + 1
            return
        self.line += 1
        self.position = found.end()
        following = _TOKEN.match(self.text, self.position)
        if following is not None and following.start(5) == self.position and self.brackets <= 0:
            self._line_end(following)
            self.line_start = False

    def _unknown(self, found: re.Match[str]) -> None:
        """Take the mark of a conversion; no other stray character has a place in the grammar."""
        self._add(found[13], found.start(13), found.end())
        if found[13] != "!":
            raise self.out.refuse(-1, f"unexpected character {found[13]!r}")

    def _indentation(self) -> None:
        """Open or close blocks at the start of a logical line that is not blank."""
        self.line_start = False
        start = self.position
        white = _INDENT.match(self.text, start)
        end = white.end() if white else start
        if self.text[end : end + 1] in _BLANK:
            return
        level = end - start if "\t" not in self.text[start:end] else _columns(self.text[start:end])
        if level > self.levels[-1]:
            self.levels.append(level)
            self._add(INDENT, start, end)
        while level < self.levels[-1]:
            self.levels.pop()
            self._add(DEDENT, start, end)
        self.position = end

    def _fstring(self, found: re.Match[str]) -> None:
        """Open an f-string or a t-string."""
        opening = found[8]
        prefix = opening.rstrip("\"'").lower()
        self._add(T_START if "t" in prefix else F_START, found.start(8), found.end())
        self.modes.append(Mode(BODIES[opening[len(prefix) :], "r" in prefix], 0, opening[len(prefix) :]))
        self._fstring_text()

    def _fstring_text(self) -> None:
        """Take literal text up to the next field, the end of the string or the end of a format."""
        mode = self.modes[-1]
        body = (mode.body or FORMAT_BODY).match(self.text, self.position)
        if body is not None and body.end() > self.position:
            self._add(F_TEXT, self.position, body.end())
        here = self.position
        if self.text.startswith("{", here):
            self.brackets += 1
            self._add(FIELD_OPEN, here, here + 1)
            self.modes.append(Mode(None, self.brackets))
        elif mode.body is None and self.text.startswith("}", here):
            self.modes.pop()
        elif mode.body is not None and self.text.startswith(mode.quote, here):
            self.modes.pop()
            self._add(F_END, here, here + len(mode.quote))
        else:
            self._add(EOF, len(self.text), len(self.text))
            raise self.out.refuse(-1, "an f-string never ends")

    def _finish(self) -> Tokens:
        """Close all blocks; a comment after the last token hangs on nothing that is measured."""
        out = self.out
        while out.comments and out.comments[-1][0] == len(out.kinds):
            out.comments.pop()
        for _ in self.levels[1:]:
            self._add(DEDENT, len(self.text), len(self.text))
        self._add(EOF, len(self.text), len(self.text))
        return out


def _columns(white: str) -> int:
    """Return the column that blanks and tabs lead to, a tab to the next multiple of eight."""
    level = 0
    for character in white:
        level += 8 - level % 8 if character == "\t" else 1
    return level


def _says_something(comment: str) -> bool:
    """Tell whether a comment holds a letter or a decimal digit of the basic plane."""
    return any((c.isalpha() or c.isdecimal()) and c < "\U00010000" for c in comment)
