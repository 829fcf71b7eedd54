"""The logit of pass@1 on two judged and two measured properties of the patch, with its diagnostics."""

from collections.abc import Mapping
from dataclasses import dataclass

from swe_assets.errors import MatrixError
from swe_assets.patch_quality.analysis.labels import Labels
from swe_assets.patch_quality.analysis.leading import (
    LEFT_OUT,
    Leader,
    distrust_of,
    firth_serves,
    leader_of,
)
from swe_assets.patch_quality.analysis.matrix import OUTCOME, Matrix
from swe_assets.patch_quality.analysis.wording import imbalance_note, markdown_table, p_text, plain
from swe_assets.reporting.reasons import in_words
from swe_assets.statistics import epv, firth_logit, log1p, logit, vif
from swe_assets.statistics.design import INTERCEPT
from swe_assets.statistics.firth import Firth
from swe_assets.statistics.logistic import Logit, NoLogit
from swe_assets.statistics.numeric import Number
from swe_assets.statistics.odds import ratio
from swe_assets.statistics.sample_size import EventsPerVariable
from swe_assets.statistics.undefined import Undefined, Value

AS_IS = ("M_profundidade", "M_defesa")
LOGGED = ("cognitive_complexity", "ncloc")
TERMS = (INTERCEPT, *AS_IS, *(f"{name}_log" for name in LOGGED))


@dataclass(frozen=True)
class OutcomeModel:
    """What the logit report holds: sample size, collinearity, the fit or why there is none."""

    n: int
    resolved: int
    labels: Labels
    epv: EventsPerVariable | Undefined
    vif: Mapping[str, Value]
    fit: Logit | NoLogit
    firth: Firth | Undefined

    @property
    def distrust(self) -> str:
        """Return why the maximum likelihood fit is not to be trusted, or an empty text."""
        return distrust_of(self.fit, self.epv)

    @property
    def leads(self) -> Leader | None:
        """Return the estimator to report; see ``leader_of``."""
        return leader_of(self.fit, self.epv, self.firth)

    @property
    def leader_text(self) -> str:
        """Return which estimator is to be reported and why, in one sentence in the study's language."""
        if self.leads == "ml":
            return "A relatar: máxima verossimilhança (convergiu, sem separação, EPV de 10 ou mais)."
        if self.leads == "firth":
            return f"A relatar: Firth (verossimilhança penalizada), porque: {in_words(self.distrust, 'pt')}."
        return f"A relatar: nenhum estimador ({in_words(self.distrust, 'pt')})."

    @property
    def converged(self) -> bool:
        """Return whether there is a fit to show."""
        return isinstance(self.fit, Logit)

    @property
    def reason(self) -> str:
        """Return why there is no fit, or an empty text."""
        if isinstance(self.fit, Logit):
            return ""
        said = self.fit.reason.startswith(self.fit.obstacle)
        return self.fit.reason if said else f"{self.fit.obstacle}: {self.fit.reason}"

    @property
    def verdict(self) -> str:
        """Return the outcome of the fit in one sentence, in the study's language."""
        if isinstance(self.fit, Logit):
            return (
                f"ajuste convergiu; LR p = {p_text(self.fit.lr_p)}, McFadden R² = "
                f"{plain(self.fit.mcfadden)}. {self.leader_text}"
            )
        return f"sem ajuste a relatar ({self.reason}). {self.leader_text}"

    @property
    def vif_verdict(self) -> str:
        """Return the finding on collinearity in one sentence, in the study's language."""
        return vif_verdict(self.vif)

    @property
    def note(self) -> str:
        """Return the note on the imbalance of outcomes."""
        return imbalance_note(self.resolved, self.n)

    @property
    def markdown(self) -> str:
        """Return the odds ratios as a table in Markdown; dashes where there is no fit."""
        rows = [(self.labels.named(name), *cells) for name, *cells in odds_rows(self)]
        table = markdown_table(("Logit de pass@1", "Odds ratio", "IC 95 %", "p"), rows)
        penalised = ""
        if self.leads == "firth":
            firth = [(self.labels.named(name), *cells) for name, *cells in firth_rows(self)]
            penalised = markdown_table(("Firth de pass@1", "Odds ratio", "IC 95 %", "p"), firth)
        parts = (self.leader_text, penalised, table, self.reason, self.labels.judge_text)
        return "\n\n".join(filter(None, parts))


