"""What an auditor is asked for: the scales, how their scores are written, and the columns that hold them."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from swe_assets.errors import AuditError

YES = frozenset({"1", "true", "yes", "y", "sim", "s", "verdadeiro", "是"})
NO = frozenset({"0", "false", "no", "n", "não", "nao", "falso", "否"})
"""The words that say yes or no, spreadsheets' own in three languages among them."""

ID_COLUMN = "instance_id"
MARK_COLUMN = "item"
AUDITOR_COLUMN = "auditor"
COMMENT_COLUMN = "humano_comentario"
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")


@dataclass(frozen=True)
class Scale:
    """One score that is asked for.

    From ``lowest`` to ``highest`` in steps of ``step`` (None: any number between). ``yes_no``: 1 is yes and
    0 is no. ``question`` and ``labels`` (one a value) are for the reader of the page. ``of_reasoning``: the
    score is of what the judge wrote, not of the item itself.
    """

    name: str
    lowest: float = 0.0
    highest: float = 1.0
    step: float | None = 1.0
    yes_no: bool = False
    question: str = ""
    labels: tuple[str, ...] = ()
    of_reasoning: bool = False

    @property
    def column(self) -> str:
        """The column of a person's score."""
        return f"humano_{self.name}"

    @property
    def values(self) -> tuple[float, ...]:
        """All scores that can be given, in order; none where any number between can be."""
        if self.step is None:
            return ()
        steps = round((self.highest - self.lowest) / self.step)
        return tuple(self.lowest + self.step * number for number in range(steps + 1))

    def read(self, text: str) -> float | None:
        """Return the score that a person wrote, None for a blank cell.

        ``4``, ``4.0`` and ``4,0`` are 4. Raises AuditError for what is no score of this scale.
        """
        word = unicodedata.normalize("NFKC", text).strip()
        if not word:
            return None
        if self.yes_no and word.casefold() in YES | NO:
            return float(word.casefold() in YES)
        if not _NUMBER.fullmatch(word):
            raise AuditError(f"{text!r} is no score ({self.wanted})")
        found = float(word.replace(",", "."))
        off_step = self.values and min(abs(found - value) for value in self.values) > 1e-9
        if not self.lowest <= found <= self.highest or off_step:
            raise AuditError(f"{text!r} is out of range ({self.wanted})")
        return found

    def write(self, value: float | None) -> str:
        """Return a score as it is written in a sheet, the empty text for none."""
        if value is None:
            return ""
        if self.yes_no and value in (0, 1):
            return "sim" if value else "não"
        return f"{value:g}"

    @property
    def wanted(self) -> str:
        """What can be given, in words."""
        if self.yes_no:
            return "give sim or não, or 1 or 0"
        steps = "" if self.step == 1 else " or any between" if self.step is None else f" by {self.step:g}"
        whole = "a whole number " if self.step == 1 else ""
        return f"give {whole}from {self.lowest:g} to {self.highest:g}{steps}"


@dataclass(frozen=True)
class AuditForm:
    """The scales of an audit, and the name of the column that holds an item's id."""

    scales: tuple[Scale, ...]
    id_column: str = ID_COLUMN

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that a returned sheet must have."""
        scores = (scale.column for scale in self.scales)
        return (self.id_column, MARK_COLUMN, AUDITOR_COLUMN, *scores, COMMENT_COLUMN)


@dataclass(frozen=True)
class DrawnItem:
    """One drawn item: its id, and a mark of what is to be judged, which changes when that does."""

    item_id: str
    mark: str


def item_mark(texts: Iterable[str]) -> str:
    """Return ``item-`` and 12 hex digits of its texts' sha256, which no spreadsheet takes for a number."""
    digest = hashlib.sha256()
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return f"item-{digest.hexdigest()[:12]}"
