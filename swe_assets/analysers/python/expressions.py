"""One pass over an expression, without recursion, by SonarQube's grammar for Python 2 and 3 together.

An expression in progress lives in the container that holds it: the whole (`BASE`), a bracket, the arguments
of a call, a lambda. Opening one makes a `Container` whose `outer` is the one around it; so nesting costs
memory, never stack. A token is met either where an operand is wanted (`wants` says which) or after one.
"""

from collections.abc import Callable

from swe_assets.analysers.python.tally import Snapshot, Tally
from swe_assets.analysers.python.tokens import F_START, NAMES, NUMBER, STRING, T_START, Tokens

AFTER, FULL, NEGATABLE, ARITHMETIC, ATOM = range(5)
"""What `wants` can be: nothing, an expression, the same but no lambda, nor `not` either, an atom alone."""

LIMIT_FULL, LIMIT_PLAIN, LIMIT_BITS = range(3)
"""How far an element reaches: to the end of a conditional; of `or`; of `|`, before any comparison."""

_STARTS_WITH = (FULL, FULL, ARITHMETIC)
ATOM_STARTS = NAMES | {NUMBER, STRING, F_START, T_START, "(", "[", "{", "`", ".", "None"}
EXPRESSION_STARTS = ATOM_STARTS | {"not", "lambda", "+", "-", "~"}


class Container:
    """What holds elements, with the state of the element in progress."""

    __slots__ = (
        "alone",
        "boolean",
        "condition_mark",
        "conditionals",
        "count",
        "in_condition",
        "kind",
        "limit",
        "mark",
        "memory",
        "outer",
        "paired",
        "stage",
        "start",
    )

    def __init__(self, kind: str, outer: "Container | None", stage: str = "") -> None:
        self.kind, self.outer, self.stage = kind, outer, stage
        self.count = 0
        self.alone = -1
        self.paired = False
        self.memory: Snapshot | None = None
        self.limit = self.mark = self.conditionals = self.start = self.condition_mark = 0
        self.boolean = ""
        self.in_condition = False


