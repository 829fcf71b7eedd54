"""What the rank correlations say: which measures go with pass@1, and how far one can lean on it."""

from typing import Any

from swe_assets.patch_quality.analysis.column_words import words
from swe_assets.patch_quality.analysis.finding import (
    Finding,
    Strength,
    Tables,
    below,
    interval,
    said,
    said_p,
    value,
    why,
    without,
)
from swe_assets.reporting.tables import Table, Words

MOST = 3
RHO = "spearman"


def correlation_findings(tables: Tables) -> list[Finding]:
    """Return the strongest correlations with pass@1, those without a value, and totals beside the change."""
    if RHO not in tables:
        return []
    table = tables[RHO]
    rows = [(place, row) for place, row in enumerate(table.records()) if row["a"] == "pass@1"]
    shown = sorted((item for item in rows if below(item[1]["p"])), key=lambda item: -abs(item[1]["rho"]))
    found = [_related(table, place, row, _carrier(tables, row)) for place, row in shown[:MOST]]
    if not shown:
        found = _nothing(table, rows)
    return [*found, *_undefined(table, rows), *_sides(tables)]


def _related(table: Table, place: int, row: dict[str, Any], carrier: dict[str, Any] | None) -> Finding:
    wider, holds_zero = _by_repository(row)
    strength: Strength = "strong" if below(row["p_holm"]) and not holds_zero else "moderate"
    span, way = interval(row["ci_low"], row["ci_high"]), row["rho"] > 0
    tail = words("", "")
    if carrier is not None:
        strength = "fragile"
        tail = without(carrier)
    partial = value(row["partial_rho_given_size"])
    size = words("", "")
    if partial is not None:
        numbers = f"{said(partial)}, {said_p(row['partial_p'])}"
        size = words(f"; dado o tamanho, ρ = {numbers}", f"; given size, ρ = {numbers}")
    numbers = f"{said_p(row['p'])}; Holm {said_p(row['p_holm'])}; n = {row['n']}"
    sentence = words(
        f"{row['b']} é {'maior' if way else 'menor'} onde o patch resolve: ρ = {said(row['rho'])}"
        f"{span['pt']}, {numbers}{size['pt']}{wider['pt']}.{tail['pt']}",
        f"{row['b']} is {'larger' if way else 'smaller'} where the patch resolves: ρ = {said(row['rho'])}"
        f"{span['en']}, {numbers}{size['en']}{wider['en']}.{tail['en']}",
    )
    return Finding(sentence, strength, RHO, place).marked(table, row["b"])


def _by_repository(row: dict[str, Any]) -> tuple[Words, bool]:
    """Return what resampling repositories says where it is the wider or holds 0, and whether any holds 0."""
    plain = value(row["ci_low"]), value(row["ci_high"])
    grouped = value(row["repo_low"]), value(row["repo_high"])
    holds_zero = _holds_zero(plain) or _holds_zero(grouped)
    if _width(grouped) <= _width(plain) and not _holds_zero(grouped):
        return words("", ""), holds_zero
    span = interval(*grouped)
    return words(
        f"; com repositórios inteiros reamostrados{span['pt']}",
        f"; with whole repositories resampled{span['en']}",
    ), holds_zero


def _holds_zero(bounds: tuple[float | None, float | None]) -> bool:
    low, high = bounds
    return low is not None and high is not None and low <= 0 <= high


def _width(bounds: tuple[float | None, float | None]) -> float:
    low, high = bounds
    return -1.0 if low is None or high is None else high - low


def _carrier(tables: Tables, row: dict[str, Any]) -> dict[str, Any] | None:
    """Return the row of influence that says one instance carries a correlation, or None."""
    if "influence" not in tables:
        return None
    term = f"{row['a']} × {row['b']}"
    rows = tables["influence"].records()
    return next(
        (r for r in rows if r["model"] == RHO and r["term"] == term and r["changes_conclusion"] is True), None
    )


