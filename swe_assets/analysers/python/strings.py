"""Strings side by side, and the fields of f-strings and t-strings.

Complexity inside a t-string's fields does not count, as SonarQube's visitors pass them by; its lines do.
"""

from swe_assets.analysers.python.comprehensions import CLOSED
from swe_assets.analysers.python.expressions import AFTER, EXPRESSION_STARTS, LIMIT_BITS, Container
from swe_assets.analysers.python.lambdas import Lambdas
from swe_assets.analysers.python.tokens import (
    F_END,
    F_START,
    F_TEXT,
    FIELD_CLOSE,
    FIELD_FORMAT,
    FIELD_OPEN,
    NAMES,
    STRING,
    T_START,
    Tokens,
)

LIST, FORMAT = "list", "format"


class Expressions(Lambdas):
    """The whole walk over expressions: this adds strings."""

    def __init__(self, tokens: Tokens) -> None:
        super().__init__(tokens)
        self._operands.update({STRING: self._strings, F_START: self._strings, T_START: self._strings})
        self.endings["FIELD"] = self._field_ends

    def strings_alone(self) -> None:
        """Read strings side by side, outside any expression."""
        self.at = None
        self._strings()
        if self.at is not None:
            self.walk()

    def _strings(self) -> None:
        self._adjacent(Container("STRINGS", self.at, self.kinds[self.i]), self.i)

    def _adjacent(self, holder: Container, first: int) -> None:
        """Read string after string; t-strings stand only beside their like."""
        holder.start = first
        templates = holder.stage == T_START
        while True:
            kind = self.kinds[self.i]
            if kind == STRING and not templates:
                self.i += 1
            elif kind == (T_START if templates else F_START):
                holder.memory = self.tally.snapshot() if templates else None
                self.i += 1
                if self._parts(holder):
                    return
            else:
                break
        self.strings = (first, self.i)
        self.at = holder.outer
        self.wants = AFTER

    def _parts(self, holder: Container) -> bool:
        """Read the parts of an f-string or of a format; True when a field has been opened."""
        while True:
            kind = self.kinds[self.i]
            if kind == FIELD_OPEN:
                self._field(Container("FIELD", holder, LIST))
                return True
            if kind not in (F_TEXT, F_END):
                return False
            self.i += 1
            if kind == F_END:
                if holder.memory is not None:
                    self.tally.restore(holder.memory)
                return False

    def _field(self, field: Container) -> None:
        self.i += 1
        kind = self.kinds[self.i]
        if kind == "yield":
            self.begin_yield(field)
        else:
            self._value(field, kind)

    def _value(self, field: Container, kind: str) -> None:
        if kind == "*":
            self.i += 1
            self.begin(field, LIMIT_BITS)
        else:
            self.begin(field)

    def _field_ends(self, field: Container, kind: str) -> None:
        """Go on after a value: another, or what may follow the last."""
        if kind == "," and field.stage != CLOSED:
            self.i += 1
            kind = self.kinds[self.i]
            if kind == "*" or kind in EXPRESSION_STARTS:
                self._value(field, kind)
                return
        if self.kinds[self.i] == "=":
            self.i += 1
        if self.kinds[self.i] == "!":
            self._conversion()
        if self.kinds[self.i] == FIELD_FORMAT:
            self.i += 1
            field.stage = FORMAT
            if self._parts(field):
                return
        self._close_field(field)

    def _conversion(self) -> None:
        self.i += 1
        start = self.tokens.starts[self.i]
        after = self.tokens.text[start + 1 : start + 2]
        word = self.tokens.text[start : start + 1]
        if self.kinds[self.i] not in NAMES or word not in "sra" or after.isidentifier() or after.isdigit():
            raise self.refuse("a conversion is !s, !r or !a")
        self.i += 1

    def _close_field(self, field: Container) -> None:
        """Close a field and go on in the string, or in the format, that holds it."""
        while True:
            if self.kinds[self.i] != FIELD_CLOSE:
                raise self.refuse()
            self.i += 1
            holder = field.outer
            assert holder is not None  # noqa: S101 - a field always stands in a string or a format
            if self._parts(holder):
                return
            if holder.kind == "STRINGS":
                self._adjacent(holder, holder.start)
                return
            field = holder
