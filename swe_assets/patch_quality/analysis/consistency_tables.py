"""How steady each judge is, as tables: repeats, other forms of the question, and every answer."""

from collections.abc import Iterable, Mapping, Sequence

from swe_assets.judging.jury_consistency import Answer, Form, Repeats
from swe_assets.patch_quality.analysis.agreement_tables import HIGH, LOW, N
from swe_assets.patch_quality.analysis.bounds import bounds
from swe_assets.patch_quality.analysis.column_words import words
from swe_assets.patch_quality.analysis.quality_tables import JUDGE
from swe_assets.reporting.tables import Column, Table

NAME = "consistencia_juiz"
FAILED = Column("failed", words("Chamadas sem veredito", "Calls without a verdict"), "integer")
FLIPPED = Column("flipped", words("Mudam de veredito", "Flipped"), "share")
FLIPPED_LOW = Column("flipped_low", words("IC 95 % inf.", "95 % CI low"), "share")
FLIPPED_HIGH = Column("flipped_high", words("IC 95 % sup.", "95 % CI high"), "share")
REPEAT_COLUMNS = (
    JUDGE,
    N,
    Column("verdicts", words("Vereditos", "Verdicts"), "integer"),
    FAILED,
    FLIPPED,
    FLIPPED_LOW,
    FLIPPED_HIGH,
    Column("alpha_resolve", words("Alfa de resolve_issue", "Alpha of resolve_issue"), "number"),
    LOW,
    HIGH,
    Column("alpha_confidence", words("Alfa de score_confianca", "Alpha of score_confianca"), "number"),
    Column("alpha_confidence_low", words("IC 95 % inf.", "95 % CI low"), "number"),
    Column("alpha_confidence_high", words("IC 95 % sup.", "95 % CI high"), "number"),
    Column("mean_spread", words("Amplitude média da confiança", "Mean spread of confidence"), "number"),
)
FORM_COLUMNS = (
    JUDGE,
    Column("form", words("Forma", "Form"), "id"),
    N,
    FAILED,
    FLIPPED,
    FLIPPED_LOW,
    FLIPPED_HIGH,
    Column("to_resolved", words("Passam a resolvida", "To resolved"), "integer"),
    Column("to_not_resolved", words("Passam a não resolvida", "To not resolved"), "integer"),
    Column("shift", words("Mudança média da probabilidade", "Mean change of the probability"), "number"),
)
ANSWER_COLUMNS = (
    JUDGE,
    Column("instance_id", words("Instância", "Instance"), "id"),
    Column("variant", words("Variante", "Variant"), "id"),
    Column("resolve_issue", words("resolve_issue", "resolve_issue"), "truth"),
    Column("score_confianca", words("score_confianca", "score_confianca"), "integer"),
    Column("error", words("Erro", "Error"), "text"),
)
NOT_ASKED = words(
    "Não foi pedida: os vereditos deste estudo foram dados uma só vez. Peça com [consistency] em study.toml.",
    "Not asked for: the verdicts of this study were given once. Ask for it by [consistency] in study.toml.",
)
_REPEATED = words(
    "A mesma pergunta, n vezes, o veredito do estudo incluído. Com temperatura 0 mede-se o que o serviço "
    "varia por si.",
    "The same question n times, the study's own verdict counted. At temperature 0 this is what the service "
    "varies by itself.",
)
_FORMS = words(
    "O patch primeiro (order): antes da issue; outras palavras (wording): a mesma rubrica; ambos frente à "
    "forma do estudo. Parte da diferença é a que as repetições já mostram.",
    "order: the patch before the issue; wording: the same rubric in other words; both against the study's "
    "own form. Part of the difference is what the repeats show already.",
)


def consistency_tables(
    repeated: Sequence[Repeats],
    forms: Sequence[Form],
    answers: Mapping[str, Iterable[Answer]],
    *,
    asked: bool,
    marks: frozenset[str],
) -> list[Table]:
    """Return the tables of the judges' steadiness; where it was not asked for they are empty and say so."""
    notes = (_REPEATED,) if asked else (NOT_ASKED,)
    return [
        Table(NAME, words("A mesma pergunta de novo", "The same question again"), REPEAT_COLUMNS,
              tuple(map(_repeat_row, repeated)), notes, marks),
        Table(f"{NAME}_formas", words("Ordem e palavras", "Order and words"), FORM_COLUMNS,
              tuple(map(_form_row, forms)), (_FORMS,), marks),
        Table(f"{NAME}_respostas", words("As respostas", "The answers"), ANSWER_COLUMNS,
              tuple(_answer_rows(answers)), (), marks),
    ]  # fmt: skip


def _repeat_row(one: Repeats) -> tuple[object, ...]:
    alphas = (*bounds(one.resolve), *bounds(one.confidence))
    return (one.judge_id, one.n, one.verdicts, one.failed, *bounds(one.flipped), *alphas, one.spread)


def _form_row(one: Form) -> tuple[object, ...]:
    counts = (one.to_resolved, one.to_not, one.shift)
    return (one.judge_id, one.form, one.n, one.failed, *bounds(one.flipped), *counts)


def _answer_rows(answers: Mapping[str, Iterable[Answer]]) -> Iterable[tuple[object, ...]]:
    for judge_id, given in answers.items():
        for one in given:
            said = (one.resolved, one.confidence, one.error or None)
            yield (judge_id, one.instance_id, one.variant, *said)
