"""What a comparison says: which study resolves more, and which measures differ on common instances."""

from typing import Any

from swe_assets.patch_quality.analysis.column_words import words
from swe_assets.patch_quality.analysis.finding import (
    ALPHA,
    Finding,
    Strength,
    Tables,
    below,
    interval,
    said,
    said_p,
    value,
)
from swe_assets.reporting.tables import Words


def comparison_findings(tables: Tables) -> list[Finding]:
    """Return each pair's paired difference in resolved rate, and the measures that differ after Holm."""
    if "comparison" not in tables:
        return []
    rates = [_rate(place, row) for place, row in enumerate(tables["comparison"].records())]
    return [*rates, *_metrics(tables)]


def _rate(place: int, row: dict[str, Any]) -> Finding:
    p, adjusted = value(row["p_mcnemar"]), value(row["p_holm"])
    points = 100 * (value(row["difference"]) or 0.0)
    span = interval(*(None if (v := value(row[end])) is None else 100 * v for end in ("low", "high")))
    strength: Strength = "none"
    if p is not None and p < ALPHA:
        held = below(adjusted) and below(row["p_clustered"])
        strength = "strong" if held else "moderate"
    apart = _apart(row) if strength == "moderate" else words("", "")
    lead = words(f"{row['a']} e {row['b']}", f"{row['a']} and {row['b']}")
    shown = (
        words("diferença não mostrada", "no difference is shown")
        if strength == "none"
        else words(
            f"{row['a' if points > 0 else 'b']} resolve mais",
            f"{row['a' if points > 0 else 'b']} resolves more",
        )
    )
    split = f"{row['only_a']}/{row['only_b']}"
    sentence = words(
        f"{lead['pt']}, {row['n']} instâncias comuns: {shown['pt']}; {points:+.1f} pontos{span['pt']}, "
        f"McNemar exato {said_p(p)}, só uma delas resolve {split}"
        f"{apart['pt']}.",
        f"{lead['en']}, {row['n']} common instances: {shown['en']}; {points:+.1f} points{span['en']}, exact "
        f"McNemar {said_p(p)}, resolved by one alone {split}"
        f"{apart['en']}.",
    )
    return Finding(sentence, strength, "comparison", place)


def _apart(row: dict[str, Any]) -> Words:
    """Return what repositories as clusters say against a difference, or why they say nothing of it."""
    if below(row["p_clustered"]):
        return words("", "")
    told = said_p(row["p_clustered"])
    return words(f"; com repositórios como grupos, {told}", f"; with repositories as clusters, {told}")


def _metrics(tables: Tables) -> list[Finding]:
    table, found = tables.get("comparison_metrics"), []
    if table is None:
        return []
    for place, row in enumerate(table.records()):
        adjusted = value(row["p_holm"])
        if adjusted is None or adjusted >= ALPHA:
            continue
        span, (pt, en) = interval(row["low"], row["high"]), ("", "")
        numbers = f"{said(row['difference'])}"
        pt = f"{row['metric']}: {row['a']} menos {row['b']} é em média {numbers}{span['pt']}"
        en = f"{row['metric']}: {row['a']} less {row['b']} is {numbers}{span['en']} on average"
        tail, apart = f"Holm {said_p(adjusted)}; n = {row['n']}", _apart(row)
        held = below(row["p_clustered"])
        told = words(f"{pt}; {tail}{apart['pt']}.", f"{en}; {tail}{apart['en']}.")
        finding = Finding(told, "strong" if held else "moderate", "comparison_metrics", place)
        found.append(finding.marked(table, row["metric"]))
    return found