def model_outcome(matrix: Matrix, *, max_iterations: int = 100) -> OutcomeModel:
    """Return the logit of pass@1 with its diagnostics; writes nothing."""
    outcome, predictors = matrix.columns[OUTCOME], predictors_of(matrix)
    events = epv(outcome, len(predictors))
    fit = logit(outcome, predictors, max_iterations=max_iterations, name=OUTCOME)
    serves = firth_serves(fit, events, matrix.n)
    return OutcomeModel(
        n=matrix.n,
        resolved=matrix.resolved,
        labels=matrix.labels,
        epv=events,
        vif=vif(predictors),
        fit=fit,
        firth=firth_logit(outcome, predictors) if serves else LEFT_OUT,
    )


def predictors_of(matrix: Matrix) -> dict[str, list[Number]]:
    """Return the four predictors by term name, counts as log(1 + x)."""
    predictors: dict[str, list[Number]] = {name: list(matrix.columns[name]) for name in AS_IS}
    for name in LOGGED:
        predictors[f"{name}_log"] = [_defined(name, value) for value in log1p(matrix.columns[name])]
    return predictors


def _defined(name: str, value: Value) -> float:
    if isinstance(value, Undefined):
        raise MatrixError(f"column {name!r}: {value.reason}; counts are 0 or more")
    return value


def vif_level(value: Value) -> str:
    """Return the study's class of a VIF: OK below 5, Atenção from 5, Problemático from 10 and at infinity."""
    if isinstance(value, Undefined):
        return "Problemático" if value.infinite else "indefinido"
    return "OK" if value < 5 else "Atenção" if value < 10 else "Problemático"


def vif_verdict(factors: Mapping[str, Value]) -> str:
    """Return what the VIFs of all predictors amount to."""
    classes = {
        level: [n for n, v in factors.items() if vif_level(v) == level]
        for level in ("Problemático", "Atenção")
    }
    unknown = [
        f"{name} ({value.reason})"
        for name, value in factors.items()
        if vif_level(value) == "indefinido" and isinstance(value, Undefined)
    ]
    if unknown:
        return f"Laudo: VIF indefinido para {', '.join(unknown)}."
    if classes["Problemático"]:
        return f"Laudo: colinearidade severa em {', '.join(classes['Problemático'])}."
    if classes["Atenção"]:
        return f"Laudo: colinearidade moderada em {', '.join(classes['Atenção'])}."
    return "Laudo: sem colinearidade severa; todos os VIF abaixo de 5."


def odds_rows(model: OutcomeModel) -> list[tuple[str, str, str, str]]:
    """Return term, odds ratio, interval and p as text for people; dashes where there is no fit."""
    if not isinstance(model.fit, Logit):
        return [(name, "–", "–", "–") for name in TERMS]
    return [
        (t.name, plain(t.odds_ratio), f"{plain(t.ci_low)} a {plain(t.ci_high)}", p_text(t.p))
        for t in model.fit.terms
    ]


def firth_rows(model: OutcomeModel) -> list[tuple[str, str, str, str]]:
    """Return Firth's term, odds ratio, profile interval and penalised p as text; none where it has no fit."""
    if isinstance(model.firth, Undefined):
        return []
    return [
        (
            t.name,
            plain(ratio(t.coef)),
            f"{plain(ratio(t.ci_low))} a {plain(ratio(t.ci_high))}",
            p_text(t.lr_p),
        )
        for t in model.firth.terms
    ]
