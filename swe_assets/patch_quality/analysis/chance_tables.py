"""Probabilities and what came of them: calibration and discrimination of the judges and of the models."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from swe_assets.judging.jury_quality import Quality
from swe_assets.patch_quality.analysis.bounds import bounds
from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.influence_table import MANY
from swe_assets.patch_quality.analysis.judge_tables import CALIBRATION, SCALE, calibration_rows
from swe_assets.patch_quality.analysis.logit_tables import Fitted
from swe_assets.patch_quality.analysis.spearman_table import FEWEST_REPOS, drawn
from swe_assets.reporting.tables import Column, Table, Words
from swe_assets.statistics import auc, brier, expected_calibration_error, reliability_curve
from swe_assets.statistics.auc_bootstrap import auc_interval
from swe_assets.statistics.bootstrap import Bootstrap
from swe_assets.statistics.calibration import Brier
from swe_assets.statistics.cross_validation import HeldOut, cross_validated
from swe_assets.statistics.design import design
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.undefined import Undefined, Value

IN_SAMPLE, HELD_OUT, UNSEEN, STATED = "in_sample", "cross_validated", "unseen_repositories", "stated"
"""How a row's probabilities came about: fitted to the very instances, to others, to other repositories; or
stated by a judge, who saw no outcome."""
SAMPLE = Column("sample", words("instâncias", "instances"), "id")
COLUMNS = (
    columns("who")[0],
    SAMPLE,
    *columns("n", "resolved", "auc", "low:share", "high:share", "ci_method", "brier", "brier_skill", "ece"),
)
CURVE = (*CALIBRATION, SAMPLE)
_SAMPLES = words(
    "Instâncias: afirmadas (stated), probabilidades que um juiz afirmou; as do ajuste (in_sample), as do "
    "estimador a relatar nas próprias instâncias do ajuste, que lisonjeiam; validação cruzada "
    "(cross_validated), as de Firth para instâncias que o ajuste não viu; repositórios não vistos "
    "(unseen_repositories), para repositórios que não viu. A calibração dos modelos é a das validadas.",
    "Instances: stated, probabilities that a judge stated; in_sample, those of the leading estimator on the "
    "very instances it was fitted to, which flatter; cross_validated, Firth's for instances that the fit had "
    "not seen; unseen_repositories, for repositories that it had not seen. Calibration of models is that of "
    "the cross-validated.",
)
_INTERVALS = words(
    "IC da AUC: DeLong para as afirmadas e as do ajuste; nas validadas, reamostragem das instâncias (ou de "
    f"repositórios inteiros, ao menos {FEWEST_REPOS}) com as partes e os ajustes mantidos, condicional a "
    "eles: algo estreito.",
    "CI of the AUC: DeLong for stated and in_sample; of the cross-validated, a bootstrap over instances (or "
    f"whole repositories, at least {FEWEST_REPOS}) with folds and fits kept, conditional on them: somewhat "
    "narrow.",
)


def fitted_chances(fit: Fitted) -> "list[float] | Undefined":
    """Return each instance's probability by the estimator that leads, or why there is none."""
    import numpy as np
    from scipy.special import expit

    leader = fit.ml if fit.leads == "ml" else fit.firth
    if isinstance(leader, Undefined):
        return leader
    matrix = design(fit.model.outcome, fit.model.predictors).matrix
    found: list[float] = expit(matrix @ np.array([term.coef for term in leader.terms])).tolist()
    return found


def held_out(fit: Fitted, evidence: Evidence, *, by_repository: bool) -> HeldOut | Undefined:
    """Return each instance's probability by Firth's fit without its fold, of instances or of repositories.

    No more folds than there are instances of the rarer class, or repositories.
    """
    model, settings = fit.model, evidence.settings
    units = min(model.resolved, len(model.ids) - model.resolved)
    if by_repository:
        units = len(set(model.clusters or ()))
    folds = min(settings.folds, units)
    if folds < 2:
        return Undefined(f"{units} unit(s) to hold out, at least 2 are needed")
    return cross_validated(
        model.outcome,
        model.predictors,
        folds=folds,
        seed=settings.stream(f"folds {model.name} {UNSEEN if by_repository else HELD_OUT}"),
        clusters=model.clusters if by_repository else None,
        method="firth",
    )


