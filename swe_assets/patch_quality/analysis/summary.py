"""logit_summary.txt: the four blocks that the study prints of its logit, and Firth's where it leads."""

from collections.abc import Iterable, Sequence

from swe_assets.patch_quality.analysis.fitted_outcome import OutcomeModel, firth_rows, odds_rows, vif_level
from swe_assets.patch_quality.analysis.wording import percent, plain
from swe_assets.statistics.logistic import Logit
from swe_assets.statistics.sample_size import EventsPerVariable
from swe_assets.statistics.undefined import Undefined

_LEVELS = {
    "too few": "insuficiente (< 5): estimativas não confiáveis",
    "few": "limítrofe (5 a 10): interpretar com cautela",
    "enough": "suficiente (≥ 10)",
}


def summary_text(model: OutcomeModel, *, title: str = "") -> str:
    """Return the summary: which estimator leads, sample and EPV, VIF, the fit, the odds ratios, Firth's."""
    fit = model.fit
    no_fit = f"Sem resultado a relatar. {model.reason}"
    penalised = (
        [f"5. Verossimilhança penalizada (Firth)\n{_firth_text(model)}"] if model.leads == "firth" else []
    )
    blocks = [
        *model.labels.texts(),
        model.leader_text,
        "1. Validação da amostra (EPV)\n" + epv_text(model),
        "2. Diagnóstico de colinearidade (VIF)\n" + _vif_text(model),
        "3. Sumário estatístico (Logit)\n" + (fit.summary if isinstance(fit, Logit) else no_fit),
        "4. Razão de chances (Odds Ratio)\n" + (_odds_text(model) if model.converged else no_fit),
        *penalised,
    ]
    heading = " ".join(f"Modelo logístico de pass@1 {title}".split())
    return "\n\n".join([heading, *blocks]) + "\n"


def epv_text(model: OutcomeModel) -> str:
    """Return the share resolved, the note on imbalance and the events per variable."""
    share = f"pass@1 = 1 em {model.resolved} de {model.n} instâncias ({percent(model.resolved, model.n)})"
    ratio = model.epv
    if isinstance(ratio, EventsPerVariable):
        events = f"{ratio.events} eventos / {ratio.predictors} variáveis = {ratio.value:.2f}"
        return f"{share}\n{model.note}\nEPV: {events}, {_LEVELS[ratio.level]}"
    return f"{share}\n{model.note}\nEPV: indefinido ({ratio.reason})"


def _vif_text(model: OutcomeModel) -> str:
    rows = []
    for name, value in model.vif.items():
        reason = f" ({value.reason})" if isinstance(value, Undefined) else ""
        rows.append((name, plain(value), vif_level(value) + reason))
    limits = "Limiares: OK (< 5), Atenção (5 a 10), Problemático (≥ 10)"
    return "\n".join([_table(("Variável", "VIF", "Classe"), rows), limits, model.vif_verdict])


def _odds_text(model: OutcomeModel) -> str:
    return _table(("Termo", "Odds Ratio", "IC 95 % (2.5 % a 97.5 %)", "p-valor"), odds_rows(model))


def _firth_text(model: OutcomeModel) -> str:
    header = ("Termo", "Odds Ratio", "IC 95 % (perfil)", "p-valor (RV penalizada)")
    return _table(header, firth_rows(model))


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return rows in columns as wide as their widest cell, the first to the left, the others to the right."""
    lines = [header, *rows]
    widths = [max(len(line[place]) for line in lines) for place in range(len(header))]
    text = []
    for line in lines:
        cells = [line[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True)]
        text.append("  ".join(cells).rstrip())
    return "\n".join([text[0], "-" * len(text[0]), *text[1:]])
