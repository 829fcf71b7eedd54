"""Comprehensions, inside whatever bracket holds them.

A container that meets `for` goes through the stages TARGET, ITERABLE and CONDITION, as often as clauses
come, and is CLOSED when none follows. An iterable may be a bare list (`for x in a, b`), as in Python 2.
"""

from swe_assets.analysers.python.expressions import (
    ARITHMETIC,
    EXPRESSION_STARTS,
    LIMIT_BITS,
    LIMIT_FULL,
    LIMIT_PLAIN,
    Container,
    ExpressionCore,
)

TARGET, ITERABLE, CONDITION, CLOSED = "target", "iterable", "condition", "closed"


class Comprehensions(ExpressionCore):
    """Adds the clauses of comprehensions to the walk."""

    def opens_comprehension(self, kind: str) -> bool:
        """Tell whether the token met now starts a comprehension clause with `for`."""
        return kind == "for" or (kind == "async" and self.kinds[self.i + 1] == "for")

    def comprehend(self, holder: Container) -> None:
        """Step over `for` or `async for` and want its targets."""
        self.i += 2 if self.kinds[self.i] == "async" else 1
        holder.stage = TARGET
        self._target(holder)

    def comprehension_part(self, holder: Container, kind: str) -> bool:
        """Take the end of a clause's part; False once the comprehension is complete."""
        if holder.stage == TARGET:
            self._target_ends(holder, kind)
            return True
        if holder.stage == ITERABLE and kind == ",":
            self.i += 1
            if self.kinds[self.i] in EXPRESSION_STARTS and not self.opens_comprehension(self.kinds[self.i]):
                self.begin(holder, LIMIT_FULL)
                return True
            kind = self.kinds[self.i]
        if holder.stage not in (ITERABLE, CONDITION):
            return False
        return self._next_clause(holder, kind)

    def condition_without_else(self, holder: Container) -> None:
        """Read `if` and what follows as a comprehension's condition, where that is possible."""
        since = self.tally.scope.nested - holder.condition_mark
        levels = holder.conditionals
        self.settle(holder)
        while holder.kind == "LAMBDA" and holder.stage == "body" and holder.outer is not None:
            holder.in_condition = False
            holder = holder.outer
            levels += holder.conditionals
            self.settle(holder)
        if holder.stage != ITERABLE:
            super().condition_without_else(holder)
        holder.in_condition = False
        self.tally.scope.fixed -= levels * since
        self.tally.complexity += 1
        holder.stage = CONDITION
        self.at = holder
        self.endings[holder.kind](holder, self.kinds[self.i])

    def _target(self, holder: Container) -> None:
        if self.kinds[self.i] == "*":
            self.i += 1
        self.begin(holder, LIMIT_BITS)
        self.wants = ARITHMETIC

    def _target_ends(self, holder: Container, kind: str) -> None:
        if kind == ",":
            self.i += 1
            if self.kinds[self.i] != "in":
                self._target(holder)
                return
        if self.kinds[self.i] != "in":
            raise self.refuse()
        self.i += 1
        holder.stage = ITERABLE
        self.begin(holder, LIMIT_FULL)

    def _next_clause(self, holder: Container, kind: str) -> bool:
        if kind == "if":
            self.i += 1
            self.tally.complexity += 1
            holder.stage = CONDITION
            self.begin(holder, LIMIT_PLAIN)
        elif self.opens_comprehension(kind):
            self.comprehend(holder)
        else:
            holder.stage = CLOSED
            return False
        return True
