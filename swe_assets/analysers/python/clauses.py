"""Reading of lists, names and small clauses that several statements share."""

from swe_assets.analysers.python.expressions import EXPRESSION_STARTS, LIMIT_BITS, LIMIT_FULL
from swe_assets.analysers.python.strings import Expressions
from swe_assets.analysers.python.tokens import NAMES


class Clauses(Expressions):
    """Adds the parts that statements are made of."""

    def expect(self, kind: str) -> None:
        """Step over a token that must be there."""
        if self.kinds[self.i] != kind:
            raise self.refuse(f"unexpected {self.kinds[self.i]!r} where {kind!r} should be")
        self.i += 1

    def name(self) -> None:
        """Step over a name."""
        if self.kinds[self.i] not in NAMES:
            raise self.refuse(f"unexpected {self.kinds[self.i]!r} where a name should be")
        self.i += 1

    def named(self) -> None:
        """Read an expression or `name := expression`."""
        start = self.i
        self.expression()
        if self.kinds[self.i] == ":=":
            if self.i - start != 1 or self.kinds[start] not in NAMES:
                raise self.refuse("the left-hand side of := must be a name")
            self.i += 1
            self.expression()

    def listed(self, limit: int = LIMIT_FULL, *, starred: bool = True, names: bool = False) -> list[int]:
        """Read expressions with commas between, and perhaps one behind; return where the commas are.

        `starred` allows `*x`, `names` allows `x := y`.
        """
        commas: list[int] = []
        while True:
            if starred and self.kinds[self.i] == "*":
                self.i += 1
                self.expression(LIMIT_BITS)
            elif names:
                self.named()
            else:
                self.expression(limit)
            if self.kinds[self.i] != ",":
                return commas
            commas.append(self.i)
            self.i += 1
            if not self.starts(starred=starred):
                return commas

    def starts(self, *, starred: bool = True) -> bool:
        """Tell whether an element of a list can start at the token met now."""
        kind = self.kinds[self.i]
        return kind in EXPRESSION_STARTS or (starred and kind == "*")

    def yielded(self) -> None:
        """Read `yield` with what it gives; commas of its list are not in SonarQube's tree."""
        self.i += 1
        if self.kinds[self.i] == "from":
            self.i += 1
            self.expression()
        elif self.starts():
            self.left_out.update(self.listed())

    def value(self, *, starred: bool = True) -> None:
        """Read the right-hand side of an assignment."""
        if self.kinds[self.i] == "yield":
            self.yielded()
        else:
            self.listed(starred=starred)

    def dotted_name(self) -> None:
        """Read `a.b.c`; the dots are not in SonarQube's tree."""
        self.name()
        while self.kinds[self.i] == ".":
            self.leave_out()
            self.name()

    def type_parameters(self) -> None:
        """Read `[T: bound = default, *Ts, **P]`; SonarQube's tree holds no defaults."""
        self.i += 1
        while True:
            star = self.kinds[self.i]
            if star in ("*", "**"):
                self.i += 1
            self.name()
            if self.kinds[self.i] == ":" and star not in ("*", "**"):
                self.i += 1
                self.expression()
            if self.kinds[self.i] == "=":
                self._type_default(starred=star == "*")
            if self.kinds[self.i] == ",":
                self.i += 1
                if self.kinds[self.i] != "]":
                    continue
            self.expect("]")
            return

    def _type_default(self, *, starred: bool) -> None:
        first, then = self.i, self.tally.snapshot()
        self.i += 1
        if starred and self.kinds[self.i] == "*":
            self.i += 1
            self.expression(LIMIT_BITS)
        else:
            self.expression()
        self.tally.restore(then)
        self.left_out.update(range(first, self.i))
