"""What the tables about judges come to: agreement, quality and steadiness, in sentences of both languages."""

from collections.abc import Iterable, Mapping
from typing import Any

from swe_assets.errors import ReportError
from swe_assets.patch_quality.analysis import agreement_tables, consistency_tables, quality_tables
from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.finding import Finding, Strength, Tables, shown_apart, value, why
from swe_assets.reporting.readable import readable
from swe_assets.reporting.reasons import in_words
from swe_assets.reporting.tables import Analysis, Table, Words

NAME = "judge_findings"
AGREEMENT, QUALITY, CONSISTENCY = agreement_tables.NAME, quality_tables.NAME, consistency_tables.NAME
TABLES = (
    f"{AGREEMENT}_juri", AGREEMENT, f"{AGREEMENT}_pares", QUALITY, f"{QUALITY}_refutados", CONSISTENCY,
    f"{CONSISTENCY}_formas",
)  # fmt: skip
"""Their tables that a report shows, in its order."""
_FORMS = {"order": ("o patch primeiro", "the patch first"), "wording": ("outras palavras", "other words")}
_NOTES = (
    words(
        "Frases feitas das tabelas dos ativos acordo_juizes, qualidade_juiz e consistencia_juiz.",
        "Sentences made from the tables of the assets acordo_juizes, qualidade_juiz and consistencia_juiz.",
    ),
)


def shown_tables(assets: Mapping[str, Analysis]) -> dict[str, Table]:
    """Return the tables about judges that a report shows, and before them the sentences made from them.

    Raises ReportError where a table lacks what its sentences tell.
    """
    there = {name: table for one in assets.values() for name, table in one.tables.items()}
    found = {name: there[name] for name in TABLES if name in there}
    try:
        return {NAME: judge_findings_table(found), **found} if found else {}
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as wrong:
        raise ReportError(
            f"the tables about judges ({', '.join(assets)}) lack or garble {wrong}; run the study again"
        ) from wrong


def judge_findings_table(tables: Tables) -> Table:
    """Return the findings on the judges in order, each with the table and row (from 0) it was read from."""
    found = [*agreement_findings(tables), *quality_findings(tables), *consistency_findings(tables)]
    rows = tuple(
        (place, one.sentence["pt"], one.sentence["en"], one.strength, one.table, one.row)
        for place, one in enumerate(found, start=1)
    )
    named = columns("order", "pt", "en", "strength", "table", "row")
    marks = frozenset().union(*(tables[one.table].marks for one in found)) if found else frozenset()
    return Table(
        NAME,
        words("O que se achou sobre os juízes", "What was found on the judges"),
        named,
        rows,
        _NOTES,
        marks,
    )


def agreement_findings(tables: Tables) -> list[Finding]:
    """Return how far the jury agrees, then alpha of each measure; of one judge that nobody can agree."""
    jury = tables.get(f"{AGREEMENT}_juri")
    if jury is None or not jury.rows:
        return []
    row = jury.records()[0]
    if why(row["unanimous"]):
        pt, en = _judged(row["n"])
        sentence = words(
            f"Sem acordo a medir: {pt} por um só juiz.", f"No agreement to measure: {en} by one judge alone."
        )
        return [Finding(sentence, "undefined", jury.name, 0).marked(jury, "judge")]
    (pt, en), judges = _judged(row["n"]), row["judges"]
    share = {lang: readable(row["unanimous"], "share", lang) for lang in ("pt", "en")}
    sentence = words(
        f"{judges} juízes, {pt}: unânimes em {share['pt']}; empates: {row['ties']}.",
        f"{judges} judges, {en}: unanimous on {share['en']}; ties: {row['ties']}.",
    )
    return [Finding(sentence, "described", jury.name, 0).marked(jury, "judge"), *_alphas(tables[AGREEMENT])]


def quality_findings(tables: Tables) -> list[Finding]:
    """Return each judge's MCC, sensitivity and specificity, and what it said of patches that do nothing."""
    table, refuted = tables.get(QUALITY), tables.get(f"{QUALITY}_refutados")
    if table is None or refuted is None:
        return []
    said: dict[str, dict[str, tuple[int, dict[str, Any]]]] = {}
    for place, row in enumerate(table.records()):
        said.setdefault(str(row["judge"]), {})[str(row["statistic"])] = place, row
    nothing = {row["judge"]: row for row in refuted.records() if row["reason"] == "all"}
    return [_quality(table, judge, rows, nothing[judge]) for judge, rows in said.items() if judge in nothing]


