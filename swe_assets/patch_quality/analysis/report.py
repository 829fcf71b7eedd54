"""report.html: the study's results on one self-contained page."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swe_assets.patch_quality.analysis import files
from swe_assets.patch_quality.analysis.correlation import Correlation, normality_rows
from swe_assets.patch_quality.analysis.fitted_outcome import OutcomeModel, odds_rows, vif_level
from swe_assets.patch_quality.analysis.matrix import METRICS
from swe_assets.patch_quality.analysis.summary import epv_text
from swe_assets.patch_quality.analysis.wording import p_text, percent, plain
from swe_assets.statistics.logistic import Logit
from swe_assets.statistics.undefined import Undefined

TEMPLATE = "report.html.j2"


@dataclass(frozen=True)
class RhoCell:
    """One cell of the correlation table: texts, strength and sign of its colour, or the reason for none."""

    rho: str
    p: str
    strength: int
    positive: bool
    reason: str


@dataclass(frozen=True)
class Exclusion:
    """Instances that share the reason for which they are not in the matrix."""

    reason: str
    ids: tuple[str, ...]


@dataclass(frozen=True)
class Account:
    """Where every pinned instance went: into the matrix, or out of it for a reason."""

    pinned: int
    in_matrix: int
    exclusions: tuple[Exclusion, ...]

    @property
    def unexplained(self) -> int:
        """Return how many pinned instances are neither in the matrix nor excluded; 0 if all adds up."""
        return self.pinned - self.in_matrix - sum(len(group.ids) for group in self.exclusions)


def write_report(
    out: Path,
    correlation: Correlation,
    model: OutcomeModel,
    *,
    title: str,
    account: Mapping[str, Any] | None = None,
    metadata: Mapping[str, Any] | None = None,
    judges: Mapping[str, Sequence[str]] | None = None,
) -> Path:
    """Write report.html from both results and return its path; it asks nothing of any other place.

    ``account`` is {"pinned": int, "in_matrix": int, "excluded": {reason: [instance_id, …]}}; ``metadata``
    is the submission's, shown as it is; ``judges`` sentences about them by heading. Everything is escaped.
    Same input, same bytes.
    Raises StoreError where the folder cannot be written.
    """
    page = report_html(correlation, model, title=title, account=account, metadata=metadata, judges=judges)
    return files.write(out, files.REPORT, page.encode("utf-8", "backslashreplace"))


def report_html(
    correlation: Correlation,
    model: OutcomeModel,
    *,
    title: str,
    account: Mapping[str, Any] | None = None,
    metadata: Mapping[str, Any] | None = None,
    judges: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Return the page as text."""
    import jinja2

    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template(TEMPLATE).render(
        title=title or "patch_quality",
        labels=correlation.labels | model.labels,
        metadata=[(str(key), _shown(value)) for key, value in (metadata or {}).items()],
        account=account_of(account) if account else None,
        judges=judges or {},
        correlation=correlation,
        metrics=METRICS,
        rho_rows=[(a, [_rho_cell(correlation, a, b) for b in METRICS]) for a in METRICS],
        strongest=[(pair.a, pair.b, plain(pair.rho), p_text(pair.p)) for pair in correlation.strongest],
        rate=percent(correlation.resolved, correlation.n),
        heatmap=base64.b64encode(correlation.heatmap).decode(),
        heatmap_alt=heatmap_alt(correlation),
        normality=normality_rows(correlation),
        model=model,
        fit=model.fit if isinstance(model.fit, Logit) else None,
        epv=epv_text(model).splitlines()[::2],  # the note between them stands at the head of the page
        vif=[(name, plain(value), vif_level(value), _reason(value)) for name, value in model.vif.items()],
        odds=odds_rows(model),
        likelihoods=_likelihoods(model),
    )


def account_of(account: Mapping[str, Any]) -> Account:
    """Return an account as it is shown: the most frequent reason first, ids in their order."""
    groups = [Exclusion(str(why), tuple(map(str, ids))) for why, ids in account.get("excluded", {}).items()]
    groups.sort(key=lambda group: (-len(group.ids), group.reason))
    return Account(int(account["pinned"]), int(account["in_matrix"]), tuple(groups))


def heatmap_alt(correlation: Correlation) -> str:
    """Return what the figure shows, in words, for those who cannot see it."""
    pairs = "; ".join(f"{pair.a} e {pair.b} {plain(pair.rho, 2)}" for pair in correlation.strongest)
    notes = " ".join(f"{text}." for text in correlation.labels.texts())
    text = f"Mapa de calor das correlações de Spearman, n = {correlation.n}."
    return f"{text} Pares mais fortes: {pairs or 'nenhum'}. {notes}".strip()


def _rho_cell(correlation: Correlation, a: str, b: str) -> RhoCell:
    rho, p = correlation.ranks.rho[a, b], correlation.ranks.p[a, b]
    if isinstance(rho, Undefined):
        return RhoCell("–", "", 0, True, rho.reason)
    p_words = "" if a == b else f"p {p_text(p)}"
    return RhoCell(f"{rho:.3f}", p_words, 0 if a == b else round(abs(rho) * 70), rho >= 0, "")


def _reason(value: object) -> str:
    return value.reason if isinstance(value, Undefined) else ""


def _likelihoods(model: OutcomeModel) -> Sequence[tuple[str, str]]:
    fit = model.fit
    if not isinstance(fit, Logit):
        return ()
    return (
        ("logL", plain(fit.llf)),
        ("logL nulo", plain(fit.llnull)),
        ("McFadden R²", plain(fit.mcfadden)),
        (f"LR ({fit.lr_df} gl)", f"{plain(fit.lr)}, p {p_text(fit.lr_p)}"),
        ("AIC", plain(fit.aic)),
        ("BIC", plain(fit.bic)),
    )


def _shown(value: object) -> str:
    """Return a value of the metadata as text; what is nested as JSON."""
    if isinstance(value, Mapping | list | tuple):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)
