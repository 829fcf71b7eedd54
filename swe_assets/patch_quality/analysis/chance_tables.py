"""Chances and what came of them: calibration and discrimination of the judges and of the models."""

from collections.abc import Iterable, Sequence

from swe_assets.judging.jury_quality import Quality
from swe_assets.patch_quality.analysis.bounds import bounds
from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.judge_tables import CALIBRATION, SCALE, calibration_rows
from swe_assets.patch_quality.analysis.logit_tables import Fitted
from swe_assets.reporting.tables import Table
from swe_assets.statistics import auc, brier, expected_calibration_error, reliability_curve
from swe_assets.statistics.calibration import Brier
from swe_assets.statistics.cross_validation import HeldOut, cross_validated
from swe_assets.statistics.design import design
from swe_assets.statistics.undefined import Undefined, Value

COLUMNS = columns(
    "who", "n", "resolved", "auc", "low:share", "high:share", "brier", "brier_skill", "ece", "auc_cv",
    "cv_low:share", "cv_high:share", "brier_cv", "auc_cv_repo:share",
)  # fmt: skip
_CROSS = words(
    "Modelos: chances do estimador a relatar; as validadas são de Firth, de instâncias que o ajuste não viu "
    "(auc_cv_repo: de repositórios que não viu). A calibração é a das chances validadas.",
    "Models: chances by the estimator that leads; those cross-validated are Firth's, of instances the fit "
    "had not seen (auc_cv_repo: of repositories it had not seen). Calibration is that of the latter.",
)


def fitted_chances(fit: Fitted) -> "list[float] | Undefined":
    """Return each instance's chance by the estimator that leads, or why there is none."""
    import numpy as np
    from scipy.special import expit

    leader = fit.ml if fit.leads == "ml" else fit.firth
    if isinstance(leader, Undefined):
        return leader
    matrix = design(fit.model.outcome, fit.model.predictors).matrix
    found: list[float] = expit(matrix @ np.array([term.coef for term in leader.terms])).tolist()
    return found


def held_out(fit: Fitted, evidence: Evidence, *, by_repository: bool) -> HeldOut | Undefined:
    """Return each instance's chance by Firth's fit without its fold, of instances or of whole repositories.

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
        seed=settings.seed,
        clusters=model.clusters if by_repository else None,
        method="firth",
    )


def chance_tables(
    evidence: Evidence, qualities: Sequence[Quality], found: Iterable[Fitted]
) -> tuple[Table, Table]:
    """Return tables calibration and discrimination, judges first, then the models by their measures."""
    curve: list[tuple[object, ...]] = []
    told: list[tuple[object, ...]] = []
    for one in qualities:
        curve += calibration_rows(one.judge_id, one.reliability)
        seen = one.confusion
        told.append((
            one.judge_id, one.n, seen.tp + seen.fn, *bounds(one.auc), *_scores(one.brier),
            one.calibration_error, *(None,) * 5,
        ))  # fmt: skip
    for fit in found:
        bars, row = _model(fit, evidence)
        curve += bars
        told.append(row)
    marks = evidence.marks_of("judge", "M_defesa")
    names = (
        words("Calibração das chances", "Calibration of chances"),
        words("Discriminação", "Discrimination"),
    )
    notes = (SCALE, _CROSS) if qualities else (_CROSS,)
    return (
        Table("calibration", names[0], CALIBRATION, tuple(curve), notes, marks),
        Table("discrimination", names[1], COLUMNS, tuple(told), notes, marks),
    )


def _model(fit: Fitted, evidence: Evidence) -> tuple[list[tuple[object, ...]], tuple[object, ...]]:
    """Return a model's reliability curve and its row of discrimination."""
    outcome = fit.model.outcome
    row: list[object] = [f"model: {fit.model.name}", len(outcome), fit.model.resolved]
    seen, unseen = fitted_chances(fit), held_out(fit, evidence, by_repository=False)
    if isinstance(seen, Undefined):
        row += [seen] * 5
    else:
        row += [*bounds(auc(outcome, seen)), *_scores(brier(outcome, seen))]
    curve: list[tuple[object, ...]] = []
    if isinstance(unseen, Undefined):
        row += [unseen] * 5
    else:
        said = unseen.chances
        row += [expected_calibration_error(outcome, said), *bounds(auc(outcome, said))]
        row.append(_scores(brier(outcome, said))[0])
        curve = calibration_rows(str(row[0]), reliability_curve(outcome, said))
    apart = held_out(fit, evidence, by_repository=True)
    row.append(apart if isinstance(apart, Undefined) else bounds(auc(outcome, apart.chances))[0])
    return curve, tuple(row)


def _scores(found: Brier | Undefined) -> tuple[Value, Value]:
    return (found, found) if isinstance(found, Undefined) else (found.score, found.skill)