def consistency_findings(tables: Tables) -> list[Finding]:
    """Return how often each judge changes its verdict; where it was not asked for, that it was not."""
    table, forms = tables.get(CONSISTENCY), tables.get(f"{CONSISTENCY}_formas")
    if table is None or forms is None:
        return []
    if consistency_tables.NOT_ASKED in table.notes:
        sentence = words(
            "Consistência não pedida: os vereditos foram dados uma só vez.",
            "Consistency was not asked for: the verdicts were given once.",
        )
        return [Finding(sentence, "undefined", table.name, 0)]
    again = words("a mesma pergunta de novo", "the same question again")
    found = [_flips(table, place, row, again) for place, row in enumerate(table.records())]
    rows = enumerate(forms.records())
    return [
        *found,
        *(_flips(forms, at, row, words(*_FORMS.get(row["form"], (row["form"],) * 2))) for at, row in rows),
    ]


def _alphas(table: Table) -> Iterable[Finding]:
    for place, row in enumerate(table.records()):
        found = _with_interval(row["alpha"], row["low"], row["high"])
        sentence = words(
            f"{row['measure']}: alfa de Krippendorff {found['pt']}.",
            f"{row['measure']}: Krippendorff's alpha {found['en']}.",
        )
        strength: Strength = "undefined" if why(row["alpha"]) else "described"
        yield Finding(sentence, strength, table.name, place).marked(table, "judge")


def _quality(
    table: Table, judge: str, rows: Mapping[str, tuple[int, dict[str, Any]]], nothing: dict[str, Any]
) -> Finding:
    place, mcc = rows["mcc"]
    shown = {
        name: _with_interval(row["value"], row["low"], row["high"], "number" if name == "mcc" else "share")
        for name, (_place, row) in rows.items()
        if name in ("mcc", "sensitivity", "specificity")
    }
    counts = f"{nothing['said_resolved']}", f"{nothing['n']}"
    sentence = words(
        f"{judge}: MCC {shown['mcc']['pt']}; sensibilidade {shown['sensitivity']['pt']}, especificidade "
        f"{shown['specificity']['pt']}; «resolvida» dita de {counts[0]} de {counts[1]} patches que nada "
        "resolvem.",
        f"{judge}: MCC {shown['mcc']['en']}; sensitivity {shown['sensitivity']['en']}, specificity "
        f'{shown["specificity"]["en"]}; "resolved" said of {counts[0]} of {counts[1]} patches that do '
        "nothing.",
    )
    strength = shown_apart(value(mcc["low"]), value(mcc["high"]))
    found = Finding(sentence, "undefined" if why(mcc["value"]) else strength, table.name, place)
    return found.marked(table, "judge")


def _flips(table: Table, place: int, row: dict[str, Any], how: Words) -> Finding:
    share = _with_interval(row["flipped"], row["flipped_low"], row["flipped_high"], "share")
    sentence = words(
        f"{row['judge']}, {how['pt']}: muda de veredito em {share['pt']} de {row['n']} instâncias; chamadas "
        f"sem veredito: {row['failed']}.",
        f"{row['judge']}, {how['en']}: changes its verdict on {share['en']} of {row['n']} instances; calls "
        f"without a verdict: {row['failed']}.",
    )
    strength: Strength = "undefined" if why(row["flipped"]) else "described"
    return Finding(sentence, strength, table.name, place).marked(table, "judge")


def _judged(count: int) -> tuple[str, str]:
    one = count == 1
    return (
        f"{count} {'instância julgada' if one else 'instâncias julgadas'}",
        f"{count} instance{'' if one else 's'} judged",
    )


def _with_interval(cell: object, low: object, high: object, kind: str = "number") -> Words:
    """Return a value with its interval, or that it or the interval is undefined, and why."""
    if reason := why(cell):
        return words(f"indefinido ({in_words(reason, 'pt')})", f"undefined ({reason})")
    shown = {lang: readable(cell, kind, lang) for lang in ("pt", "en")}
    if reason := why(low) or why(high):
        return words(
            f"{shown['pt']} (IC indefinido: {in_words(reason, 'pt')})", f"{shown['en']} (no CI: {reason})"
        )
    ends = {lang: (readable(low, kind, lang), readable(high, kind, lang)) for lang in ("pt", "en")}
    return words(
        f"{shown['pt']} (IC 95 % {ends['pt'][0]} a {ends['pt'][1]})",
        f"{shown['en']} (95 % CI {ends['en'][0]} to {ends['en'][1]})",
    )
