"""The models of pass@1 as tables: every estimator beside the others, and which of them is to be reported."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from swe_assets.patch_quality.analysis.clustered_fit import mixed_fit, robust_fit, robust_terms
from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.leading import (
    EPV_BANDS,
    LEFT_OUT,
    Leader,
    distrust_of,
    firth_serves,
    leader_of,
)
from swe_assets.patch_quality.analysis.models import Model
from swe_assets.reporting.tables import Table
from swe_assets.statistics import epv, firth_logit, logit, vif
from swe_assets.statistics.cluster_logit import ClusteredLogit
from swe_assets.statistics.design import INTERCEPT
from swe_assets.statistics.firth import Firth
from swe_assets.statistics.logistic import Logit, NoLogit, Term
from swe_assets.statistics.mixed_logit import MixedLogit
from swe_assets.statistics.odds import ratio
from swe_assets.statistics.sample_size import EventsPerVariable
from swe_assets.statistics.undefined import Undefined, Value

Estimator = Literal["ml", "firth", "cluster", "mixed"]
KINDS: tuple[Estimator, ...] = ("ml", "firth", "cluster", "mixed")


@dataclass(frozen=True)
class Line:
    """One coefficient by one estimator: log odds with error, z and p, and the odds ratio's interval.

    ``z`` is None where the test is another: Firth's is of the penalised likelihood ratio.
    """

    term: str
    coef: Value
    se: Value
    z: Value | None
    p: Value
    odds_ratio: Value
    ci_low: Value
    ci_high: Value


@dataclass(frozen=True)
class Fitted:
    """One model with what every estimator made of it, how many events it has, and which estimator leads."""

    model: Model
    ml: Logit | NoLogit
    firth: Firth | Undefined
    epv: EventsPerVariable | Undefined
    vif: dict[str, Value]
    robust: ClusteredLogit | Undefined
    mixed: MixedLogit | Undefined

    @property
    def distrust(self) -> str:
        """Return why the maximum likelihood fit is not to be trusted, or an empty text."""
        return distrust_of(self.ml, self.epv)

    @property
    def leads(self) -> Leader | None:
        """Return the estimator to report; see ``leader_of``."""
        return leader_of(self.ml, self.epv, self.firth)

    @property
    def separated(self) -> dict[str, str]:
        """Return the terms that separation leaves without a finite estimate, with the way they run."""
        if isinstance(self.ml, NoLogit) and self.ml.obstacle.endswith("separation"):
            return dict(self.ml.terms)
        return {}

    def lines(self, kind: Estimator) -> Sequence[Line] | Undefined:
        """Return the coefficients by one estimator, or why there are none."""
        found: Mapping[Estimator, Sequence[Term] | Undefined] = {
            "ml": self.ml if isinstance(self.ml, NoLogit) else self.ml.terms,
            "cluster": self.robust if isinstance(self.robust, Undefined) else robust_terms(self.robust),
            "mixed": self.mixed if isinstance(self.mixed, Undefined) else self.mixed.terms,
        }
        if kind == "firth":
            return self.firth if isinstance(self.firth, Undefined) else _firth_lines(self.firth)
        terms = found[kind]
        return terms if isinstance(terms, Undefined) else _wald_lines(terms)


def fitted(model: Model) -> Fitted:
    """Return one model by every estimator."""
    ml = logit(model.outcome, model.predictors, name="pass@1")
    return Fitted(
        model=model,
        ml=ml,
        firth=_firth(model, ml),
        epv=epv(model.outcome, len(model.predictors)),
        vif=vif(model.predictors),
        robust=robust_fit(model),
        mixed=mixed_fit(model),
    )


def _firth(model: Model, ml: Logit | NoLogit) -> Firth | Undefined:
    """Return Firth's fit, left out where rows and events are so many that it is maximum likelihood's."""
    events = epv(model.outcome, len(model.predictors))
    if firth_serves(ml, events, len(model.ids)):
        return firth_logit(model.outcome, model.predictors)
    return LEFT_OUT


def logit_table(evidence: Evidence, found: Iterable[Fitted]) -> Table:
    """Return a row a model, estimator and term; odds ratios with 95 % intervals, Firth's by profile."""
    rows = []
    for fit in found:
        terms = (INTERCEPT, *fit.model.predictors)
        for kind in KINDS:
            lines = fit.lines(kind)
            cells = {} if isinstance(lines, Undefined) else {line.term: _cells(line) for line in lines}
            for term in terms:
                numbers = cells.get(term, (lines,) * 7 if isinstance(lines, Undefined) else (None,) * 7)
                beside = (fit.vif.get(term), fit.separated.get(term))
                rows.append((fit.model.name, kind, term, *_plain(numbers), *beside))
    named = columns(
        "model", "kind", "term", "coef", "se", "z", "p", "odds_ratio", "ci_low:ratio", "ci_high:ratio", "vif",
        "separated",
    )  # fmt: skip
    title = words("Modelos logísticos de pass@1", "Logistic models of pass@1")
    return Table("logit", title, named, tuple(rows), marks=evidence.marks_of("M_defesa"))


