"""Compound statements and their blocks, kept on a stack so that no nesting is too deep."""

from collections.abc import Callable
from dataclasses import dataclass

from swe_assets.analysers.python.expressions import LIMIT_BITS
from swe_assets.analysers.python.parameters import FIRST, POSITIONAL, SLASH, next_stage
from swe_assets.analysers.python.patterns import PatternReader
from swe_assets.analysers.python.simple import SimpleStatements
from swe_assets.analysers.python.tokens import DEDENT, EOF, INDENT, NAMES, NEWLINE, RefusedError, Tokens

_NESTS = frozenset({"if", "elif", "else", "for", "while", "except", "case"})
_LOOPS = frozenset({"for", "while"})
_DOCUMENTED = frozenset({"module", "class", "def"})


@dataclass(slots=True)
class Block:
    """A body that is open; `owner` is the statement an else belongs to, `group` marks an except*."""

    kind: str
    owner: str = ""
    group: bool = False
    indented: bool = False
    empty: bool = True


class Statements(SimpleStatements):
    """The whole parser: this adds compound statements and files."""

    def __init__(self, tokens: Tokens) -> None:
        super().__init__(tokens)
        self.blocks = [Block("module", indented=True)]
        self._patterns = PatternReader(self)
        self._compound: dict[str, Callable[[], None]] = {
            "if": self._if_statement,
            "while": self._while,
            "for": self._for,
            "try": self._try,
            "with": self._with,
            "def": self._def,
            "class": self._class,
            "@": self._decorated,
        }
        self._continuations: dict[str, Callable[[Block], None]] = {
            "if": self._after_if,
            "elif": self._after_if,
            "for": self._after_loop,
            "while": self._after_loop,
            "try": self._after_try,
            "except": self._after_except,
            "else": self._after_else,
            "def": self._after_scope,
            "class": self._after_scope,
        }

    def file(self) -> None:
        """Read all statements up to the end."""
        kinds = self.kinds
        while True:
            block = self.blocks[-1]
            kind = kinds[self.i]
            if not block.indented:
                self.simple_line(first_of_body=block.kind in _DOCUMENTED)
                self._close_block()
            elif kind == DEDENT and len(self.blocks) > 1:
                self.i += 1
                self._close_block()
            elif block.kind == "match":
                self._case()
            elif block.kind != "module":
                self._statement(block)
            elif kind == EOF:
                return
            elif kind == NEWLINE:
                self.leave_out()
            else:
                self._statement(block)

    def note_statement(self) -> None:
        """Count a statement of a function's own body."""
        if self.blocks[-1].kind == "def":
            self.tally.scope.statements += 1

    def note_plain_return(self) -> None:
        """Count a plain return of a function's own body."""
        if self.blocks[-1].kind == "def":
            self.tally.scope.plain_returns += 1

    def check_jump(self, kind: str) -> None:
        """Refuse a jump out of an except* clause."""
        harmless = ("def",) if kind == "return" else _LOOPS
        for block in reversed(self.blocks):
            if block.group:
                raise self.refuse(f"{kind} cannot appear in an except* block")
            if block.kind in harmless or block.owner in harmless:
                return

    def _statement(self, block: Block) -> None:
        first, block.empty = block.empty and block.kind in _DOCUMENTED, False
        kind = self.kinds[self.i]
        compound = self._compound.get(kind)
        if compound is None and kind == "match" and self._line_ends_with_colon():
            compound = self._match
        if compound is None and kind == "async" and self.kinds[self.i + 1] in ("def", "with", "for"):
            compound = self._async
        if compound is None:
            self.simple_line(first_of_body=first)
        else:
            self.note_statement()
            compound()

    def _line_ends_with_colon(self) -> bool:
        try:
            return self.kinds[self.kinds.index(NEWLINE, self.i) - 1] == ":"
        except ValueError:
            return False

    # blocks

    def _suite(self, kind: str, owner: str = "", *, group: bool = False) -> None:
        """Open the body behind a colon."""
        self.expect(":")
        block = Block(kind, owner, group)
        if self.kinds[self.i] == NEWLINE:
            self.i += 1
            self.expect(INDENT)
            block.indented = True
        self.blocks.append(block)
        if kind in _NESTS:
            self.tally.scope.nesting += 1

    def _close_block(self) -> None:
        block = self.blocks.pop()
        if block.kind in _NESTS:
            self.tally.scope.nesting -= 1
        then = self._continuations.get(block.kind)
        if then is not None:
            then(block)

    def _after_if(self, block: Block) -> None:  # noqa: ARG002 - every continuation takes its block
        if self.kinds[self.i] == "elif":
            self.tally.flat()
            self._word()
            self.named()
            self._suite("elif")
        else:
            self._maybe_else("if")

    def _after_loop(self, block: Block) -> None:
        self._maybe_else(block.kind)

    def _maybe_else(self, owner: str) -> None:
        if self.kinds[self.i] == "else":
            self.tally.flat()
            self.i += 1
            self._suite("else", owner)

    def _after_try(self, block: Block) -> None:
        if self.kinds[self.i] == "except":
            self._except(block)
        elif not self._maybe_finally():
            raise self.refuse("try lacks its except or finally")

    def _after_except(self, block: Block) -> None:
        if self.kinds[self.i] == "except":
            self._except(block)
        elif self.kinds[self.i] == "else":
            self._maybe_else("try")
        else:
            self._maybe_finally()

    def _after_else(self, block: Block) -> None:
        if block.owner == "try":
            self._maybe_finally()

    def _maybe_finally(self) -> bool:
        if self.kinds[self.i] != "finally":
            return False
        self.i += 1
        self._suite("finally")
        return True

    def _after_scope(self, block: Block) -> None:  # noqa: ARG002 - every continuation takes its block
        self.tally.close_scope(in_body=self.blocks[-1].kind == "def")

    # statements

    def _if_statement(self) -> None:
        self._branch()
        self.named()
        self._suite("if")

    def _branch(self) -> None:
        """Count what `if`, `while` and `for` count alike."""
        self.tally.nested()
        self.tally.complexity += 1
        self._word()

    def _while(self) -> None:
        self._branch()
        self.named()
        self._suite("while")

    def _for(self) -> None:
        self._branch()
        self.listed(LIMIT_BITS)
        self.expect("in")
        self.listed(names=True)
        self._suite("for")

    def _try(self) -> None:
        self._word()
        self._suite("try")

    def _except(self, before: Block) -> None:
        """Read an except clause; except* counts as no statement, and the two do not mix."""
        self.tally.nested()
        self.i += 1
        group = self.kinds[self.i] == "*"
        self.i += group
        self.tally.statements += not group
        if before.kind == "except" and before.group != group:
            raise self.refuse("a try statement cannot have both except and except*")
        if self.starts(starred=False):
            commas = self.listed(starred=False)
            if self.kinds[self.i] == "as" and not commas:
                self.i += 1
                self.expression()
        elif group:
            raise self.refuse("except* must name an exception")
        self._suite("except", group=group)

    def _with(self) -> None:
        """Read `with`: its items in brackets if that works out, else without."""
        self.i += 1
        start, then = self.i, self.tally.snapshot()
        if self.kinds[start] == "(":
            try:
                self._bracketed_items()
            except RefusedError:
                self.i = start
                self.tally.restore(then)
            else:
                self._suite("with")
                return
        self._with_item()
        while self.kinds[self.i] == ",":
            self.i += 1
            self._with_item()
        self._suite("with")

    def _bracketed_items(self) -> None:
        while True:
            self.i += 1
            self._with_item()
            if self.kinds[self.i] == "," and self.kinds[self.i + 1] == ")":
                self.i += 1
            if self.kinds[self.i] != ",":
                break
        self.expect(")")
        if self.kinds[self.i] != ":":
            raise self.refuse()

    def _with_item(self) -> None:
        self.expression()
        if self.kinds[self.i] == "as":
            self.i += 1
            self.expression(LIMIT_BITS)

    def _match(self) -> None:
        self.i += 1
        self.listed(names=True)
        self.expect(":")
        self.expect(NEWLINE)
        self.expect(INDENT)
        self.blocks.append(Block("match", indented=True))

    def _case(self) -> None:
        self.expect("case")
        self._patterns.read()
        if self.kinds[self.i] == "if":
            self.i += 1
            self.named()
        self._suite("case")

    def _async(self) -> None:
        self.i += 1
        self._compound[self.kinds[self.i]]()

    def _decorated(self) -> None:
        """Read decorators; what they count belongs to the function or class they stand over."""
        self.tally.open_scope()
        while self.kinds[self.i] == "@":
            self.i += 1
            self.named()
            self.expect(NEWLINE)
        if self.kinds[self.i] == "class":
            self._class(opened=True)
        else:
            if self.kinds[self.i] == "async":
                self.i += 1
            if self.kinds[self.i] != "def":
                raise self.refuse("decorators stand over no function or class")
            self._def(opened=True)

    def _class(self, *, opened: bool = False) -> None:
        if not opened:
            self.tally.open_scope()
        self.tally.scope.kind = "class"
        self.tally.classes += 1
        self._word()
        self.name()
        if self.kinds[self.i] == "[":
            self.type_parameters()
        if self.kinds[self.i] == "(":
            self.bases()
        self._suite("class")

    def _def(self, *, opened: bool = False) -> None:
        if not opened:
            self.tally.open_scope()
        self.tally.scope.kind = "def"
        self.tally.functions += 1
        self.tally.complexity += 1
        self._word()
        self.name()
        if self.kinds[self.i] == "[":
            self.type_parameters()
        self.expect("(")
        if self.kinds[self.i] != ")":
            self._parameters()
        self.expect(")")
        if self.kinds[self.i : self.i + 2] == ["-", ">"]:
            self.i += 2
            self.expression()
        self._suite("def")

    def _parameters(self) -> None:
        """Read parameters; a list without stars may end in two commas, as in SonarQube's grammar."""
        stage = FIRST
        while self.kinds[self.i] != ")":
            kind = self.kinds[self.i]
            following = next_stage(stage, kind)
            if following is None:
                raise self.refuse()
            stage = following
            self._typed_parameter(kind)
            if self.kinds[self.i] != ",":
                return
            self.i += 1
            if self.kinds[self.i] == "," and stage in (POSITIONAL, SLASH):
                self.i += 1
                return

    def _typed_parameter(self, kind: str) -> None:
        """Read one parameter with annotation and default."""
        if kind in ("/", "*", "**"):
            self.i += 1
            if kind == "/" or (kind == "*" and self.kinds[self.i] in (",", ")")):
                return
        bracketed = self.kinds[self.i] == "("
        if bracketed:
            self.tuple_parameter(typed=True)
        elif self.kinds[self.i] in NAMES:
            self.i += 1
            if self.kinds[self.i] == ":":
                self.annotation()
        else:
            raise self.refuse()
        if self.kinds[self.i] == "=" and kind not in ("*", "**"):
            self._default(counts=not bracketed)

    def _default(self, *, counts: bool) -> None:
        """Read a default; SonarQube's tree holds none of a bracketed parameter."""
        first, then = self.i, self.tally.snapshot()
        self.i += 1
        self.expression()
        if not counts:
            self.tally.restore(then)
            self.left_out.update(range(first, self.i))
