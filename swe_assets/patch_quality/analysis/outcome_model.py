"""relatorio_logit: the files of the logit of pass@1."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from swe_assets.patch_quality.analysis import files
from swe_assets.patch_quality.analysis.fitted_outcome import TERMS, OutcomeModel, model_outcome
from swe_assets.patch_quality.analysis.labels import Labels
from swe_assets.patch_quality.analysis.matrix import Matrix, matrix_of
from swe_assets.patch_quality.analysis.summary import summary_text
from swe_assets.statistics.logistic import Logit, NoLogit
from swe_assets.statistics.sample_size import EventsPerVariable
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["OutcomeModel", "fit_record", "logit_report", "model_outcome"]

LOGIT_COLUMNS = ("term", "coef", "se", "z", "p", "odds_ratio", "ci_low", "ci_high", "vif", "note")


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
    model = model_outcome(matrix_of(frame).labelled(Labels(rehearsal, stand_in)))
    files.write(out, files.LOGIT, _logit_csv(model))
    files.write(out, files.SUMMARY, summary_text(model, title=title).encode("utf-8", "backslashreplace"))
    files.write(out, files.FIT, files.json_bytes(fit_record(model)))
    return model


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
        "leads": model.leads,
        "leads_because": model.leader_text,
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
        factor = model.vif.get(name)
        no_vif = f"vif: {factor.reason}" if isinstance(factor, Undefined) else ""
        note = "; ".join(filter(None, (model.reason, no_vif, label)))
        numbers = (
            (term.coef, term.se, term.z, term.p, term.odds_ratio, term.ci_low, term.ci_high)
            if term
            else (None,) * 7
        )
        rows.append((name, *numbers, factor, note))
    return files.csv_bytes(LOGIT_COLUMNS, rows)
