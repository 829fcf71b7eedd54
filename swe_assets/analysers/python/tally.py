"""The counters that grow while the parser walks: complexity, cognitive complexity, statements and the like.

Cognitive complexity follows G. A. Campbell, "Cognitive Complexity: a new way of measuring understandability",
SonarSource 2018/2023, in the form SonarQube gives it for Python: no increment for recursion or for jumps.
"""

from dataclasses import dataclass, field

Snapshot = tuple[int, int, int, int]
"""What an expression can change: complexity, and the scope's fixed, nested and nesting."""


@dataclass(slots=True)
class Scope:
    """A module, class or function while it is open.

    A function's own nesting level is known only at the end of the function around it (a function that holds
    nothing but another function and plain returns adds none). So `fixed` sums what does not depend on
    it and `nested` counts the increments that grow by one with each level.
    """

    kind: str
    fixed: int = 0
    nested: int = 0
    nesting: int = 0
    statements: int = 0
    plain_returns: int = 0
    inner: list["Scope"] = field(default_factory=list)


@dataclass(slots=True)
class Tally:
    """All counters of one file."""

    complexity: int = 0
    statements: int = 0
    functions: int = 0
    classes: int = 0
    scope: Scope = field(default_factory=lambda: Scope("module"))
    outer: list[Scope] = field(default_factory=list)

    def flat(self) -> None:
        """Count one increment of cognitive complexity that nesting does not raise."""
        self.scope.fixed += 1

    def nested(self) -> None:
        """Count one increment that nesting raises."""
        self.scope.fixed += 1 + self.scope.nesting
        self.scope.nested += 1

    def conditional(self, inside: int) -> None:
        """Count a conditional expression; `inside` nested increments already lie in its first two parts."""
        self.complexity += 1
        self.nested()
        self.scope.fixed += inside
        self.scope.nesting += 1

    def open_scope(self, kind: str = "") -> None:
        """Enter a class or function; its kind may be set later, when its decorators have been read."""
        self.outer.append(self.scope)
        self.scope = Scope(kind)

    def close_scope(self, *, in_body: bool) -> None:
        """Leave a class or function; `in_body` says whether it is a statement of the body around it."""
        done, around = self.scope, self.outer.pop()
        wraps = done.statements - done.plain_returns == 1
        for function in done.inner:
            done.fixed += function.fixed + (0 if wraps else function.nested)
            done.nested += function.nested
        self.scope = around
        if done.kind != "def" or around.kind != "def":
            around.fixed += done.fixed
        elif in_body:
            around.inner.append(done)
        else:
            around.fixed += done.fixed + done.nested * (around.nesting + 1)
            around.nested += done.nested

    def snapshot(self) -> Snapshot:
        """Remember what expressions can change."""
        return self.complexity, self.scope.fixed, self.scope.nested, self.scope.nesting

    def restore(self, then: Snapshot) -> None:
        """Forget what expressions have added since, where SonarQube's visitors do not go."""
        self.complexity, self.scope.fixed, self.scope.nested, self.scope.nesting = then
