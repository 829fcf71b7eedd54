"""How numbers, reasons and the imbalance note are put into words, the same in every text."""

from collections.abc import Iterable, Sequence

from swe_assets.reporting.readable import p_words
from swe_assets.statistics.undefined import Undefined, Value


def plain(value: Value, digits: int = 4) -> str:
    """Return a number with so many decimals, in scientific notation where those would hide it, or a dash."""
    if isinstance(value, Undefined):
        return "∞" if value.infinite else "–"
    return f"{value:.{digits}g}" if abs(value) >= 1e6 else f"{value:.{digits}f}"


def p_text(value: Value) -> str:
    """Return a p value as everywhere in the reports (``p_words``), or a dash."""
    return "–" if isinstance(value, Undefined) else p_words(value)


def percent(part: int, whole: int) -> str:
    """Return a share in per cent with one decimal; the whole is not 0."""
    return f"{100 * part / whole:.1f}\u00a0%"


def imbalance_note(resolved: int, total: int) -> str:
    """Return the study's note on how unevenly the outcomes fall; total is not 0."""
    rarer = min(resolved, total - resolved)
    return (
        f"[Nota de limitação] {resolved} de {total} instâncias resolvidas ({percent(resolved, total)}); "
        f"a classe mais rara tem {rarer} ({percent(rarer, total)})."
    )


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown, its first column to the left and the others to the right."""
    lines = ["| " + " | ".join(header) + " |", "|" + ":--|" + "--:|" * (len(header) - 1)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)
