"""Lambdas: parameters, each perhaps with a default, and a body that ends with the expression around it."""

from swe_assets.analysers.python.brackets import Brackets
from swe_assets.analysers.python.expressions import AFTER, FULL, LIMIT_FULL, LIMIT_PLAIN, Container
from swe_assets.analysers.python.parameters import FIRST, next_stage
from swe_assets.analysers.python.tokens import NAMES, Tokens

BODY = "body"


class Lambdas(Brackets):
    """Adds lambdas to the walk."""

    def __init__(self, tokens: Tokens) -> None:
        super().__init__(tokens)
        self._operands["lambda"] = self._lambda
        self.endings["LAMBDA"] = self._lambda_ends

    def tuple_parameter(self, *, typed: bool = False) -> None:
        """Read the bracketed parameter of Python 2 (PEP 3113 took it away), to any depth."""
        depth, wants_name = 0, True
        while depth or wants_name:
            kind = self.kinds[self.i]
            if wants_name and kind == "(":
                depth += 1
            elif wants_name and kind in NAMES:
                wants_name = False
            elif not wants_name and kind == ",":
                wants_name = self.kinds[self.i + 1] != ")"
            elif not wants_name and kind == ")":
                depth -= 1
            elif not wants_name and kind == ":" and typed:
                self.annotation()
                continue
            else:
                raise self.refuse()
            self.i += 1

    def annotation(self) -> None:
        """Read a parameter's annotation, perhaps starred."""
        self.i += 2 if self.kinds[self.i + 1] == "*" else 1
        self.expression()

    def _lambda(self) -> None:
        if self.wants != FULL:
            raise self.refuse()
        outer = self.at
        holder = Container("LAMBDA", outer, FIRST)
        self.i += 1
        if self.kinds[self.i] == ":":
            self._body(holder)
        else:
            self._parameter(holder)

    def _parameter(self, holder: Container) -> None:
        """Read parameters up to the next default or the body."""
        while True:
            kind = self.kinds[self.i]
            stage = next_stage(holder.stage, kind)
            if stage is None:
                raise self.refuse()
            holder.stage = stage
            if self._names_parameter(kind) and self.kinds[self.i] == "=":
                self.i += 1
                self.begin(holder)
                return
            if not self._another(holder):
                return

    def _names_parameter(self, kind: str) -> bool:
        """Step over one parameter; tell whether it may have a default."""
        if kind in ("/", "*", "**"):
            self.i += 1
            if kind == "/" or (kind == "*" and self.kinds[self.i] in (",", ":")):
                return False
        if kind == "(":
            self.tuple_parameter()
        elif self.kinds[self.i] in NAMES:
            self.i += 1
        else:
            raise self.refuse()
        return kind not in ("*", "**")

    def _another(self, holder: Container) -> bool:
        """Go on behind a parameter; False once the body has begun."""
        if self.kinds[self.i] == ",":
            self.i += 1
            if self.kinds[self.i] != ":":
                return True
        if self.kinds[self.i] != ":":
            raise self.refuse()
        self._body(holder)
        return False

    def _body(self, holder: Container) -> None:
        self.i += 1
        holder.stage = BODY
        outer = holder.outer
        plain = outer is not None and outer.limit == LIMIT_PLAIN
        self.begin(holder, LIMIT_PLAIN if plain else LIMIT_FULL)

    def _lambda_ends(self, holder: Container, kind: str) -> None:
        """Go on behind a default or, after the body, end the expression that the lambda is."""
        if holder.stage == BODY:
            self.at = holder.outer
            self.wants = AFTER
        elif kind == "," or kind == ":":
            if self._another(holder):
                self._parameter(holder)
        else:
            raise self.refuse()