def chance_tables(
    evidence: Evidence, qualities: Sequence[Quality], found: Iterable[Fitted]
) -> tuple[Table, Table]:
    """Return tables calibration and discrimination, judges first, then the models by their measures.

    A model has a row in sample, one cross-validated and one on unseen repositories, each labelled so.
    """
    curve: list[tuple[object, ...]] = []
    told: list[tuple[object, ...]] = []
    for one in qualities:
        curve += [(*row, STATED) for row in calibration_rows(one.judge_id, one.reliability)]
        seen = one.confusion
        told.append((
            one.judge_id, STATED, one.n, seen.tp + seen.fn, *_area(one.auc), *_scores(one.brier),
            one.calibration_error,
        ))  # fmt: skip
    for fit in found:
        bars, rows = _model(fit, evidence)
        curve += bars
        told += rows
    marks = evidence.marks_of("judge", "M_defesa")
    names = (
        words("Calibração das probabilidades", "Calibration of probabilities"),
        words("Discriminação", "Discrimination"),
    )
    notes = (SCALE, _SAMPLES) if qualities else (_SAMPLES,)
    return (
        Table("calibration", names[0], CURVE, tuple(curve), notes, marks),
        Table("discrimination", names[1], COLUMNS, tuple(told), (*notes, _INTERVALS, *_cut(evidence)), marks),
    )


def _cut(evidence: Evidence) -> list[Words]:
    """Return how many resamples were drawn, and that other models were passed over, of very many rows."""
    n, asked = evidence.matrix.n, evidence.settings.draws
    draws, found = drawn(n, asked), []
    if draws < asked:
        found.append(words(f"{draws} reamostras, não {asked}.", f"{draws} resamples, not {asked}."))
    if n > MANY:
        found.append(
            words(
                f"Acima de {MANY} instâncias só o primeiro modelo tem probabilidades.",
                f"Above {MANY} instances the first model alone has probabilities.",
            )
        )
    return found


def _model(fit: Fitted, evidence: Evidence) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """Return a model's reliability curve and its rows of discrimination."""
    who, outcome = f"model: {fit.model.name}", fit.model.outcome
    seen, unseen = fitted_chances(fit), held_out(fit, evidence, by_repository=False)
    apart = held_out(fit, evidence, by_repository=True)
    rows = [_row(fit, IN_SAMPLE, seen, None if isinstance(seen, Undefined) else auc(outcome, seen))]
    for sample, found in ((HELD_OUT, unseen), (UNSEEN, apart)):
        chances = found if isinstance(found, Undefined) else list(found.chances)
        rows.append(_row(fit, sample, chances, _validated(fit, evidence, sample, chances)))
    if isinstance(unseen, Undefined):
        return [], rows
    curve = calibration_rows(who, reliability_curve(outcome, unseen.chances))
    return [(*bar, HELD_OUT) for bar in curve], rows


def _row(
    fit: Fitted, sample: str, chances: "list[float] | Undefined", area: Estimate | Undefined | None
) -> tuple[object, ...]:
    """Return one row of discrimination; every number of it says why where there are no probabilities."""
    outcome = fit.model.outcome
    first = (f"model: {fit.model.name}", sample, len(outcome), fit.model.resolved)
    if isinstance(chances, Undefined) or area is None:
        why = chances if isinstance(chances, Undefined) else Undefined("no area")
        return (*first, why, why, why, None, why, why, why)
    scores = _scores(brier(outcome, chances))
    return (*first, *_area(area), *scores, expected_calibration_error(outcome, chances))


def _validated(
    fit: Fitted, evidence: Evidence, sample: str, chances: "list[float] | Undefined"
) -> Estimate | Undefined | None:
    """Return the area of held-out probabilities, its interval by a seeded bootstrap where one can be had."""
    if isinstance(chances, Undefined):
        return None
    settings, repos = evidence.settings, fit.model.clusters if sample == UNSEEN else None
    seed = settings.stream(f"discrimination {fit.model.name} {sample}")
    how = Bootstrap(draws=drawn(len(chances), settings.draws), seed=seed)
    found = auc_interval(fit.model.outcome, chances, clusters=repos, how=how)
    few = repos is not None and len(set(repos)) < FEWEST_REPOS
    if isinstance(found, Estimate) and not few:
        return found
    why = f"{len(set(repos or ()))} repositories to draw from, at least {FEWEST_REPOS} are needed"
    none = found if isinstance(found, Undefined) and not few else Undefined(why)
    plain = auc(fit.model.outcome, chances)
    return plain if isinstance(plain, Undefined) else replace(plain, low=none, high=none, method="none")


def _area(found: Estimate | Undefined) -> tuple[object, ...]:
    method = None if isinstance(found, Undefined) or isinstance(found.low, Undefined) else found.method
    return (*bounds(found), method)


def _scores(found: Brier | Undefined) -> tuple[Value, Value]:
    return (found, found) if isinstance(found, Undefined) else (found.score, found.skill)
