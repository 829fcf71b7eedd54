"""What the flow says: how many instances the matrix holds, and whether those it lacks are like the others."""

from swe_assets.patch_quality.analysis.column_words import words
from swe_assets.patch_quality.analysis.finding import ALPHA, Finding, Tables, said, said_share, value
from swe_assets.reporting.tables import Table


def flow_findings(tables: Tables) -> list[Finding]:
    """Return what is in the matrix, the largest loss, and the lost ones' resolved rate beside the others'."""
    if "flow" not in tables:
        return []
    rows = tables["flow"].records()
    return [_kept(rows), *_largest_loss(rows), *_not_random(rows), *_bounds(tables.get("missing_bounds"))]


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
        f"A maior perda: {row['n']} instância(s) em {row['step']} ({row['reason']}), resolvidas "
        f"{said_share(row['rate'])} delas.",
        f"The largest loss: {row['n']} instance(s) at {row['step']} ({row['reason']}), "
        f"{said_share(row['rate'])} of them resolved.",
    )
    return [Finding(sentence, "described", "flow", place)]


def _not_random(rows: list[dict[str, object]]) -> list[Finding]:
    """Return the resolved rate of the lost beside that of the matrix, with Fisher's exact p of the two."""
    import numpy as np
    from scipy.stats import fisher_exact

    ends = [(value(row["n"]), value(row["resolved"])) for row in (rows[0], rows[-1])]
    (pinned, all_resolved), (kept, kept_resolved) = ends
    if pinned is None or kept is None or all_resolved is None or kept_resolved is None or pinned == kept:
        return []
    lost, lost_resolved = pinned - kept, all_resolved - kept_resolved
    table = [[lost_resolved, lost - lost_resolved], [kept_resolved, kept - kept_resolved]]
    p = float(fisher_exact(np.array(table)).pvalue)
    apart, end = p < ALPHA, len(rows) - 1
    lead = (
        words("As que faltam não são uma parte ao acaso", "The missing are not a random part")
        if apart
        else words("Não se mostra que as que faltam difiram", "The missing are not shown to differ")
    )
    numbers = f"{lost_resolved:.0f}/{lost:.0f}", f"{kept_resolved:.0f}/{kept:.0f}", f"{p:.3g}"
    sentence = words(
        f"{lead['pt']}: resolvidas {numbers[0]} das perdidas e {numbers[1]} das que ficaram (Fisher exato, "
        f"p = {numbers[2]}).",
        f"{lead['en']}: resolved are {numbers[0]} of the lost and {numbers[1]} of those kept (Fisher's exact "
        f"p = {numbers[2]}).",
    )
    return [Finding(sentence, "strong" if apart else "none", "flow", end)]


def _bounds(table: Table | None) -> list[Finding]:
    """Return which correlations with pass@1 change their sign between the two scenarios for the missing."""
    if table is None:
        return []
    rows = [(place, row) for place, row in enumerate(table.records()) if row["a"] == "pass@1"]
    turned = [(place, row) for place, row in rows if _turns(row)]
    if not turned:
        sentence = words(
            "Nenhuma correlação com pass@1 troca de sinal entre o melhor e o pior caso do que falta.",
            "No correlation with pass@1 changes its sign between the best and worst case for the missing.",
        )
        return [Finding(sentence, "strong", "missing_bounds", 0)]
    names = ", ".join(str(row["b"]) for _place, row in turned)
    example = turned[0][1]
    span = f"{said(example['rho_worst'])}", f"{said(example['rho_best'])}"
    sentence = words(
        f"{len(turned)} de {len(rows)} correlações com pass@1 trocam de sinal entre os dois casos do que "
        f"falta ({names}; por exemplo, {example['b']}: de {span[0]} a {span[1]}).",
        f"{len(turned)} of {len(rows)} correlations with pass@1 change their sign between the two cases for "
        f"the missing ({names}; {example['b']}, for one, from {span[0]} to {span[1]}).",
    )
    found = Finding(sentence, "fragile", "missing_bounds", turned[0][0])
    return [found.marked(table, *(str(row["b"]) for _place, row in turned))]


def _turns(row: dict[str, object]) -> bool:
    best, worst = value(row["rho_best"]), value(row["rho_worst"])
    return best is not None and worst is not None and best * worst < 0