FIT = columns(
    "model", "kind", "leads", "n", "n_absent:integer", "resolved", "rate", "EPV", "EPV_level:text",
    "converged", "logL", "null_logL", "McFadden", "LR", "LR_df:integer", "LR_p:p", "AIC", "BIC",
    "separation", "reason",
)  # fmt: skip


def fit_table(evidence: Evidence, found: Iterable[Fitted]) -> Table:
    """Return a row a model and estimator: sample, events, likelihoods, and which one leads and why."""
    rows = [
        (fit.model.name, kind, fit.leads == kind, *_sample(fit), *_likelihoods(fit, kind))
        for fit in found
        for kind in KINDS
    ]
    notes = (
        words(
            "A relatar: máxima verossimilhança; com separação, sem convergência ou EPV abaixo de 10, Firth.",
            "Leads: maximum likelihood; with separation, no convergence or an EPV below 10, Firth.",
        ),
        EPV_BANDS,
    )
    title = words("Ajuste dos modelos", "Fit of the models")
    return Table("fit", title, FIT, tuple(rows), notes, evidence.marks_of("M_defesa"))


def _sample(fit: Fitted) -> tuple[object, ...]:
    events = fit.epv
    ratio, level = (events, None) if isinstance(events, Undefined) else (events.value, events.level)
    n = len(fit.model.ids)
    rate = fit.model.resolved / n if n else Undefined("no row has all predictors")
    return (n, fit.model.n_absent, fit.model.resolved, rate, ratio, level)


def _likelihoods(fit: Fitted, kind: Estimator) -> tuple[object, ...]:
    lines = fit.lines(kind)
    failed = isinstance(lines, Undefined)
    separation = _separation(fit)
    why = lines.reason if isinstance(lines, Undefined) else _note(fit, kind)
    numbers: tuple[object, ...] = (None,) * 8
    if kind == "ml" and isinstance(fit.ml, Logit):
        ml = fit.ml
        numbers = (ml.llf, ml.llnull, ml.mcfadden, ml.lr, ml.lr_df, ml.lr_p, ml.aic, ml.bic)
    elif kind == "firth" and isinstance(fit.firth, Firth):
        numbers = (fit.firth.penalised_loglik, *(None,) * 7)
    elif kind == "mixed" and isinstance(fit.mixed, MixedLogit):
        numbers = (fit.mixed.loglik, *(None,) * 5, fit.mixed.aic, fit.mixed.bic)
    return (not failed, *numbers, separation, why or None)


def _separation(fit: Fitted) -> str:
    """Return the kind of separation; that it was not looked for where another obstacle came first."""
    if isinstance(fit.ml, Logit) or fit.ml.obstacle == "not converged":
        return "none"  # looked for, and there is none
    if fit.ml.obstacle == "separation unknown":
        return "unknown"
    return fit.ml.obstacle.removesuffix(" separation") if fit.separated else "not looked for"


def _note(fit: Fitted, kind: Estimator) -> str:
    """Return what a reader must know of an estimator's result besides, or an empty text."""
    if kind == "cluster" and isinstance(fit.robust, ClusteredLogit):
        return fit.robust.note
    if kind == "mixed" and isinstance(fit.mixed, MixedLogit):
        factor = fit.mixed.intercepts["repo"]
        size = (
            f"sd of {factor.levels} repositories {factor.sd:.3f}, {100 * factor.share:.1f} % of the variance"
        )
        return f"{size}; {fit.mixed.note}" if fit.mixed.note else size
    return fit.distrust


def _cells(line: Line) -> tuple[object, ...]:
    return (line.coef, line.se, line.z, line.p, line.odds_ratio, line.ci_low, line.ci_high)


def _plain(cells: Iterable[object]) -> tuple[object, ...]:
    """Return cells with every kind of Undefined as a plain one, which is what JSON keeps."""
    return tuple(Undefined(c.reason, c.infinite) if isinstance(c, Undefined) else c for c in cells)


def _wald_lines(terms: Sequence[Term]) -> list[Line]:
    return [Line(t.name, t.coef, t.se, t.z, t.p, t.odds_ratio, t.ci_low, t.ci_high) for t in terms]


def _firth_lines(fit: Firth) -> list[Line]:
    return [
        Line(t.name, t.coef, t.se, None, t.lr_p, *(ratio(v) for v in (t.coef, t.ci_low, t.ci_high)))
        for t in fit.terms
    ]
