"""The parts of an audit without a run: one judged instance, kept settings, kept sheets, the lists."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from swe_assets.errors import InputError, StudyError
from swe_assets.judging.audit_disagreements import Disagreement
from swe_assets.judging.prompts import Prompts
from swe_assets.patch_quality.auditoria_devolvidas import slug
from swe_assets.patch_quality.auditoria_folha import audit_sheet
from swe_assets.patch_quality.auditoria_itens import FORM, JURY, AuditedInstance, page_item, shown_text
from swe_assets.patch_quality.auditoria_relato import MOST_SHOWN, disagreement_markdown
from swe_assets.patch_quality.auditoria_sorteio import DRAW_FILE, DrawSettings, read_draw, write_draw

PATCH = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-total = 0\n+total = sum(items)\n"


def judged(judge_id: str, resolved: bool, score: int, *, rehearsal: bool = False) -> dict[str, Any]:
    """Return one judge's verdict."""
    return {
        "judge_id": judge_id,
        "resolve_issue": resolved,
        "score_confianca": score,
        "raciocinio_analitico": f"{judge_id}: usa `sum(items)` e `nada disso`. Trata a causa.",
        "judge": {"model": f"model-{judge_id}", "rehearsal": rehearsal},
    }


def extracted(judge_id: str, value: int) -> dict[str, Any]:
    """Return one judge's extraction: one value stated in its words, one in others, one fallen back."""
    metrics = {"M_profundidade": value, "M_integridade": 3, "M_defesa": 2}
    words = {"just_profundidade": "trata a CAUSA", "just_integridade": "omisso", "just_defesa": "outra coisa"}
    origins = {"M_profundidade": "stated", "M_integridade": "fallback", "M_defesa": "stated"}
    return {"judge_id": judge_id, "record": {"LLM_Judge_Metrics": metrics | words}, "origins": origins}


def instance(count: int = 2) -> AuditedInstance:
    """Return an instance that count judges judged, the second of whom speaks for the jury."""
    jury = [judged("a", False, 2), judged("b", True, 5), judged("c", True, 3)][:count]
    speaker = jury[-1] if count > 1 else jury[0]
    joint = {**speaker, "score_confianca": sum(one["score_confianca"] for one in jury) / count}
    extractions = [extracted(one["judge_id"], n) for n, one in enumerate(jury, start=1)]
    verdict = {"evaluation": joint, "jury": jury, "flags": ["tie"], "injection": [{"where": "patch"}]}
    extraction = {**extractions[0], "jury": extractions}
    return AuditedInstance("demo__demo-1", "It is `wrong`.", PATCH, verdict, extraction, 1)


def test_one_judge_is_no_jury() -> None:
    """Of one judge there is one rater, by its name, and no joint row."""
    assert instance(1).scores() == {
        "a": {
            "resolve_issue": 0,
            "score_confianca": 2,
            "M_profundidade": 1,
            "M_integridade": 3,
            "M_defesa": 2,
        }
    }
    assert page_item(instance(1)).facts == (("pass@1", "1: os testes passam"),)


def test_a_fallback_is_no_score_to_compare() -> None:
    """What a reasoning is silent about is shown and not compared with a person's score, of a jury neither."""
    stated = instance().stated()
    assert list(stated) == [JURY, "a", "b"]
    names = {"resolve_issue", "score_confianca", "M_profundidade", "M_defesa"}
    assert all(set(scores) == names for scores in stated.values())


def test_jury_is_a_rater_of_its_own() -> None:
    """Of two judges there are three raters: the jury with its mean, then each judge."""
    scores = instance().scores()
    assert list(scores) == [JURY, "a", "b"] and scores[JURY]["score_confianca"] == 3.5
    assert ("flags", "tie") in page_item(instance()).facts


def test_reasoning_that_stands_for_the_jury_comes_first() -> None:
    """The auditor reads the spokesperson's reasoning first, whatever the order of the judges."""
    assert [one.judge for one in page_item(instance(3)).judges] == [
        "c (model-c)",
        "a (model-a)",
        "b (model-b)",
    ]