class ExpressionCore:
    """The walk itself: operands, operators and where an element ends.

    Subclasses register in `endings` what happens when an element of a container ends, and open brackets.
    """

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.kinds = tokens.kinds
        self.tally = Tally()
        self.left_out: set[int] = set()
        self.i = 0
        self.wants = AFTER
        self.at: Container | None = None
        self.strings = (-1, -1)
        self.endings: dict[str, Callable[[Container, str], None]] = {"BASE": self._end_base}
        self._operands = self._operand_table()
        self._operators = self._operator_table()

    def refuse(self, why: str = "") -> Exception:
        """Build the error for the token met now."""
        return self.tokens.refuse(self.i, why or f"unexpected {self.kinds[self.i]!r}")

    def expression(self, limit: int = LIMIT_FULL) -> None:
        """Read one expression and stop at the token after it."""
        base = Container("BASE", None)
        self.begin(base, limit)
        self.walk()

    def walk(self) -> None:
        """Take tokens until the outermost container is done."""
        kinds, operands, operators = self.kinds, self._operands, self._operators
        while self.at is not None:
            kind = kinds[self.i]
            if self.wants:
                if kind == "NAME" or kind == NUMBER:
                    self.i += 1
                    self.wants = AFTER
                    continue
                take = operands.get(kind)
                if take is None:
                    raise self.refuse()
                take()
            else:
                operator = operators.get(kind)
                if operator is None:
                    self.end(self.at)
                else:
                    operator(self.at)

    def begin(self, holder: Container, limit: int = LIMIT_FULL) -> None:
        """Want a new element in a container."""
        holder.limit = limit
        holder.boolean = ""
        holder.mark = self.tally.scope.nested
        holder.conditionals = 0
        holder.in_condition = False
        holder.start = self.i
        self.at = holder
        self.wants = _STARTS_WITH[limit]

    def end(self, holder: Container) -> None:
        """End the element in progress at the token met now."""
        if holder.in_condition:
            self.condition_without_else(holder)
            return
        self.settle(holder)
        self.endings[holder.kind](holder, self.kinds[self.i])

    def settle(self, holder: Container) -> None:
        """Leave the nesting that the element's conditionals made."""
        self.tally.scope.nesting -= holder.conditionals
        holder.conditionals = 0

    def condition_without_else(self, holder: Container) -> None:  # noqa: ARG002 - for those who know better
        """Refuse `a if b` where no `else` follows."""
        raise self.refuse("a conditional expression lacks its else")

    def is_name(self, holder: Container) -> bool:
        """Tell whether the element just ended is a bare name."""
        return self.i - holder.start == 1 and self.kinds[holder.start] in NAMES

    def leave_out(self) -> None:
        """Step over a token that SonarQube's tree does not hold."""
        self.left_out.add(self.i)
        self.i += 1

    def close(self, holder: Container) -> None:
        """Step over a closing bracket: the container is an operand of the one around it."""
        self.i += 1
        self.at = holder.outer
        self.wants = AFTER

    def _end_base(self, holder: Container, kind: str) -> None:  # noqa: ARG002 - every ending takes both
        self.at = None

    # where an operand is wanted

    def _operand_table(self) -> dict[str, Callable[[], None]]:
        table: dict[str, Callable[[], None]] = dict.fromkeys((*NAMES, "None"), self._atom)
        table["await"] = self._await
        table["not"] = self._not
        table.update(dict.fromkeys("+-~", self._sign))
        table["."] = self._ellipsis
        return table

    def _atom(self) -> None:
        self.i += 1
        self.wants = AFTER

    def _await(self) -> None:
        """Take `await` before an atom; alone it is no expression for SonarQube."""
        self.i += 1
        if self.wants == ATOM:
            self.wants = AFTER
        elif self.kinds[self.i] in ATOM_STARTS:
            self.wants = ATOM
        else:
            raise self.refuse("await lacks its operand")

    def _not(self) -> None:
        if self.wants > NEGATABLE:
            raise self.refuse()
        self.i += 1
        self.wants = NEGATABLE

    def _sign(self) -> None:
        if self.wants > ARITHMETIC:
            raise self.refuse()
        self.i += 1
        self.wants = ARITHMETIC

    def _ellipsis(self) -> None:
        if self.kinds[self.i : self.i + 3] != [".", ".", "."]:
            raise self.refuse()
        self.i += 3
        self.wants = AFTER

    # after an operand

    def _operator_table(self) -> dict[str, Callable[[Container], None]]:
        table: dict[str, Callable[[Container], None]] = {}
        for operator in ("**", "*", "/", "//", "%", "@", "+", "-", "<<", ">>", "&", "^", "|"):
            table[operator] = self._binary
        for operator in ("<", ">", "==", ">=", "<=", "!=", "<>", "in"):
            table[operator] = self._comparison
        table.update({"is": self._is, "not": self._not_in, "and": self._boolean, "or": self._boolean})
        table.update({"if": self._if, "else": self._else, ".": self._attribute})
        return table

    def _binary(self, holder: Container) -> None:  # noqa: ARG002 - every operator takes its container
        self.i += 1
        self.wants = ARITHMETIC

    def _comparison(self, holder: Container) -> None:
        if holder.limit == LIMIT_BITS:
            self.end(holder)
            return
        self.i += 1
        self.wants = ARITHMETIC

    def _is(self, holder: Container) -> None:
        self._comparison(holder)
        if self.wants and self.kinds[self.i] == "not":
            self.i += 1

    def _not_in(self, holder: Container) -> None:
        if holder.limit == LIMIT_BITS or self.kinds[self.i + 1] != "in":
            self.end(holder)
            return
        self.i += 2
        self.wants = ARITHMETIC

    def _boolean(self, holder: Container) -> None:
        """Take `and` or `or`: each is complexity, each change of operator in a sequence is cognitive."""
        if holder.limit == LIMIT_BITS:
            self.end(holder)
            return
        kind = self.kinds[self.i]
        self.tally.complexity += 1
        if holder.boolean != kind:
            self.tally.flat()
            holder.boolean = kind
        self.i += 1
        self.wants = NEGATABLE

    def _if(self, holder: Container) -> None:
        """Take `if` as the middle of a conditional, which it is once `else` follows."""
        if holder.limit != LIMIT_FULL or holder.in_condition or self.kinds[self.i + 1] == "lambda":
            self.end(holder)
            return
        holder.in_condition = True
        holder.condition_mark = self.tally.scope.nested
        holder.boolean = ""
        self.i += 1
        self.wants = NEGATABLE

    def _else(self, holder: Container) -> None:
        if not holder.in_condition:
            self.end(holder)
            return
        self.tally.conditional(self.tally.scope.nested - holder.mark)
        holder.in_condition = False
        holder.conditionals += 1
        holder.mark = self.tally.scope.nested
        holder.boolean = ""
        self.i += 1
        self.wants = FULL

    def _attribute(self, holder: Container) -> None:  # noqa: ARG002 - every operator takes its container
        if self.kinds[self.i + 1] not in NAMES:
            self.i += 1
            raise self.refuse()
        self.i += 2
