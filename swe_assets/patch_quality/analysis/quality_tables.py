"""How good each judge is, as tables: summary, reliability, and "resolved" said of patches that do nothing."""

from collections.abc import Iterable, Sequence

from swe_assets.judging.jury_quality import Quality
from swe_assets.patch_quality.analysis.agreement_tables import HIGH, LOW, N
from swe_assets.patch_quality.analysis.bounds import bounds
from swe_assets.patch_quality.analysis.column_words import words
from swe_assets.reporting.tables import Column, Table
from swe_assets.statistics.calibration import Brier
from swe_assets.statistics.classification import Rate
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.undefined import Undefined, Value

NAME = "qualidade_juiz"
RATES: tuple[Rate, ...] = (
    "accuracy", "sensitivity", "specificity", "precision", "negative_predictive_value", "prevalence",
)  # fmt: skip
BRIER_PARTS = ("reliability", "resolution", "uncertainty", "skill")
JUDGE = Column("judge", words("Juiz", "Judge"), "id")
STATISTIC = Column("statistic", words("Medida", "Statistic"), "id")
VALUE = Column("value", words("Valor", "Value"), "number")
METHOD = Column("method", words("Intervalo", "Interval"), "id")
CONFUSION_COLUMNS = (
    JUDGE,
    N,
    Column("tp", words("VP", "TP"), "integer"),
    Column("fp", words("FP", "FP"), "integer"),
    Column("fn", words("FN", "FN"), "integer"),
    Column("tn", words("VN", "TN"), "integer"),
)
RELIABILITY_COLUMNS = (
    JUDGE,
    Column("from", words("De", "From"), "number"),
    Column("to", words("Até", "To"), "number"),
    N,
    Column("mean_chance", words("Probabilidade dita", "Stated probability"), "number"),
    Column("rate", words("Resolvidas", "Resolved"), "number"),
    LOW,
    HIGH,
)
REFUTED_COLUMNS = (
    JUDGE,
    Column("reason", words("Motivo", "Reason"), "text"),
    N,
    Column("said_resolved", words("Ditas resolvidas", "Said resolved"), "integer"),
    Column("share", words("Proporção", "Share"), "number"),
    LOW,
    HIGH,
)
_CLASSES = words(
    "VP: dita resolvida e passou nos testes; FP: dita resolvida e não passou. O júri é a maioria estrita.",
    "TP: said resolved and passed the tests; FP: said resolved and did not pass. The jury is the strict "
    "majority.",
)
_MAP = words(
    "Probabilidade de um veredito: 1/2 + (2c − 1)/20 se resolve_issue, senão 1/2 − (2c − 1)/20, com c = "
    "score_confianca: dez graus de 0.05 a 0.95, na ordem de «não, 5» a «sim, 5». Do júri, a média dos "
    "juízes. A rubrica pede uma confiança ordinal: a escala é uma escolha, e só a ordem vem dos juízes.",
    "Probability of a verdict: 1/2 + (2c - 1)/20 if resolve_issue, else 1/2 - (2c - 1)/20, c = "
    'score_confianca: ten steps from 0.05 to 0.95, ordered from "no, 5" to "yes, 5". Of the jury, the mean '
    "of its judges. The rubric asks for an ordinal confidence: the scale is a choice, the order alone is the "
    "judges'.",
)
_TESTS = words(
    "O resultado dos testes é o padrão; testes incompletos contam como erro do juiz o que pode ser deles.",
    "The tests' outcome is the standard; where tests are incomplete, their error counts as the judge's.",
)
_UNMEASURED = words(
    "«todos» (all): os motivos pelos quais um patch não pode estar certo. Abaixo dele, os de patches que não "
    "foram medidos mas podem passar nos testes: contam à parte.",
    '"all": the reasons for which a patch cannot be right. Below it those of patches that were not measured '
    "but can pass the tests: they count apart.",
)


def quality_tables(found: Sequence[Quality], *, marks: frozenset[str]) -> list[Table]:
    """Return the tables of the judges' quality, the jury last, with their marks."""
    return [
        Table(NAME, words("Qualidade frente aos testes", "Quality against the tests"),
              (JUDGE, STATISTIC, VALUE, LOW, HIGH, N, METHOD), tuple(_summary_rows(found)),
              (_TESTS, _MAP), marks),
        Table(f"{NAME}_confusao", words("Matriz de confusão", "Confusion matrix"), CONFUSION_COLUMNS,
              tuple((q.judge_id, q.n, *_counts(q)) for q in found), (_CLASSES,), marks),
        Table(f"{NAME}_calibracao", words("Calibração de score_confianca", "Calibration of score_confianca"),
              RELIABILITY_COLUMNS, tuple(_reliability_rows(found)), (), marks),
        Table(f"{NAME}_refutados", words("«Resolvida» dita de patches que nada resolvem",
              '"Resolved" said of patches that do nothing'), REFUTED_COLUMNS,
              tuple(_refuted_rows(found)), (_UNMEASURED,), marks),
    ]  # fmt: skip


def _counts(one: Quality) -> tuple[int, int, int, int]:
    table = one.confusion
    return table.tp, table.fp, table.fn, table.tn


def _summary_rows(found: Iterable[Quality]) -> Iterable[tuple[object, ...]]:
    for one in found:
        rates: dict[str, Estimate | Undefined] = {name: one.confusion.rate(name) for name in RATES}
        intervals: dict[str, Estimate | Undefined] = {"mcc": one.mcc, "auc": one.auc, **rates}
        for name, value in intervals.items():
            n = value.n if isinstance(value, Estimate) else one.n
            method = value.method if isinstance(value, Estimate) else None
            yield (one.judge_id, name, *bounds(value), n, method)
        alone: dict[str, Value] = {
            "f1": one.confusion.f1,
            "balanced_accuracy": one.confusion.balanced_accuracy,
            **_brier_parts(one.brier),
            "expected_calibration_error": one.calibration_error,
        }
        for name, number in alone.items():
            yield (one.judge_id, name, number, None, None, one.n, None)


def _brier_parts(score: Brier | Undefined) -> dict[str, Value]:
    shown = {"brier": "score", **{f"brier_{part}": part for part in BRIER_PARTS}}
    return {name: score if isinstance(score, Undefined) else getattr(score, p) for name, p in shown.items()}


def _reliability_rows(found: Iterable[Quality]) -> Iterable[tuple[object, ...]]:
    for one in found:
        for part in one.reliability:
            shown = (part.low, part.high, part.n, part.mean_chance, part.rate, part.rate_low, part.rate_high)
            yield (one.judge_id, *shown)


def _refuted_rows(found: Iterable[Quality]) -> Iterable[tuple[object, ...]]:
    for one in found:
        for group in (*one.refuted, *one.unmeasured):
            yield (one.judge_id, group.reason, group.n, group.said, *bounds(group.share))
