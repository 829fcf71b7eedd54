"""Fragility: what each coefficient and each correlation with pass@1 becomes without one instance."""

import math
from collections.abc import Iterable, Mapping, Sequence

from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.logit_tables import Fitted
from swe_assets.patch_quality.analysis.matrix import METRICS, OUTCOME
from swe_assets.reporting.tables import Column, Table, Words
from swe_assets.statistics import spearman
from swe_assets.statistics.influence import LeftOut, TermInfluence, leave_one_out
from swe_assets.statistics.numeric import Number
from swe_assets.statistics.undefined import Undefined, Value

ALPHA = 0.05
WEIGHTIEST = 10  # rows of a correlation that are left out, one at a time
MANY = 20_000  # rows above which the first model and the weightiest row alone are looked at
MOST_TURNING = 10  # rows of a term that are listed
COLUMNS = (
    *columns(
        "model", "kind", "term", "coef", "p", "instance_id", "coef_without", "p_without",
        "changes_conclusion", "n",
    ),
    Column("n_tried", words("tentadas", "tried"), "integer"),
)  # fmt: skip
_NOTE = words(
    "Por termo: a instância sem a qual o coeficiente é menor, a sem a qual é maior, e até dez que mudam "
    "a conclusão a 0.05 ou deixam o teste sem valor. Em Spearman (model) o coeficiente é ρ; a que mais pesa "
    "contra a conclusão. Tentadas (n_tried): quantas das n foram retiradas, uma de cada vez.",
    "Per term: the instance without which the coefficient is smallest, the one without which it is "
    "largest, and up to ten that change the conclusion at 0.05 or leave the test without a value. For "
    "model = spearman the coefficient is ρ; the instance that weighs most against the conclusion. n_tried: "
    "how many of the n were left out, one at a time.",
)


def influence_table(evidence: Evidence, found: Iterable[Fitted]) -> Table:
    """Return the most influential instances of each model's leading estimator and of each rho with pass@1.

    A model or correlation without a value has its row, which says why.
    """
    fits = list(found)
    looked = fits[:1] if evidence.matrix.n > MANY else fits
    rows = [row for fit in looked for row in _model_rows(fit)]
    notes = (_NOTE, *_cut(rows), *_passed_over(fits[len(looked) :]))
    rows += _correlation_rows(evidence)
    title = words("O que depende de uma instância", "What hangs on one instance")
    return Table("influence", title, COLUMNS, tuple(rows), notes, evidence.marks_of(*METRICS))


def _cut(rows: Iterable[tuple[object, ...]]) -> list[Words]:
    """Return for each model not looked at whole how many of its instances were left out."""
    seen = {row[0]: (row[-1], row[-2]) for row in rows if row[-1] is not None}
    return [
        words(
            f"{name}: só {tried} de {n} instâncias foram retiradas, as que um passo de Newton diz que mais "
            "movem algum termo; outra que muda uma conclusão pode não ter sido vista.",
            f"{name}: only {tried} of {n} instances were left out, those that one Newton step says move a "
            "term most; another that changes a conclusion may not have been seen.",
        )
        for name, (tried, n) in seen.items()
        if tried != n
    ]


def _passed_over(fits: Sequence[Fitted]) -> list[Words]:
    """Return that models were not looked at, because the rows are very many."""
    if not fits:
        return []
    names = ", ".join(fit.model.name for fit in fits)
    return [
        words(
            f"Acima de {MANY} instâncias só o primeiro modelo foi visto; não foram: {names}.",
            f"Above {MANY} instances the first model alone was looked at; not looked at: {names}.",
        )
    ]


def _model_rows(fit: Fitted) -> list[tuple[object, ...]]:
    """Return the rows of one model; one that says why where no estimator leads or none has a fit."""
    kind, n = fit.leads, len(fit.model.ids)
    if kind not in ("ml", "firth"):
        return [_no_row(fit, None, Undefined(fit.distrust or "no estimator leads"))]
    influence = leave_one_out(fit.model.outcome, fit.model.predictors, method=kind)
    if isinstance(influence, Undefined):
        return [_no_row(fit, kind, Undefined(influence.reason))]
    rows: list[tuple[object, ...]] = []
    for term in influence.terms:
        whole = (fit.model.name, kind, term.name, term.coef, term.p)
        rows += [
            (*whole, fit.model.ids[one.row], one.coef, one.p, _turns(term, one), n, influence.refitted)
            for one in _listed(term)
        ]
    return rows


def _no_row(fit: Fitted, kind: str | None, why: Undefined) -> tuple[object, ...]:
    return (fit.model.name, kind, None, why, why, None, why, why, why, len(fit.model.ids), None)


def _listed(term: TermInfluence) -> list[LeftOut]:
    """Return the instances that move a term most either way, then those that turn it or leave no test."""
    found = (term.lowest, term.highest, *term.turning[:MOST_TURNING], *term.untested[:MOST_TURNING])
    return list({one.row: one for one in found if one is not None}.values())


def _turns(term: TermInfluence, one: LeftOut) -> bool | Undefined:
    """Return whether a conclusion turns without an instance, undefined where that could not be tested."""
    if one in term.turning:
        return True
    return one.p if isinstance(one.p, Undefined) else False


def _correlation_rows(evidence: Evidence) -> list[tuple[object, ...]]:
    """Return for each metric the instance whose absence moves p of its rho with pass@1 most over 0.05."""
    seen = evidence.matrix.columns
    pairs = ({OUTCOME: seen[OUTCOME], metric: seen[metric]} for metric in METRICS[1:])
    return [_correlation_row(evidence, pair) for pair in pairs]


def _correlation_row(evidence: Evidence, pair: Mapping[str, Sequence[Number]]) -> tuple[object, ...]:
    """Return the row of one correlation; it says why where the correlation has no value."""
    first, second = pair
    found = spearman(pair)
    rho, p = found.rho[first, second], found.p[first, second]
    whole = ("spearman", "rho", f"{first} × {second}", rho, p)
    if isinstance(rho, Undefined) or isinstance(p, Undefined):
        why = rho if isinstance(rho, Undefined) else p
        return (*whole, None, why, why, why, evidence.matrix.n, None)
    tried = [(row, *_rho_without(pair, row)) for row in _weightiest(pair, rho, against=p <= ALPHA)]
    lost = [one for one in tried if isinstance(one[1], Undefined) or isinstance(one[2], Undefined)]
    row, less, q = (
        lost[0] if lost else max(tried, key=lambda one: _number(one[2]) * (1 if p <= ALPHA else -1))
    )
    turns = isinstance(q, Undefined) or (q <= ALPHA) != (p <= ALPHA)
    return (*whole, evidence.matrix.ids[row], less, q, turns, evidence.matrix.n, len(tried))


def _number(found: Value) -> float:
    return math.nan if isinstance(found, Undefined) else found


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