def _only_size(table: Table, names: set[str]) -> bool:
    """Return whether each of the measures has a p given size, and none that is below 0.05."""
    rows = [row for row in table.records() if row["a"] == "pass@1" and row["b"] in names]
    given = [row["partial_p"] for row in rows]
    return bool(given) and all(value(p) is not None and not below(p) for p in given)


def _nothing(table: Table, rows: list[tuple[int, dict[str, Any]]]) -> list[Finding]:
    defined = [(value(row["p"]), place, row) for place, row in rows if value(row["p"]) is not None]
    if not defined:
        return []
    _p, place, row = min(defined, key=lambda item: (item[0], item[1]))
    sentence = words(
        f"Nenhuma medida se mostra ligada a pass@1 ao nível de 0.05; a mais próxima, {row['b']}: "
        f"ρ = {said(row['rho'])}, {said_p(row['p'])}. Não mostrado não é o mesmo que ausente.",
        f"No measure is shown to go with pass@1 at the 0.05 level; the nearest, {row['b']}: "
        f"ρ = {said(row['rho'])}, {said_p(row['p'])}. Not shown is not the same as absent.",
    )
    return [Finding(sentence, "none", RHO, place).marked(table, row["b"])]


def _undefined(table: Table, rows: list[tuple[int, dict[str, Any]]]) -> list[Finding]:
    lacking = [(place, row) for place, row in rows if why(row["rho"])]
    if not lacking:
        return []
    names = ", ".join(str(row["b"]) for _place, row in lacking)
    reasons = "; ".join(dict.fromkeys(why(row["rho"]) for _place, row in lacking))
    sentence = words(
        f"Indefinida: a correlação de pass@1 com {names} ({reasons}).",
        f"Undefined: the correlation of pass@1 with {names} ({reasons}).",
    )
    found = Finding(sentence, "undefined", RHO, lacking[0][0])
    return [found.marked(table, *(str(row["b"]) for _place, row in lacking))]


def _sides(tables: Tables) -> list[Finding]:
    """Return for which measures the whole file is shown to be related to pass@1 and the change is not.

    Shown and not shown is no test of a difference between the two, and the sentence claims none. That the
    file's size is what they tell is said where none of them is shown to go with pass@1 given size.
    """
    table = tables.get("spearman_sides")
    if table is None:
        return []
    rows = [(place, row) for place, row in enumerate(table.records()) if row["a"] == "pass@1"]
    both = [(place, row) for place, row in rows if value(row["p_delta"]) is not None]
    only = [(place, row) for place, row in both if below(row["p_total"]) and not below(row["p_delta"])]
    if not only:
        return []
    place, row = only[0]
    names = ", ".join(str(row["b"]) for _place, row in only)
    numbers = f"ρ = {said(row['rho_total'])}", f"ρ = {said(row['rho_delta'])}, {said_p(row['p_delta'])}"
    size = words("", "")
    if _only_size(tables[RHO], {str(row["b"]) for _place, row in only}):
        size = words(
            " Dado o tamanho do arquivo, nenhuma delas se mostra ligada a pass@1.",
            " Given the file's size, none of them is shown to be related to pass@1.",
        )
    carrier = next((one for _place, row in only if (one := _carrier(tables, row)) is not None), None)
    tail = words("", "") if carrier is None else without(carrier)
    sentence = words(
        f"Mostram-se ligadas a pass@1 no arquivo inteiro, e não na mudança: {names} ({row['b']}: "
        f"{numbers[0]} no total; {numbers[1]} na mudança).{size['pt']}{tail['pt']}",
        f"Shown to be related to pass@1 in the whole file, not shown in the change: {names} ({row['b']}: "
        f"{numbers[0]} in total; {numbers[1]} in the change).{size['en']}{tail['en']}",
    )
    found = Finding(sentence, "moderate" if carrier is None else "fragile", "spearman_sides", place)
    return [found.marked(table, *(str(row["b"]) for _place, row in only))]
