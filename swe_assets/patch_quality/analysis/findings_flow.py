"""What the flow says: how many instances the matrix holds, and whether those it lacks are like the others."""

from swe_assets.patch_quality.analysis.column_words import words
from swe_assets.patch_quality.analysis.finding import (
    Finding,
    Strength,
    Tables,
    below,
    said,
    said_p,
    said_share,
    value,
)
from swe_assets.reporting.reasons import in_words
from swe_assets.reporting.tables import Table


def flow_findings(tables: Tables) -> list[Finding]:
    """Return what is in the matrix, the largest loss, and the lost ones' resolved rate beside the others'."""
    if "flow" not in tables:
        return []
    rows = tables["flow"].records()
    return [
        _kept(rows),
        *_largest_loss(rows),
        *_not_random(tables.get("flow_tests")),
        *_scenarios(tables.get("missing_bounds")),
    ]


def _kept(rows: list[dict[str, object]]) -> Finding:
    first, last = rows[0], rows[-1]
    sentence = words(
        f"Das {first['n']} instâncias fixadas, {last['n']} estão na matriz; resolvidas são "
        f"{said_share(first['rate'])} das fixadas e {said_share(last['rate'])} das que estão na matriz.",
        f"Of {first['n']} pinned instances {last['n']} are in the matrix; resolved are "
        f"{said_share(first['rate'])} of the pinned and {said_share(last['rate'])} of those in the matrix.",
    )
    return Finding(sentence, "described", "flow", len(rows) - 1)


def _largest_loss(rows: list[dict[str, object]]) -> list[Finding]:
    lost = [(value(row["n"]) or 0, -place) for place, row in enumerate(rows) if row["reason"] is not None]
    if not lost:
        return []
    place = -max(lost)[1]
    row = rows[place]
    sentence = words(
        f"A maior perda: {row['n']} instância(s) em {row['step']} ({in_words(str(row['reason']), 'pt')}), "
        f"resolvidas {said_share(row['rate'])} delas.",
        f"The largest loss: {row['n']} instance(s) at {row['step']} ({row['reason']}), "
        f"{said_share(row['rate'])} of them resolved.",
    )
    return [Finding(sentence, "described", "flow", place)]


def _not_random(table: Table | None) -> list[Finding]:
    """Return the resolved rate of the lost beside the matrix', and each reason that differs after Holm.

    The rows are of table flow_tests; strong is what holds after correction over all of them.
    """
    if table is None:
        return []
    rows = [(place, row) for place, row in enumerate(table.records()) if value(row["p"]) is not None]
    return [_lost(place, row) for place, row in rows if row["reason"] is None or below(row["p_holm"])]


def _lost(place: int, row: dict[str, object]) -> Finding:
    strength: Strength = "strong" if below(row["p_holm"]) else "moderate" if below(row["p"]) else "none"
    reason = str(row["reason"])
    pt, en = "", ""
    if row["reason"] is not None:
        pt, en = f" ({row['step']}, {in_words(reason, 'pt')})", f" ({row['step']}, {reason})"
    lead = (
        words(f"Não se mostra que as que faltam{pt} difiram", f"The missing{en} are not shown to differ")
        if strength == "none"
        else words(f"As que faltam{pt} não são uma parte ao acaso", f"The missing{en} are not a random part")
    )
    shares = f"{row['resolved_lost']}/{row['n_lost']}", f"{row['resolved_kept']}/{row['n_kept']}"
    tests = f"{said_p(row['p'])}, Holm {said_p(row['p_holm'])}"
    sentence = words(
        f"{lead['pt']}: resolvidas {shares[0]} das perdidas e {shares[1]} das que ficaram (Fisher exato, "
        f"{tests}).",
        f"{lead['en']}: resolved are {shares[0]} of the lost and {shares[1]} of those kept (Fisher's exact "
        f"{tests}).",
    )
    return Finding(sentence, strength, "flow_tests", place)


def _scenarios(table: Table | None) -> list[Finding]:
    """Return which correlations with pass@1 change their sign between the two scenarios for the missing.

    Scenarios are no test and no bounds: where no sign changes that is described, not shown.
    """
    if table is None:
        return []
    rows = [(place, row) for place, row in enumerate(table.records()) if row["a"] == "pass@1"]
    measures = [str(row["b"]) for _place, row in rows]
    told = [(place, row) for place, row in rows if _has_both(row)]
    if rows and not told:
        sentence = words(
            "Nenhuma correlação com pass@1 tem valor nos dois cenários do que falta.",
            "No correlation with pass@1 has a value in both scenarios for the missing.",
        )
        return [Finding(sentence, "undefined", "missing_bounds", rows[0][0]).marked(table, *measures)]
    turned = [(place, row) for place, row in told if _turns(row)]
    if not turned:
        sentence = words(
            f"Nenhuma das {len(told)} correlações com pass@1 que têm valor nos dois cenários do que falta "
            "troca de sinal entre eles.",
            f"None of the {len(told)} correlations with pass@1 that have a value in both scenarios for the "
            "missing changes its sign between them.",
        )
        return [Finding(sentence, "described", "missing_bounds", told[0][0]).marked(table, *measures)]
    names = ", ".join(str(row["b"]) for _place, row in turned)
    example = turned[0][1]
    span = f"{said(example['rho_worst'])}", f"{said(example['rho_best'])}"
    sentence = words(
        f"{len(turned)} de {len(told)} correlações com pass@1 trocam de sinal entre os dois cenários do que "
        f"falta ({names}; por exemplo, {example['b']}: de {span[0]} a {span[1]}).",
        f"{len(turned)} of {len(told)} correlations with pass@1 change their sign between the two scenarios "
        f"for the missing ({names}; {example['b']}, for one, from {span[0]} to {span[1]}).",
    )
    found = Finding(sentence, "fragile", "missing_bounds", turned[0][0])
    return [found.marked(table, *(str(row["b"]) for _place, row in turned))]


def _has_both(row: dict[str, object]) -> bool:
    return value(row["rho_best"]) is not None and value(row["rho_worst"]) is not None


def _turns(row: dict[str, object]) -> bool:
    return (value(row["rho_best"]) or 0.0) * (value(row["rho_worst"]) or 0.0) < 0
