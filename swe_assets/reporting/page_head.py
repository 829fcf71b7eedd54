"""The head and the foot of the page: what was found, the key numbers, what is not there, the manifest."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from swe_assets.llm.plain_text import visible
from swe_assets.reporting.figure_style import number
from swe_assets.reporting.latex import mark_words
from swe_assets.reporting.page_tables import MOST_ROWS, Badge, badges
from swe_assets.reporting.readable import readable
from swe_assets.reporting.reasons import in_words
from swe_assets.reporting.section_words import SECTION_WORDS
from swe_assets.reporting.table_shape import Analysis
from swe_assets.reporting.words import MANIFEST_KEYS, MARKS, language, named, word

PARTS = ("settings", "labels", "provenance")
"""The parts of the manifest whose keys are its own."""
Told: TypeAlias = "str | list[Told] | dict[str, Told]"


@dataclass(frozen=True)
class FindingLine:
    """One finding as it is shown: its sentence without the marks that led it, these as badges."""

    order: int
    sentence: str
    strength: str
    certainty: str
    badges: tuple[Badge, ...]
    anchor: str


@dataclass(frozen=True)
class Fact:
    """One of the key numbers at the head of the page."""

    value: str
    label: str


def finding_lines(analysis: Analysis, lang: str, name: str = "findings") -> list[FindingLine]:
    """Return a table's findings in their order, each with the anchor of the row it was read from."""
    if name not in analysis.tables:
        return []
    found = []
    for row in analysis.tables[name].records():
        sentence, marks = _without_marks(str(row[lang]), lang)
        strength = str(row["strength"])
        anchor = _anchor(analysis, str(row["table"]), row["row"])
        found.append(
            FindingLine(
                row["order"], visible(sentence), strength, named(strength, lang), badges(marks, lang), anchor
            )
        )
    return found


def facts(analysis: Analysis, lang: str) -> list[Fact]:
    """Return the key numbers: pinned, in the matrix, resolved rate; of a comparison its studies."""
    tables = analysis.tables
    if "flow" in tables:
        first, last = tables["flow"].records()[0], tables["flow"].records()[-1]
        return list(
            _facts(
                lang,
                (first["n"], "integer", named("pinned", lang)),
                (last["n"], "integer", named("in_matrix", lang)),
                (last["rate"], "share", f"{word('resolved', lang)}, {named('in_matrix', lang)}"),
            )
        )
    if "fit" in tables and tables["fit"].rows:
        row = tables["fit"].records()[0]
        return list(
            _facts(
                lang,
                (row["n"], "integer", named("in_matrix", lang)),
                (row["rate"], "share", word("resolved", lang)),
            )
        )
    if "comparison_studies" in tables:
        rows = tables["comparison_studies"].records()
        return [Fact(readable(row["rate"], "share", lang), visible(str(row["study"]))) for row in rows]
    return []


def banners(analysis: Analysis, lang: str) -> list[tuple[str, str]]:
    """Return (mark, words) of each mark that a table bears; a stand-in is named where the manifest does."""
    marks = frozenset().union(*(table.marks for table in analysis.tables.values()))
    labels = analysis.manifest.get("labels")
    stand_in = labels.get("stand_in") if isinstance(labels, Mapping) else None
    named_too = f" [{visible(in_words(str(stand_in), lang))}]" if stand_in else ""
    return [
        (one.mark, one.full + (named_too if one.mark == "stand_in" else "")) for one in badges(marks, lang)
    ]


def absences(analysis: Analysis, lang: str) -> list[tuple[str, str]]:
    """Return (what, why) of each table that is not in the report and whose reason is told."""
    told_of = analysis.manifest.get("absent")
    if not isinstance(told_of, Mapping):
        return []
    return [
        (word(name, lang) if name in SECTION_WORDS else named(name, lang), visible(str(why[lang])))
        for name, why in told_of.items()
        if isinstance(why, Mapping) and why.get(lang)
    ]


def told_manifest(manifest: Mapping[str, Any], lang: str) -> Told:
    """Return the manifest for the page, its own keys in a language; names that users gave stay."""
    shown: dict[str, Told] = {}
    for key, value in manifest.items():
        if key in PARTS and isinstance(value, Mapping):
            put = told if key != "labels" else lambda inner: told(_in_words(inner, lang))
            shown[named_key(key, lang)] = {named_key(str(k), lang): put(v) for k, v in value.items()}
        else:
            shown[named_key(key, lang)] = told(value)
    return shown


def _in_words(value: Any, lang: str) -> Any:
    return in_words(value, lang) if isinstance(value, str) else value


def named_key(key: str, lang: str) -> str:
    """Return what a key of the manifest is called, the key itself where it has no words.

    >>> named_key("inputs", "pt"), named_key("scipy", "pt")
    ('entradas', 'scipy')
    """
    pair = MANIFEST_KEYS.get(key)
    return pair[language(lang)] if pair else visible(key)


def told(value: Any) -> Told:
    """Return a value of the manifest for the page: mappings and lists as such, all else as visible text."""
    if isinstance(value, Mapping):
        return {visible(str(key)): told(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [told(inner) for inner in value]
    if value is None:
        return "–"
    return visible(str(value).lower() if isinstance(value, bool) else str(value))


def _facts(lang: str, *cells: tuple[object, Any, str]) -> Iterator[Fact]:
    for value, kind, label in cells:
        if number(value) is not None:
            yield Fact(readable(value, kind, lang), label)


def _without_marks(sentence: str, lang: str) -> tuple[str, frozenset[str]]:
    """Return a sentence without the full marks that lead it, and these marks."""
    found: set[str] = set()
    rest = sentence
    while True:
        lead = next((mark for mark in MARKS if rest.startswith(f"[{mark_words(mark, lang)}] ")), None)
        if lead is None:
            return rest, frozenset(found)
        found.add(lead)
        rest = rest[len(f"[{mark_words(lead, lang)}] ") :]


def _anchor(analysis: Analysis, table: str, row: object) -> str:
    """Return the place of a row on the page, of its table where that row is not shown."""
    rows = len(analysis.tables[table].rows) if table in analysis.tables else 0
    shown = isinstance(row, int) and row < min(MOST_ROWS, rows)
    return f"t-{table}-{row}" if shown else f"t-{table}"
