"""Brackets: tuples and lists, sets and dictionaries, calls, subscripts, and the backticks of Python 2."""

from swe_assets.analysers.python.comprehensions import CLOSED, Comprehensions
from swe_assets.analysers.python.expressions import EXPRESSION_STARTS, LIMIT_BITS, LIMIT_FULL, Container
from swe_assets.analysers.python.tokens import Tokens

PLAIN, STAR, VALUE, KEY, UNPACKED = "plain", "star", "value", "key", "unpacked"
"""Stages of an element: as it stands, starred, behind `:=`, `=` or a colon, before a colon, behind `**`."""

_CLOSERS = {"(": ")", "[": "]", "{": "}", "`": "`"}


class Brackets(Comprehensions):
    """Adds brackets to the walk."""

    def __init__(self, tokens: Tokens) -> None:
        super().__init__(tokens)
        self._operands.update(dict.fromkeys(_CLOSERS, self._open))
        self._operators.update({"(": self._call, "[": self._subscript})
        self.endings.update({"(": self._item_ends, "[": self._item_ends, "{": self._brace_ends})
        self.endings.update({"`": self._repr_ends, "CALL": self._argument_ends, "BASES": self._argument_ends})
        self.endings.update({"SUBSCRIPT": self._subscript_ends, "YIELD": self._yielded_ends})

    def bases(self) -> None:
        """Read the bracket of a class definition; it may hold what a call may."""
        self._arguments(Container("BASES", None))
        if self.at is not None:
            self.walk()

    # ( [ { `

    def _open(self) -> None:
        opener = self.kinds[self.i]
        holder = Container(opener, self.at, PLAIN)
        self.i += 1
        following = self.kinds[self.i]
        if following == _CLOSERS[opener] and opener != "`":
            self.close(holder)
        elif following == "yield" and opener == "(":
            self.begin_yield(holder)
        else:
            self._item(holder)

    def _item(self, holder: Container) -> None:
        """Want an element, perhaps starred."""
        kind = self.kinds[self.i]
        if kind == "*" and holder.kind != "`":
            self.i += 1
            holder.stage = STAR
            self.begin(holder, LIMIT_BITS)
        elif kind == "**" and holder.kind == "{":
            self._unpacked(holder)
        else:
            holder.stage = PLAIN
            self.begin(holder)

    def _item_ends(self, holder: Container, kind: str) -> None:
        """Go on after an element of a tuple, list or set."""
        if self.comprehension_part(holder, kind):
            return
        kind = self.kinds[self.i]
        if kind == _CLOSERS[holder.kind]:
            self.close(holder)
        elif holder.stage == CLOSED:
            raise self.refuse()
        elif kind == ",":
            self._next_item(holder)
        elif kind == ":=" and holder.stage == PLAIN:
            self._named(holder)
        elif self.opens_comprehension(kind) and not holder.count:
            self.comprehend(holder)
        else:
            raise self.refuse()

    def _next_item(self, holder: Container) -> None:
        self.i += 1
        holder.count += 1
        if self.kinds[self.i] == _CLOSERS[holder.kind]:
            self.close(holder)
        else:
            self._item(holder)

    def _named(self, holder: Container) -> None:
        """Take `:=`, whose left side must be a bare name."""
        if not self.is_name(holder):
            raise self.refuse("the left-hand side of := must be a name")
        self.i += 1
        holder.stage = VALUE
        self.begin(holder)

    def _repr_ends(self, holder: Container, kind: str) -> None:
        if kind == "`":
            self.close(holder)
        elif kind == ",":
            self.i += 1
            self.begin(holder)
        else:
            raise self.refuse()

    # dictionaries

    def _brace_ends(self, holder: Container, kind: str) -> None:
        """Go on after an element of a set or dictionary; the first one decides which it is."""
        if holder.stage == PLAIN and not holder.count and kind == ":":
            holder.paired = True
            holder.stage = KEY
        if not holder.paired:
            self._item_ends(holder, kind)
        elif holder.stage == KEY:
            self._key_ends(holder, kind)
        elif not self.comprehension_part(holder, kind):
            self._entry_ends(holder, self.kinds[self.i])

    def _key_ends(self, holder: Container, kind: str) -> None:
        if kind != ":":
            raise self.refuse()
        self.i += 1
        holder.stage = VALUE
        self.begin(holder)

    def _entry_ends(self, holder: Container, kind: str) -> None:
        if kind == "}":
            self.close(holder)
        elif kind == "," and holder.stage != CLOSED:
            self._next_entry(holder)
        elif self.opens_comprehension(kind) and not holder.count and holder.stage == VALUE:
            self.comprehend(holder)
        else:
            raise self.refuse()

    def _next_entry(self, holder: Container) -> None:
        self.i += 1
        holder.count += 1
        kind = self.kinds[self.i]
        if kind == "}":
            self.close(holder)
        elif kind == "**":
            self._unpacked(holder)
        else:
            holder.stage = KEY
            self.begin(holder)

    def _unpacked(self, holder: Container) -> None:
        if holder.count and not holder.paired:
            raise self.refuse()
        self.i += 1
        holder.paired = True
        holder.stage = UNPACKED
        self.begin(holder, LIMIT_BITS)

    # calls

    def _call(self, holder: Container) -> None:
        self._arguments(Container("CALL", holder))

    def _arguments(self, call: Container) -> None:
        self.i += 1
        if self.kinds[self.i] == ")":
            self.close(call)
        else:
            self._argument(call)

    def _argument(self, call: Container) -> None:
        call.stage = PLAIN
        if self.kinds[self.i] in ("*", "**"):
            self.i += 1
            call.stage = STAR
        self.begin(call)

    def _argument_ends(self, call: Container, kind: str) -> None:
        if self.comprehension_part(call, kind):
            return
        kind = self.kinds[self.i]
        if kind == ")":
            self._close_call(call)
        elif kind == ",":
            self.i += 1
            call.count += 1
            if self.kinds[self.i] == ")":
                call.count -= 1
                self._close_call(call)
            else:
                self._argument(call)
        elif call.stage != PLAIN:
            raise self.refuse()
        elif self.opens_comprehension(kind):
            self._generator(call)
        else:
            self._keyword(call, kind)

    def _generator(self, call: Container) -> None:
        """Remember where a generator without brackets of its own stands, for it must be alone."""
        if self.kinds[call.start] != "(":
            call.alone = self.i
        self.comprehend(call)

    def _keyword(self, call: Container, kind: str) -> None:
        """Take `=` or `:=` after an argument's name."""
        if kind not in ("=", ":=") or not self.is_name(call):
            raise self.refuse()
        self.i += 1
        call.stage = VALUE
        self.begin(call)

    def _close_call(self, call: Container) -> None:
        if call.alone >= 0 and call.count and call.kind == "CALL":
            self.i = call.alone
            raise self.refuse("a generator must be in brackets if it is not the sole argument")
        self.close(call)

    # subscripts

    def _subscript(self, holder: Container) -> None:
        self.i += 1
        self._slice(Container("SUBSCRIPT", holder))

    def _slice(self, holder: Container) -> None:
        """Want one subscript: a star, or a slice of up to three parts, each of which may be missing."""
        holder.stage = PLAIN
        holder.count = 0
        if self.kinds[self.i] == "*":
            self.i += 1
            holder.stage = STAR
            self.begin(holder, LIMIT_BITS)
        elif self.kinds[self.i] == ":":
            self._colon(holder)
        else:
            self.begin(holder)

    def _colon(self, holder: Container) -> None:
        """Step over colons and want the part behind them, if there is one."""
        while self.kinds[self.i] == ":" and holder.count < 2:
            self.i += 1
            holder.count += 1
        if self.kinds[self.i] in EXPRESSION_STARTS:
            self.begin(holder)
        else:
            self._slice_ends(holder, self.kinds[self.i])

    def _subscript_ends(self, holder: Container, kind: str) -> None:
        if kind == ":" and holder.stage == PLAIN and holder.count < 2:
            self._colon(holder)
        elif kind == ":=" and holder.stage == PLAIN and not holder.count:
            self._named(holder)
        else:
            self._slice_ends(holder, kind)

    def _slice_ends(self, holder: Container, kind: str) -> None:
        if kind == ",":
            self.i += 1
            if self.kinds[self.i] != "]":
                self._slice(holder)
                return
            kind = "]"
        if kind != "]":
            raise self.refuse()
        self.close(holder)

    # yield

    def begin_yield(self, outer: Container) -> None:
        """Read `yield` inside a bracket or a field; commas of its list are not in SonarQube's tree."""
        self.i += 1
        holder = Container("YIELD", outer, PLAIN)
        if self.kinds[self.i] == "from":
            self.i += 1
            holder.stage = VALUE
            self.begin(holder, LIMIT_FULL)
        else:
            self._yielded(holder)

    def _yielded(self, holder: Container) -> None:
        kind = self.kinds[self.i]
        if kind == "*":
            self.i += 1
            self.begin(holder, LIMIT_BITS)
        elif kind in EXPRESSION_STARTS:
            self.begin(holder)
        else:
            self._yield_done(holder)

    def _yielded_ends(self, holder: Container, kind: str) -> None:
        if kind == "," and holder.stage == PLAIN:
            self.leave_out()
            self._yielded(holder)
        else:
            self._yield_done(holder)

    def _yield_done(self, holder: Container) -> None:
        """Give the token behind a yield to the bracket it stands in, which must close now."""
        outer = holder.outer
        assert outer is not None  # noqa: S101 - begin_yield gave one
        outer.stage = CLOSED
        self.at = outer
        self.endings[outer.kind](outer, self.kinds[self.i])
