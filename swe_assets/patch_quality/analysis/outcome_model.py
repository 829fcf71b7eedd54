"""relatorio_logit: the logit of pass@1 on two judged and two measured properties of the patch."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swe_assets.errors import MatrixError
from swe_assets.patch_quality.analysis import files
from swe_assets.patch_quality.analysis.labels import Labels
from swe_assets.patch_quality.analysis.matrix import OUTCOME, Matrix, matrix_of
from swe_assets.patch_quality.analysis.wording import imbalance_note, markdown_table, p_text, plain
from swe_assets.statistics import epv, log1p, logit, vif
from swe_assets.statistics.design import INTERCEPT
from swe_assets.statistics.logistic import Logit, NoLogit
from swe_assets.statistics.numeric import Number
from swe_assets.statistics.sample_size import EventsPerVariable
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import pandas as pd

AS_IS = ("M_profundidade", "M_defesa")
LOGGED = ("cognitive_complexity", "ncloc")
TERMS = (INTERCEPT, *AS_IS, *(f"{name}_log" for name in LOGGED))
LOGIT_COLUMNS = ("term", "coef", "se", "z", "p", "odds_ratio", "ci_low", "ci_high", "vif", "note")


@dataclass(frozen=True)
class OutcomeModel:
    """What the logit report holds: sample size, collinearity, the fit or why there is none."""

    n: int
    resolved: int
    labels: Labels
    epv: EventsPerVariable | Undefined
    vif: Mapping[str, Value]
    fit: Logit | NoLogit

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
                f"ajuste convergiu; LR p = {p_text(self.fit.lr_p)}, McFadden R² = {plain(self.fit.mcfadden)}"
            )
        return f"sem ajuste a relatar ({self.reason})"

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
        table = markdown_table(("Logit de pass@1", "Odds ratio", "IC 95 %", "p"), odds_rows(self))
        return "\n\n".join(filter(None, [table, self.reason, self.labels.rehearsal_text]))


def model_outcome(matrix: Matrix, *, max_iterations: int = 100) -> OutcomeModel:
    """Return the logit of pass@1 with its diagnostics; writes nothing."""
    outcome, predictors = matrix.columns[OUTCOME], predictors_of(matrix)
    return OutcomeModel(
        n=matrix.n,
        resolved=matrix.resolved,
        labels=matrix.labels,
        epv=epv(outcome, len(predictors)),
        vif=vif(predictors),
        fit=logit(outcome, predictors, max_iterations=max_iterations, name=OUTCOME),
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


def logit_report(
    frame: "pd.DataFrame | Matrix",
    out: Path,
    *,
    stand_in: str | None = None,
    rehearsal: bool = False,
    title: str = "",
) -> OutcomeModel:
    """Write logit.csv, logit_summary.txt and fit.json into a folder, and return what they hold.

    Where no maximum likelihood estimate exists or the fit did not converge, its cells are empty and the
    reason is said. Labels add to those that the matrix's own columns call for. Same input, same bytes.
    Raises MatrixError for an unusable matrix, StoreError where the folder cannot be written.
    """
    from swe_assets.patch_quality.analysis.summary import summary_text

    model = model_outcome(matrix_of(frame).labelled(Labels(rehearsal, stand_in)))
    files.write(out, files.LOGIT, _logit_csv(model))
    files.write(out, files.SUMMARY, summary_text(model, title=title).encode())
    files.write(out, files.FIT, files.json_bytes(fit_record(model)))
    return model


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


def fit_record(model: OutcomeModel) -> dict[str, Any]:
    """Return the fit's figures for fit.json: null where there is none, with the reason."""
    fit, ratio = model.fit, model.epv
    return {
        "n": model.n,
        "resolved": model.resolved,
        "rate": model.resolved / model.n,
        "EPV": ratio.value if isinstance(ratio, EventsPerVariable) else None,
        "EPV_level": ratio.level if isinstance(ratio, EventsPerVariable) else ratio.reason,
        "converged": model.converged,
        "reason": model.reason or None,
        "separation": _separation(fit),
        **(_likelihoods(fit) if isinstance(fit, Logit) else dict.fromkeys(_LIKELIHOODS)),
        "labels": model.labels.texts(),
    }


_LIKELIHOODS = ("logL", "null_logL", "McFadden", "LR", "LR_df", "LR_p", "AIC", "BIC")


def _likelihoods(fit: Logit) -> dict[str, float | int]:
    values = (fit.llf, fit.llnull, fit.mcfadden, fit.lr, fit.lr_df, fit.lr_p, fit.aic, fit.bic)
    return dict(zip(_LIKELIHOODS, values, strict=True))


def _separation(fit: Logit | NoLogit) -> dict[str, Any]:
    """Return the separation's kind and terms; kind null where it was not looked for."""
    if isinstance(fit, Logit) or fit.obstacle == "not converged":
        return {"kind": "none", "terms": {}}
    if not fit.obstacle.endswith("separation"):
        return {"kind": None, "terms": {}}
    return {"kind": fit.obstacle.removesuffix(" separation"), "terms": dict(fit.terms)}


def _logit_csv(model: OutcomeModel) -> bytes:
    fitted = {term.name: term for term in model.fit.terms} if isinstance(model.fit, Logit) else {}
    rows: list[tuple[object, ...]] = []
    for name in TERMS:
        term, label = fitted.get(name), model.labels.of_metric(name)
        note = "; ".join(filter(None, (model.reason, label)))
        numbers = (
            (term.coef, term.se, term.z, term.p, term.odds_ratio, term.ci_low, term.ci_high)
            if term
            else (None,) * 7
        )
        rows.append((name, *numbers, model.vif.get(name), note))
    return files.csv_bytes(LOGIT_COLUMNS, rows)
