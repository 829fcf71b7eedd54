"""Whether what the flow lost is like what it kept: Fisher's exact test of the resolved, corrected."""

from collections.abc import Sequence

from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.flow_table import flow_table
from swe_assets.reporting.tables import Column, Table
from swe_assets.statistics import holm
from swe_assets.statistics.undefined import Undefined, Value

ALL = "all"
COLUMNS = (
    *columns("step", "reason"),
    Column("n_lost", words("perdidas", "lost"), "integer"),
    Column("resolved_lost", words("resolvidas das perdidas", "resolved of the lost"), "integer"),
    Column("n_kept", words("na matriz", "in the matrix"), "integer"),
    Column("resolved_kept", words("resolvidas na matriz", "resolved in the matrix"), "integer"),
    *columns("p", "p_holm"),
)
_NOTES = (
    words(
        "p exato de Fisher, bilateral: as perdidas contra as que estão na matriz, todas (step = all) e por "
        "motivo; Holm sobre as linhas da tabela.",
        "Fisher's exact p, two-sided: the lost against those in the matrix, all of them (step = all) and by "
        "reason; Holm over the rows of the table.",
    ),
)


def flow_tests_table(evidence: Evidence) -> Table | None:
    """Return Fisher's test of all that was lost, and of each of several reasons, against the kept.

    None where only the matrix is known or nothing was lost. Undefined where an outcome is not known.
    Reference: R. A. Fisher (1922), doi:10.2307/2340521.
    """
    flow = flow_table(evidence)
    if flow is None:
        return None
    rows = flow.records()
    pinned, kept = rows[0], rows[-1]
    reasons = [row for row in rows if row["reason"] is not None]
    if not reasons:
        return None
    lost: list[Sequence[object]] = [
        (ALL, None, pinned["n"] - kept["n"], _less(pinned["resolved"], kept["resolved"]))
    ]
    if len(reasons) > 1:
        lost += [(row["step"], row["reason"], row["n"], row["resolved"]) for row in reasons]
    p = [fisher_p(int(str(n)), resolved, kept["n"], kept["resolved"]) for _step, _why, n, resolved in lost]
    tested = zip(lost, p, holm(p).adjusted, strict=True)
    told = tuple((*one, kept["n"], kept["resolved"], raw, adjusted) for one, raw, adjusted in tested)
    title = words("As que faltam são como as outras?", "Are the missing like the others?")
    return Table("flow_tests", title, COLUMNS, told, _NOTES)


def fisher_p(n: int, resolved: object, n_kept: int, resolved_kept: object) -> Value:
    """Return Fisher's exact two-sided p of two resolved rates, or which outcome is not known.

    >>> round(float(fisher_p(4, 3, 4, 1)), 6)  # the tea tasting, both sides
    0.485714
    """
    import numpy as np
    from scipy.stats import fisher_exact

    for cell in (resolved, resolved_kept):
        if isinstance(cell, Undefined):
            return cell
    a, b = int(str(resolved)), int(str(resolved_kept))
    return float(fisher_exact(np.array([[a, n - a], [b, n_kept - b]])).pvalue)


def _less(whole: object, part: object) -> object:
    """Return how many more the whole has, or why one of the two is not known."""
    unknown = next((cell for cell in (whole, part) if isinstance(cell, Undefined)), None)
    return unknown or int(str(whole)) - int(str(part))
