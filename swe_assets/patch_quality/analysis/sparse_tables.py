"""Sparse events: the cells that separate the outcomes, and exact results where there are few events."""

from collections.abc import Iterable

from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.fitted_outcome import AS_IS
from swe_assets.patch_quality.analysis.leading import ENOUGH_EVENTS
from swe_assets.patch_quality.analysis.logit_tables import Fitted
from swe_assets.reporting.tables import Table
from swe_assets.statistics.exact_logit import ExactLogit, exact_logit
from swe_assets.statistics.odds import ratio
from swe_assets.statistics.sample_size import EventsPerVariable
from swe_assets.statistics.separation_cells import separation_cells
from swe_assets.statistics.undefined import Undefined, Value

CELLS = columns("model", "term", "low:number", "high:number", "resolved", "unresolved:integer")
EXACT = columns(
    "term", "n", "resolved", "odds_ratio", "median_unbiased:ratio", "ci_low:ratio", "ci_high:ratio", "p"
)


def cells_table(evidence: Evidence, found: Iterable[Fitted]) -> Table | None:
    """Return the cells of values with one outcome only that leave a term without a finite estimate.

    None where no model is separated. Separation by several predictors together may have no cell of its own.
    """
    separated = [fit for fit in found if fit.separated]
    if not separated:
        return None
    rows: list[tuple[object, ...]] = []
    for fit in separated:
        cells = separation_cells(fit.model.outcome, fit.model.predictors)
        if not isinstance(cells, Undefined):
            rows += [(fit.model.name, c.term, c.low, c.high, c.ones, c.zeros) for c in cells]
    title = words("Células que separam os desfechos", "Cells that separate the outcomes")
    return Table("separation_cells", title, CELLS, tuple(rows), marks=evidence.marks_of("M_defesa"))


def has_events(fit: Fitted) -> bool:
    """Return whether a model's number of events a variable has a value, and there is an event."""
    return isinstance(fit.epv, EventsPerVariable) and fit.epv.events > 0


def exact_table(evidence: Evidence, found: Iterable[Fitted]) -> Table | None:
    """Return exact conditional results of each rating alone where the first model has few events (EPV < 10).

    None where events are enough or all outcomes are one class.
    """
    fit = next(iter(found))
    events = fit.epv
    if not isinstance(events, EventsPerVariable) or events.value >= ENOUGH_EVENTS or not events.events:
        return None
    rows = []
    for name in AS_IS:
        exact = exact_logit(fit.model.outcome, {name: fit.model.predictors[name]})
        rows.append((name, len(fit.model.ids), fit.model.resolved, *_cells(exact)))
    note = words(
        "Cada avaliação sozinha, sem aproximação para amostras grandes; onde a estimativa é infinita, vale a "
        "mediana não viesada.",
        "Each rating alone, without a large-sample approximation; where the estimate is infinite the median "
        "unbiased one holds.",
    )
    title = words("Resultados exatos com poucos eventos", "Exact results with few events")
    return Table("exact", title, EXACT, tuple(rows), (note,), evidence.marks_of("M_defesa"))


def _cells(found: ExactLogit | Undefined) -> tuple[Value, ...]:
    if isinstance(found, Undefined):
        return (found,) * 5
    term = found.terms[0]
    values = (term.estimate, term.median_unbiased, term.low, term.high)
    return (*(ratio(value) for value in values), term.p)
