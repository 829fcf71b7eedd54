"""One finding: a plain sentence in both languages, how sure it is, and the table row it was read from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from swe_assets.reporting.figure_style import number
from swe_assets.reporting.latex import mark_words
from swe_assets.reporting.readable import number_words, p_words
from swe_assets.reporting.tables import Table, Words
from swe_assets.statistics.undefined import Undefined

Strength = Literal["strong", "moderate", "fragile", "none", "undefined", "described"]
"""How sure: strong holds after correction; moderate before it only; fragile hangs on one instance; none was
not shown; undefined has no value; described is a count and no test."""

Tables = Mapping[str, Table]
ALPHA = 0.05
_ORIGINS = {
    "rehearsal": lambda name: name == "judge" or name.startswith("M_"),
    "small_model": lambda name: name == "judge" or name.startswith("M_"),
    "stand_in": lambda name: name.endswith(("sqale_index", "violations")),
}


@dataclass(frozen=True)
class Finding:
    """A sentence with its numbers, how sure it is, and where they stand (the row counted from 0)."""

    sentence: Words
    strength: Strength
    table: str
    row: int

    def marked(self, table: Table, *names: str) -> "Finding":
        """Return the finding led by every mark of the table that concerns the named measures."""
        marks = [mark for mark in sorted(table.marks) if any(concerns(mark, name) for name in names)]
        if not marks:
            return self
        said = {
            lang: " ".join([*(f"[{mark_words(mark, lang)}]" for mark in marks), text])
            for lang, text in self.sentence.items()
        }
        return Finding(said, self.strength, self.table, self.row)


def concerns(mark: str, name: str) -> bool:
    """Return whether a mark is to be borne by a measure; one that is not known concerns all."""
    return _ORIGINS[mark](name) if mark in _ORIGINS else True


def marked_measures(marks: Iterable[str], names: Iterable[str]) -> dict[str, list[str]]:
    """Return by name the marks that it must bear, without the names that bear none."""
    by_name = {name: [mark for mark in sorted(marks) if concerns(mark, name)] for name in names}
    return {name: borne for name, borne in by_name.items() if borne}


value = number
"""A cell as a number, None where it is absent or undefined."""


def shown_apart(low: float | None, high: float | None) -> Strength:
    """Return how sure an interval is of a value other than 0: strong where it does not hold 0, else none.

    Without both bounds, as of a judge that is always right, it shows nothing and denies nothing: described.
    """
    if low is None or high is None:
        return "described"
    return "strong" if low * high > 0 else "none"


def below(cell: object, level: float = ALPHA) -> bool:
    """Return whether a cell is a number below a level; a p of exactly 0 is one."""
    found = value(cell)
    return found is not None and found < level


def why(cell: object) -> str:
    """Return the reason of an undefined cell, or an empty text."""
    return cell.reason if isinstance(cell, Undefined) else ""


def said(cell: object) -> str:
    """Return a number with three decimals; a dash where there is none, with the reason where one is known."""
    found = value(cell)
    return _none(cell) if found is None else number_words(found)


def said_p(cell: object) -> str:
    """Return p with its sign of equality or of bound."""
    found = value(cell)
    if found is None:
        return f"p = {_none(cell)}"
    text = p_words(found)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def said_share(cell: object) -> str:
    """Return a share in per cent with one decimal; a dash where there is none, with the reason."""
    found = value(cell)
    return _none(cell) if found is None else f"{100 * found:.1f}\u00a0%"


def _none(cell: object) -> str:
    """Return what stands for a number that is not there: a dash, and why where that is known."""
    if isinstance(cell, Undefined) and cell.infinite:
        return "∞"
    reason = why(cell)
    return f"– ({reason})" if reason else "–"


def without(row: Mapping[str, object]) -> Words:
    """Return what an instance that changes a conclusion leaves, from its row of table influence."""
    key, reason = row["instance_id"], why(row["p_without"])
    if reason:
        return {
            "pt": f" Frágil: sem {key} p não tem valor ({reason}).",
            "en": f" Fragile: without {key} p has no value ({reason}).",
        }
    p = said_p(row["p_without"])
    return {"pt": f" Frágil: sem {key}, {p}.", "en": f" Fragile: without {key}, {p}."}


def interval(low: object, high: object) -> Words:
    """Return an interval in words, an empty text where it has no bounds; an infinite one is said as such."""
    bounds = [_bound(low), _bound(high)]
    if "" in bounds:
        return {"pt": "", "en": ""}
    return {
        "pt": f" (IC 95\u00a0% {bounds[0]} a {bounds[1]})",
        "en": f" (95\u00a0% CI {bounds[0]} to {bounds[1]})",
    }


def _bound(cell: object) -> str:
    if isinstance(cell, Undefined):
        return "∞" if cell.infinite else ""
    found = value(cell)
    return "" if found is None else number_words(found)
