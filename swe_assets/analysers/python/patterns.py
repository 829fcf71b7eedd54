"""Patterns of `case`, without recursion: open brackets lie on a stack."""

from swe_assets.analysers.python.clauses import Clauses
from swe_assets.analysers.python.tokens import F_START, NAMES, NUMBER, STRING, T_START

_CLOSERS = {"(": ")", "[": "]", "{": "}", "CLASS": ")"}


class _Open:
    """A bracket that is open inside a pattern."""

    __slots__ = ("commas", "keywords", "kind", "rest", "starred")

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.commas = 0
        self.keywords = self.starred = self.rest = False


class PatternReader:
    """Reads the patterns of one file, moving its parser on."""

    def __init__(self, parser: Clauses) -> None:
        self.parser = parser
        self.kinds = parser.kinds

    def read(self) -> None:
        """Read what stands between `case` and its guard or colon."""
        stack = [_Open("TOP")]
        self._element(stack)
        while stack:
            while self._closed_pattern(stack):
                pass
            self._ends(stack)

    def _element(self, stack: list[_Open]) -> None:
        """Read what may come before a pattern proper: a star, a key, a keyword."""
        top = stack[-1]
        kind = self.kinds[self.parser.i]
        top.starred = False
        if kind == "*" and top.kind in ("TOP", "(", "["):
            self.parser.i += 1
            top.starred = True
            if self.kinds[self.parser.i] not in NAMES:
                raise self.parser.refuse()
        elif top.kind == "{":
            self._key(top)
        elif top.kind == "CLASS":
            self._keyword(top)

    def _key(self, top: _Open) -> None:
        if self.kinds[self.parser.i] == "**":
            self.parser.i += 1
            top.rest = True
            if self.kinds[self.parser.i] not in NAMES:
                raise self.parser.refuse()
            return
        start = self.parser.i
        if self.kinds[start] in NAMES:
            self._dotted()
            if self.parser.i == start + 1 and self._text(start) not in ("True", "False"):
                raise self.parser.refuse("a mapping pattern's key is a literal or a dotted name")
        else:
            self._literal()
        self.parser.expect(":")

    def _keyword(self, top: _Open) -> None:
        if self.kinds[self.parser.i] in NAMES and self.kinds[self.parser.i + 1] == "=":
            self.parser.i += 2
            top.keywords = True
        elif top.keywords:
            raise self.parser.refuse("positional patterns follow keyword patterns")

    def _closed_pattern(self, stack: list[_Open]) -> bool:
        """Read one closed pattern; True when it opened a bracket whose first element comes next."""
        top, kind = stack[-1], self.kinds[self.parser.i]
        if kind in NAMES:
            return self._name_pattern(stack)
        if top.starred or top.rest:
            raise self.parser.refuse()
        if kind in ("(", "[", "{"):
            return self._opens(stack, kind)
        self._literal()
        return False

    def _name_pattern(self, stack: list[_Open]) -> bool:
        if stack[-1].starred or stack[-1].rest:
            self.parser.i += 1
            return False
        self._dotted()
        return self.kinds[self.parser.i] == "(" and self._opens(stack, "CLASS")

    def _opens(self, stack: list[_Open], kind: str) -> bool:
        self.parser.i += 1
        if self.kinds[self.parser.i] == _CLOSERS[kind]:
            self.parser.i += 1
            return False
        stack.append(_Open(kind))
        self._element(stack)
        return True

    def _ends(self, stack: list[_Open]) -> None:
        """Go on after a closed pattern until another one is wanted or the whole is done."""
        while stack:
            top, kind = stack[-1], self.kinds[self.parser.i]
            if kind in ("|", "as") and not (top.starred or top.rest):
                self.parser.i += 1
                if kind == "|":
                    return
                self.parser.name()
            elif kind == ",":
                if self._comma(stack):
                    return
            else:
                self._pop(stack)

    def _comma(self, stack: list[_Open]) -> bool:
        """Step over a comma; True when another element follows."""
        top = stack[-1]
        self.parser.i += 1
        top.commas += 1
        if self.kinds[self.parser.i] == _CLOSERS.get(top.kind):
            return False
        if top.kind == "TOP" and self.kinds[self.parser.i] in (":", "if"):
            return False
        if top.rest:
            raise self.parser.refuse()
        self._element(stack)
        return True

    def _pop(self, stack: list[_Open]) -> None:
        """Close the innermost bracket; a lone starred pattern in round ones, or bare, lacks its comma."""
        top = stack.pop()
        if top.starred and not top.commas and top.kind in ("TOP", "("):
            raise self.parser.refuse()
        if top.kind != "TOP":
            self.parser.expect(_CLOSERS[top.kind])

    def _dotted(self) -> None:
        self.parser.name()
        while self.kinds[self.parser.i] == ".":
            self.parser.i += 1
            self.parser.name()

    def _literal(self) -> None:
        kind = self.kinds[self.parser.i]
        if kind == "None":
            self.parser.i += 1
        elif kind in (STRING, F_START, T_START):
            self._string_literal()
        else:
            self._signed_number()
            if self.kinds[self.parser.i] in ("+", "-"):
                self.parser.i += 1
                self.parser.expect(NUMBER)

    def _signed_number(self) -> None:
        if self.kinds[self.parser.i] == "-":
            self.parser.i += 1
        self.parser.expect(NUMBER)

    def _string_literal(self) -> None:
        """Read strings; SonarQube measures nothing inside those of a pattern."""
        then = self.parser.tally.snapshot()
        self.parser.strings_alone()
        self.parser.tally.restore(then)

    def _text(self, index: int) -> str:
        start = self.parser.tokens.starts[index]
        return self.parser.tokens.text[start : start + 6].split(":")[0].rstrip()
