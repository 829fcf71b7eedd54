"""The rank correlations as tables: raw and corrected p, intervals, given size, and side by side."""

from itertools import combinations

from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.matrix import MEASURED, METRICS, SIDES
from swe_assets.reporting.tables import Table
from swe_assets.statistics import shapiro_wilk, spearman
from swe_assets.statistics.multiple_tests import benjamini_hochberg, holm
from swe_assets.statistics.normality import Normality
from swe_assets.statistics.numeric import Number, is_missing
from swe_assets.statistics.rank_correlation import RankCorrelation
from swe_assets.statistics.undefined import Undefined, Value

PAIRS = tuple(combinations(METRICS, 2))
_TOTALS = (
    words(
        "Os totais dizem sobretudo quão grande é o arquivo; a mudança é o que o patch fez.",
        "Whole-file totals mostly say how large the file is; the change is what the patch did.",
    ),
)


def sides_table(evidence: Evidence) -> Table | None:
    """Return rho and p of each pair by total, base and change side by side, or None without base or change.

    Pairs that involve one of the five measures; pass@1 and the ratings are the same on all three. Each side
    counts the rows that have both measures.
    """
    matrix = evidence.matrix
    if not matrix.sides:
        return None
    found = {side: _side(evidence, side) for side in SIDES}
    whole = spearman(matrix.columns)
    rows = []
    for a, b in PAIRS:
        if a in MEASURED or b in MEASURED:
            cells = [cell for side in SIDES for cell in found[side][a, b]]
            rows.append((a, b, whole.rho[a, b], whole.p[a, b], matrix.n, *cells))
    ends = ("total", *SIDES)
    named = columns("a", "b", *(f"{what}_{end}{kind}" for end in ends for what, kind in _CELLS))
    title = words("Totais, base e mudança lado a lado", "Totals, base and change side by side")
    return Table("spearman_sides", title, named, tuple(rows), _TOTALS, evidence.marks_of(*METRICS))


_CELLS = (("rho", ""), ("p", ":p"), ("n", ":integer"))


def _side(evidence: Evidence, side: str) -> dict[tuple[str, str], tuple[Value, Value, int]]:
    """Return rho, p and n of each pair with the measures of one side."""
    matrix = evidence.matrix

    def column(name: str) -> tuple[Number, ...] | None:
        return matrix.sides.get(f"{side}_{name}") if name in MEASURED else matrix.columns[name]

    found: dict[tuple[str, str], tuple[Value, Value, int]] = {}
    there = {name: values for name in METRICS if (values := column(name)) is not None}
    whole = spearman({name: values for name, values in there.items() if not any(map(is_missing, values))})
    for a, b in PAIRS:
        first, second = column(a), column(b)
        if first is None or second is None:
            why = Undefined(f"the matrix has no {side}_{a if first is None else b}")
            found[a, b] = (why, why, 0)
            continue
        if (a, b) in whole.rho:
            found[a, b] = (whole.rho[a, b], whole.p[a, b], matrix.n)
            continue
        pairs = [(x, y) for x, y in zip(first, second, strict=True) if not (is_missing(x) or is_missing(y))]
        ranks = spearman({"a": [x for x, _ in pairs], "b": [y for _, y in pairs]})
        found[a, b] = (ranks.rho["a", "b"], ranks.p["a", "b"], len(pairs))
    return found


def corrected(ranks: RankCorrelation) -> dict[tuple[str, str], tuple[Value, Value]]:
    """Return each pair's p by Holm and by Benjamini and Hochberg, over the family of all 36 pairs."""
    raw = [ranks.p[pair] for pair in PAIRS]
    both = zip(holm(raw).adjusted, benjamini_hochberg(raw).adjusted, strict=True)
    return dict(zip(PAIRS, both, strict=True))


def normality_table(evidence: Evidence) -> Table:
    """Return the Shapiro-Wilk test of each of the nine metrics."""
    rows: list[tuple[object, ...]] = []
    for name, values in evidence.matrix.columns.items():
        test = shapiro_wilk(values)
        if isinstance(test, Normality):
            rows.append((name, test.n, test.w, test.p, test.normal, test.note or None))
        else:
            rows.append((name, evidence.matrix.n, test, test, test, None))
    named = columns("column", "n", "W", "p", "normal", "note")
    title = words("Normalidade (Shapiro-Wilk)", "Normality (Shapiro-Wilk)")
    return Table("normality", title, named, tuple(rows), marks=evidence.marks_of(*METRICS))
