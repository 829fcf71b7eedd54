"""What the judges' tables come to in sentences."""

from swe_assets.judging.jury_agreement import MEASURES, agreement
from swe_assets.judging.jury_consistency import Answer, form, repeats
from swe_assets.judging.jury_quality import Said, quality
from swe_assets.patch_quality.analysis.judge_sentences import (
    agreement_sentences,
    consistency_sentences,
    quality_sentences,
)


def test_a_jury_s_agreement_in_words() -> None:
    """Count of judges and instances, unanimity and ties come first, then alpha for each measure."""
    found = [agreement({"a": [1, 0, 1, 0], "b": [1, 0, 0, 0]}, MEASURES[0])]
    said = agreement_sentences(found, [(2, 2), (0, 2), (1, 2), (0, 2)])
    assert said[0] == "2 juízes, 4 instâncias julgadas: unânimes em 75.0\u00a0%; empates: 1."
    assert said[1].startswith("resolve_issue: alfa de Krippendorff 0.533 (IC indefinido: ")


def test_an_interval_is_told_where_there_is_one() -> None:
    """A value with both bounds has them beside it."""
    found = [agreement({"a": [1, 0] * 10, "b": [1, 0] * 9 + [0, 0]}, MEASURES[0])]
    assert "0.902 (IC 95 % " in agreement_sentences(found, [(2, 2)] * 20)[1]


def test_one_judge_has_no_agreement_in_words() -> None:
    """Of one judge there is one sentence, that nothing can be measured."""
    assert agreement_sentences([], [(1, 1)]) == ["Sem acordo a medir: 1 instância julgada por um só juiz."]


def test_quality_in_words() -> None:
    """MCC that has no value says why, and "resolved" said of an empty patch is counted."""
    rows = [Said("x-1", True, 0.95, False, "empty"), Said("x-2", True, 0.95, True)]
    (said,) = quality_sentences([quality("a", rows)])
    assert said.startswith("a: MCC indefinido (MCC: what was said is all one class); sensibilidade 100.0")
    assert said.endswith("«resolvida» dita de 1 de 1 patches que nada resolvem.")


def test_consistency_in_words() -> None:
    """Not asked for is said; asked for, each judge has a sentence a form with its failed calls."""
    assert consistency_sentences([], [], asked=False)[0].startswith("Não foi pedida")
    answers = [Answer("x-1", "base", True, 4), Answer("x-1", "repeat-2", error="blocked: x")]
    answers += [Answer("x-1", "order", False, 4)]
    said = consistency_sentences([repeats("a", answers)], [form("a", "order", answers)], asked=True)
    assert said[0].startswith("a, a mesma pergunta de novo: muda de veredito em indefinido")
    assert said[0].endswith("chamadas sem veredito: 1.")
    assert said[1].startswith("a, order: muda de veredito em 100.0")
