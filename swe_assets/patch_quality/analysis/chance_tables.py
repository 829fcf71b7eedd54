"""Chances and what came of them: calibration and discrimination of the judges and of the models."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from swe_assets.judging.jury_quality import Quality
from swe_assets.patch_quality.analysis.bounds import bounds
from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.judge_tables import CALIBRATION, SCALE, calibration_rows
from swe_assets.patch_quality.analysis.logit_tables import Fitted
from swe_assets.reporting.tables import Table
from swe_assets.statistics import auc, brier, expected_calibration_error, reliability_curve
from swe_assets.statistics.calibration import Brier
from swe_assets.statistics.design import design
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

COLUMNS = columns(
    "who", "n", "resolved", "auc", "low:share", "high:share", "brier", "brier_skill", "ece", "auc_cv",
    "cv_low:share", "cv_high:share", "brier_cv",
)  # fmt: skip
_CROSS = words(
    "Modelos: chances do ajuste de Firth; as validadas são de instâncias que o ajuste não viu. A "
    "calibração é a das chances validadas.",
    "Models: chances of Firth's fit; those cross-validated are of instances the fit had not seen. The "
    "calibration is that of the cross-validated chances.",
)


def held_out_chances(fit: Fitted, folds: int, seed: int) -> "tuple[Vector, Vector] | Undefined":
    """Return each instance's chance by Firth's fit of all instances, and by the fit without its fold.

    Folds are drawn anew from the seed within the resolved and within the others, so that each has its share
    of both. Undefined where Firth has no fit, a class has fewer than 2 instances, or a fold's fit none.
    """
    import numpy as np
    from scipy.special import expit

    from swe_assets.statistics.newton import fit_all

    model = fit.model
    if isinstance(fit.firth, Undefined) and isinstance(fit.ml, Undefined):
        return fit.firth
    rarer = min(model.resolved, len(model.ids) - model.resolved)
    parts = min(folds, rarer)
    if parts < 2:
        return Undefined(f"the rarer class has {rarer} instance(s): no fold can be held out")
    data = design(model.outcome, model.predictors)
    fold = np.empty(data.n, dtype=np.int64)
    random = np.random.default_rng(seed)
    for outcome in (0, 1):
        rows = np.flatnonzero(data.outcome == outcome)
        fold[random.permutation(rows)] = np.arange(len(rows)) % parts
    scaled, _transform = data.standardised()
    weights = np.vstack([np.ones(data.n), *((fold != part).astype(float) for part in range(parts))])
    found = fit_all(scaled, data.outcome, weights, np.zeros(scaled.shape[1]), firth=True)
    if not found.ended.all():
        return Undefined("the fit without a fold has no value")
    chances = expit(scaled @ found.coef.T)
    return chances[:, 0], chances[np.arange(data.n), 1 + fold]


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
            one.calibration_error, None, None, None, None,
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
    settings, outcome = evidence.settings, fit.model.outcome
    who, n = f"model: {fit.model.name}", len(outcome)
    chances = held_out_chances(fit, settings.folds, settings.seed)
    if isinstance(chances, Undefined):
        return [], (who, n, fit.model.resolved, *(chances,) * 10)
    seen, unseen = (values.tolist() for values in chances)
    crossed = _scores(brier(outcome, unseen))
    error = expected_calibration_error(outcome, unseen)
    cells = (*bounds(auc(outcome, seen)), *_scores(brier(outcome, seen)), error)
    row = (who, n, fit.model.resolved, *cells, *bounds(auc(outcome, unseen)), crossed[0])
    return calibration_rows(who, reliability_curve(outcome, unseen)), row


def _scores(found: Brier | Undefined) -> tuple[Value, Value]:
    return (found, found) if isinstance(found, Undefined) else (found.score, found.skill)
