"""Simple statements of Python 2 and 3, in the order SonarQube's grammar tries them."""

from collections.abc import Callable

from swe_assets.analysers.python.clauses import Clauses
from swe_assets.analysers.python.expressions import EXPRESSION_STARTS, LIMIT_BITS
from swe_assets.analysers.python.tokens import (
    DEDENT,
    EOF,
    F_END,
    F_START,
    NAMES,
    NEWLINE,
    STRING,
    T_START,
    RefusedError,
    Tokens,
)

_AUGMENTED = frozenset(("+=", "-=", "*=", "/=", "//=", "%=", "**=", ">>=", "<<=", "&=", "^=", "|=", "@="))


class SimpleStatements(Clauses):
    """Adds simple statements, several of which may share a line."""

    def __init__(self, tokens: Tokens) -> None:
        super().__init__(tokens)
        self.docstring_lines: set[int] = set()
        self._simple: dict[str, Callable[[], None]] = {
            "pass": self._word,
            "break": self._jump,
            "continue": self._jump,
            "del": self._del,
            "return": self._return,
            "yield": self._yield,
            "raise": self._raise,
            "assert": self._assert,
            "import": self._import,
            "from": self._from,
            "global": self._global,
            "nonlocal": self._nonlocal,
            "print": self._print,
            "exec": self._exec,
            "type": self._type,
        }

    def simple_line(self, *, first_of_body: bool) -> None:
        """Read the simple statements of one logical line."""
        while True:
            self.note_statement()
            read = self._simple.get(self.kinds[self.i])
            if read is not None:
                read()
            else:
                self._expression_statement(first_of_body=first_of_body)
            first_of_body = False
            if self.kinds[self.i] == ";":
                self.i += 1
                if self.kinds[self.i] not in (NEWLINE, EOF, DEDENT):
                    continue
            break
        if self.kinds[self.i] == NEWLINE:
            self.i += 1
        elif self.kinds[self.i] not in (EOF, DEDENT):
            raise self.refuse()

    def note_statement(self) -> None:
        """Be told that a statement begins; blocks know whose body it is in."""

    def note_plain_return(self) -> None:
        """Be told that the statement returns a bare name."""

    def check_jump(self, kind: str) -> None:
        """Be told of break, continue or return; blocks know where they may not stand."""

    def _count(self) -> None:
        self.tally.statements += 1

    def _word(self) -> None:
        self._count()
        self.i += 1

    def _jump(self) -> None:
        self.check_jump(self.kinds[self.i])
        self._word()

    def _expression_statement(self, *, first_of_body: bool = False) -> None:
        """Read an expression, an assignment of any kind, or an annotation, which is no statement here."""
        start = self.i
        commas = self.listed()
        end, kind = self.i, self.kinds[self.i]
        if kind == ":":
            self._annotated()
            return
        self._count()
        if kind in _AUGMENTED:
            self.i += 1
            self.value(starred=False)
            return
        while self.kinds[self.i] == "=":
            self.i += 1
            self.value()
        if kind != "=":
            self.left_out.update(commas)
            alone = end - 1 if commas == [end - 1] else end
            if first_of_body and self.strings == (start, alone):
                self._docstring(start, end)

    def _annotated(self) -> None:
        self.i += 1
        self.expression()
        if self.kinds[self.i] == "=":
            self.i += 1
            self.value()

    def _docstring(self, start: int, end: int) -> None:
        """Take the lines of each string of a docstring; of an f-string only the line it opens on."""
        depth = 0
        for index in range(start, end):
            kind = self.kinds[index]
            if not depth and kind in (STRING, F_START, T_START):
                line = self.tokens.lines[index]
                more = self.tokens.extents.get(index, (0, 0))[1]
                self.docstring_lines.update(range(line, line + more + 1))
            depth += (kind in (F_START, T_START)) - (kind == F_END)

    def _del(self) -> None:
        self._word()
        self.left_out.update(self.listed(LIMIT_BITS))

    def _return(self) -> None:
        self.check_jump("return")
        self._word()
        start = self.i
        if self.starts():
            commas = self.listed()
            end = commas[0] if commas else self.i
            if end - start == 1 and self.i - end < 2 and self.kinds[start] in NAMES:
                self.note_plain_return()

    def _yield(self) -> None:
        self._count()
        self.yielded()

    def _raise(self) -> None:
        self._word()
        if not self.starts(starred=False):
            return
        self.expression()
        if self.kinds[self.i] == "from":
            self.i += 1
            self.expression()
            return
        for _ in range(2):
            if self.kinds[self.i] != ",":
                return
            self.leave_out()
            self.expression()

    def _assert(self) -> None:
        self._word()
        self.expression()
        if self.kinds[self.i] == ",":
            self.leave_out()
            self.expression()

    def _global(self) -> None:
        self._count()
        self._nonlocal()

    def _nonlocal(self) -> None:
        self.i += 1
        self.name()
        while self.kinds[self.i] == ",":
            self.leave_out()
            self.name()

    # imports

    def _import(self) -> None:
        self._word()
        self._module()
        while self.kinds[self.i] == ",":
            self.leave_out()
            self._module()

    def _module(self) -> None:
        self.dotted_name()
        self._alias()

    def _alias(self) -> None:
        if self.kinds[self.i] == "as":
            self.i += 1
            self.name()

    def _from(self) -> None:
        """Read `from … import …`; its brackets and commas are not in SonarQube's tree."""
        self._word()
        start = self.i
        while self.kinds[self.i] == ".":
            self.i += 1
        if self.kinds[self.i] in NAMES or self.i == start:
            self.dotted_name()
        self.expect("import")
        if self.kinds[self.i] == "*":
            self.i += 1
            return
        bracket = self.kinds[self.i] == "("
        if bracket:
            self.leave_out()
        self._imported()
        if bracket:
            self.left_out.add(self.i)
            self.expect(")")

    def _imported(self) -> None:
        while True:
            self.name()
            self._alias()
            if self.kinds[self.i] != ",":
                return
            self.leave_out()
            if self.kinds[self.i] not in NAMES:
                return

    # words that are statements only in some places

    def _print(self) -> None:
        """Read the print statement of Python 2, which any `print` without `=` or `(` behind it is."""
        if self.kinds[self.i + 1] in ("=", "("):
            self._expression_statement()
            return
        self._word()
        chevron = self.kinds[self.i] == ">>"
        if chevron:
            self.leave_out()
        elif self.kinds[self.i] not in EXPRESSION_STARTS:
            return
        self.expression()
        commas = 0
        while self.kinds[self.i] == ",":
            self.leave_out()
            commas += 1
            if not self.starts(starred=False):
                break
            self.expression()
        else:
            return
        if chevron and commas == 1:
            self.i -= 1
            raise self.refuse()

    def _exec(self) -> None:
        """Read the exec statement of Python 2, or what only begins with that name."""
        start, then = self.i, self.tally.snapshot()
        if self.kinds[start + 1] != "(":
            try:
                self.i += 1
                self.expression(LIMIT_BITS)
            except RefusedError:
                self.i = start
                self.tally.restore(then)
            else:
                self._exec_where()
                return
        self._expression_statement()

    def _exec_where(self) -> None:
        self._count()
        if self.kinds[self.i] == "in":
            self.i += 1
            self.expression()
            if self.kinds[self.i] == ",":
                self.i += 1
                self.expression()

    def _type(self) -> None:
        """Read a type alias, which is no statement here, or what only begins with that name."""
        if self.kinds[self.i + 1] not in NAMES:
            self._expression_statement()
            return
        self.i += 2
        if self.kinds[self.i] == "[":
            self.type_parameters()
        self.expect("=")
        self.expression()