def test_quotes_and_words_are_looked_up() -> None:
    """A quotation of the patch is found there, an invented one nowhere; words in the reasoning."""
    judge = page_item(instance(1)).judges[0]
    assert [(q.where, q.place and q.place.line) for q in judge.quotes] == [("patch", 5), ("", None)]
    found = {value.scale: value.found and value.found.where for value in judge.values}
    assert found["M_profundidade"] == "parecer" and found["M_defesa"] == ""
    assert found["M_integridade"] is None


def test_suspected_injection_is_a_warning() -> None:
    """A suspected instruction to the judge is told on the page and in the sheet, also blind."""
    assert "patch" in page_item(instance()).warnings[0]
    sheet = audit_sheet([instance()], auditor="", blind=True).decode("utf-8-sig")
    assert page_item(instance()).warnings[0] in sheet and "model-" not in sheet


def test_mark_follows_issue_and_patch() -> None:
    """The mark changes with issue and patch and not with what the judges say."""
    other = replace(instance(), verdict=instance(3).verdict)
    assert other.drawn == instance().drawn
    assert replace(instance(), patch=PATCH + " ").drawn.mark != instance().drawn.mark


def test_long_texts_are_cut_and_say_so() -> None:
    """A text beyond its limit is cut in the middle, with the count."""
    assert "⟨o meio do texto foi omitido: 100 de 500 caracteres mostrados⟩" in shown_text("x" * 500, 100)
    assert shown_text("a\u202eb\r\n", 100) == "a⟨U+202E⟩b\n"


def test_scales_are_those_of_the_prompts() -> None:
    """The range of each M_* and the fallback in its question are those that the prompt gives the judge."""
    prompt = Prompts.load().extraction_system
    for scale in FORM.scales[2:]:
        fallback = scale.question.partition("(reserva: ")[2][0]
        assert f"{scale.name}:" in prompt and f"(reserva: {fallback})" in prompt.split(f"{scale.name}:")[1]
        assert (scale.lowest, scale.highest, len(scale.labels)) == (1, 3, 3)


def test_settings_are_kept(tmp_path: Path) -> None:
    """What is kept is read again, the defaults where nothing was, the name trimmed."""
    assert read_draw(tmp_path) == DrawSettings()
    write_draw(tmp_path, DrawSettings("0.25", 7, True, True, " Ana  Souza "))
    assert read_draw(tmp_path) == DrawSettings("0.25", 7, True, True, "Ana Souza")


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"share": 0.1}', '{"seed": true}', '{"other": 1}', '{"share": "2"}']
)
def test_damaged_settings_are_named(text: str, tmp_path: Path) -> None:
    """A damaged or edited file of settings is named with the way out, never taken for the defaults."""
    path = tmp_path / "auditoria" / DRAW_FILE
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StudyError, match=r"sorteio\.json cannot be used .* audit draw"):
        read_draw(tmp_path)


def test_unusable_settings_are_not_kept(tmp_path: Path) -> None:
    """Settings that cannot be used are refused before they are written."""
    with pytest.raises(InputError):
        write_draw(tmp_path, DrawSettings(share="0"))
    assert not (tmp_path / "auditoria").exists()


def test_slugs_are_plain_and_apart() -> None:
    """A name of any script or with path signs gives a plain file name, another for another name."""
    names = ["Ana", "ana", "João Só", "../../etc/passwd", "王小明", "李小龙", "x" * 80]
    slugs = [slug(name) for name in names]
    assert len(set(slugs)) == len(names)
    assert all(one.replace("-", "").isalnum() and one.isascii() and len(one) < 60 for one in slugs)
    assert slugs[2].startswith("joao-so-")


def test_lists_are_inert_markdown() -> None:
    """A comment full of markup stays one cell of text, and a very long list is cut and says so."""
    one = Disagreement("demo__demo-1", "M_defesa", "Ana", "b", 3.0, 1.0, 2.0, 1.0, True)
    evil = {("Ana", "demo__demo-1"): "a | b\n<script>x</script> [x](y) \u202e"}
    text = disagreement_markdown([one] * (MOST_SHOWN + 5), evil, {"demo__demo-1": 0}, 1.0)
    assert "<script" not in text and "a &#124; b &#60;script" in text and "⟨U+202E⟩" in text
    assert "… e mais 5" in text and f"{MOST_SHOWN + 5} discordâncias" in text
