"""Fragility: what each coefficient and each correlation with pass@1 becomes without one instance."""

import math
from collections.abc import Iterable, Mapping, Sequence

from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.logit_tables import Fitted
from swe_assets.patch_quality.analysis.matrix import METRICS, OUTCOME
from swe_assets.reporting.tables import Table
from swe_assets.statistics import spearman
from swe_assets.statistics.influence import LeftOut, TermInfluence, leave_one_out
from swe_assets.statistics.numeric import Number
from swe_assets.statistics.undefined import Undefined, Value

ALPHA = 0.05
WEIGHTIEST = 10  # rows of a correlation that are left out, one at a time
MANY = 20_000  # rows above which the first model and the weightiest row alone are looked at
MOST_TURNING = 10  # rows of a term that are listed
COLUMNS = columns(
    "model", "kind", "term", "coef", "p", "instance_id", "coef_without", "p_without", "changes_conclusion"
)
_NOTES = (
    words(
        "Por termo: a instância sem a qual o coeficiente é menor, a sem a qual é maior, e até dez que mudam "
        "a conclusão a 0.05. Em model = spearman o coeficiente é ρ; a que mais pesa contra a conclusão.",
        "Per term: the instance without which the coefficient is smallest, the one without which it is "
        "largest, and up to ten that change the conclusion at 0.05. For model = spearman the coefficient is "
        "ρ; the instance that weighs most against the conclusion.",
    ),
)


def influence_table(evidence: Evidence, found: Iterable[Fitted]) -> Table:
    """Return the most influential instances of each model's leading estimator and of each rho with pass@1."""
    fits = list(found)
    if evidence.matrix.n > MANY:
        fits = fits[:1]
    rows = [row for fit in fits for row in _model_rows(fit)]
    rows += _correlation_rows(evidence)
    title = words("O que depende de uma instância", "What hangs on one instance")
    return Table("influence", title, COLUMNS, tuple(rows), _NOTES, evidence.marks_of(*METRICS))


def _model_rows(fit: Fitted) -> list[tuple[object, ...]]:
    """Return the rows of one model, none where no estimator leads."""
    kind = fit.leads
    if kind not in ("ml", "firth"):
        return []
    influence = leave_one_out(fit.model.outcome, fit.model.predictors, method=kind)
    if isinstance(influence, Undefined):
        return []
    rows: list[tuple[object, ...]] = []
    for term in influence.terms:
        whole = (fit.model.name, kind, term.name, term.coef, term.p)
        turning = [one for one in term.turning if one.p is None or math.isfinite(one.p)]
        rows += [
            (*whole, fit.model.ids[one.row], *_without(one), one in turning) for one in _listed(term, turning)
        ]
    return rows


def _listed(term: TermInfluence, turning: Sequence[LeftOut]) -> list[LeftOut]:
    """Return the instances that move a term most either way, then those that turn its conclusion."""
    found = (term.lowest, term.highest, *turning[:MOST_TURNING])
    return list({one.row: one for one in found if one.row >= 0}.values())


def _without(one: LeftOut) -> tuple[Value, Value]:
    """Return coefficient and p without an instance, undefined where there is no estimate or no test."""
    none = Undefined("without the instance there is no estimate")
    no_test = Undefined("without the instance the test did not end")
    p: Value = none if one.p is None else one.p if math.isfinite(one.p) else no_test
    return none if one.coef is None else one.coef, p


def _correlation_rows(evidence: Evidence) -> list[tuple[object, ...]]:
    """Return for each metric the instance whose absence moves p of its rho with pass@1 most over 0.05."""
    seen = evidence.matrix.columns
    rows: list[tuple[object, ...]] = []
    for metric in METRICS[1:]:
        pair = {OUTCOME: seen[OUTCOME], metric: seen[metric]}
        whole = spearman(pair)
        rho, p = whole.rho[OUTCOME, metric], whole.p[OUTCOME, metric]
        if isinstance(rho, Undefined) or isinstance(p, Undefined):
            continue
        tried = [(row, *_rho_without(pair, row)) for row in _weightiest(pair, rho, against=p <= ALPHA)]
        defined = [
            (row, r, q) for row, r, q in tried if not (isinstance(r, Undefined) or isinstance(q, Undefined))
        ]
        lost = [row for row in tried if row not in defined]
        if lost:
            row, less, q = lost[0]
        elif defined:
            row, less, q = max(defined, key=lambda one: one[2] if p <= ALPHA else -one[2])
        else:
            continue
        turns = isinstance(q, Undefined) or (q <= ALPHA) != (p <= ALPHA)
        name = f"{OUTCOME} × {metric}"
        rows.append(("spearman", "rho", name, rho, p, evidence.matrix.ids[row], less, q, turns))
    return rows


def _rho_without(pair: Mapping[str, Sequence[Number]], row: int) -> tuple[Value, Value]:
    found = spearman({name: [*values[:row], *values[row + 1 :]] for name, values in pair.items()})
    return found.rho[tuple(pair)], found.p[tuple(pair)]  # type: ignore[index] # two names


def _weightiest(pair: Mapping[str, Sequence[Number]], rho: float, *, against: bool) -> list[int]:
    """Return the rows that by the influence function of rho hold it up most (against) or pull it down most.

    The influence of a row with standardised ranks x and y is x y - rho (x^2 + y^2) / 2.
    """
    import numpy as np
    from scipy.stats import rankdata

    x, y = (rankdata([float(value) for value in values]) for values in pair.values())
    x, y = (x - x.mean()) / x.std(), (y - y.mean()) / y.std()
    pull = (x * y - rho * (x**2 + y**2) / 2) * math.copysign(1, rho)
    order = np.argsort(-pull if against else pull, kind="stable")
    return [int(row) for row in order[: WEIGHTIEST if len(x) <= MANY else 1]]
