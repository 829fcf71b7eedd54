"""How an answer ended is told from the service's word and from its own words, in three languages."""

import re
from itertools import combinations
from typing import Any

import pytest

from swe_assets.judging.answer_outcome import EndedAnswer, answer_outcome, without_thinking
from swe_assets.judging.language_hint import language_of
from swe_assets.llm.finish_words import BLOCKED, CUT, DECLINED, FAILED, FINISHED
from swe_assets_tests.llm.refusal_texts import ANSWERS, REFUSALS
from swe_assets_tests.shared_data import CHECKOUT, blind_cases, shared


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in blind_cases("outcome")])
def test_the_outcome_cases(case: dict[str, Any]) -> None:
    """Each recorded answer ends as it should, with the flag that it should have."""
    given, expected = case["input"], case["expected"]
    ended = answer_outcome(given["finish_reason"], given["text"], item_lang=given.get("item_lang"))
    assert ended.outcome == expected["outcome"]
    assert list(ended.flags) == ([expected["flag"]] if "flag" in expected else [])


@pytest.mark.parametrize(
    ("finish", "text", "outcome"),
    [
        ("length", "First we compute", "truncated"),
        ("MAX_TOKENS", "", "truncated"),
        ("max_tokens", "I can't help with that.", "truncated"),
        ("model_length", "x", "truncated"),
        ("content_filter", "I", "blocked"),
        ("SAFETY", None, "blocked"),
        ("RECITATION", "x", "blocked"),
        ("refusal", "", "refusal"),
        ("insufficient_system_resource", "x", "error"),
        ("tool_calls", "", "error"),
        ("error", "x", "error"),
        ("STOP", "12", "answered"),
        ("end_turn", "12", "answered"),
        ("", "12", "answered"),
        (None, "12", "answered"),
        ("stop", "", "empty"),
        ("stop", None, "empty"),
        ("stop", " \n\u3000\u200b", "empty"),
        ("stop", "<think>12</think>", "empty"),
        ("stop", "<think>so it is 12", "empty"),
        ("stop", "<think>I can't help with that.</think>12", "answered"),
        ("stop", "<think>12</think>\nI can't help with that.", "refusal"),
        ("stop", "0", "answered"),
    ],
)
def test_the_word_and_the_text(finish: str | None, text: str | None, outcome: str) -> None:
    """The service's word decides where it names an end; else the text without its thinking does."""
    assert answer_outcome(finish, text).outcome == outcome


@pytest.mark.parametrize("text", REFUSALS)
def test_refusals(text: str) -> None:
    """A text that declines is a refusal."""
    assert answer_outcome("stop", text) == EndedAnswer("refusal")


@pytest.mark.parametrize("text", ANSWERS)
def test_answers(text: str) -> None:
    """A text that only begins like a refusal is an answer."""
    assert answer_outcome("stop", text) == EndedAnswer("answered")


def test_a_new_word_is_said() -> None:
    """A finish word that is not known leaves the text to decide and is flagged."""
    assert answer_outcome("SOMETHING_NEW", "12") == EndedAnswer("answered", ("unknown_finish:something_new",))


def test_no_word_has_two_meanings() -> None:
    """The sets of finish words do not meet."""
    assert all(not (a & b) for a, b in combinations((FINISHED, CUT, DECLINED, BLOCKED, FAILED), 2))


def test_every_word_of_the_sdks_is_known() -> None:
    """Each finish word that the three SDKs declare is in one of the sets."""
    from typing import get_args

    from anthropic.types import StopReason
    from google.genai.types import FinishReason
    from openai.types.chat.chat_completion import Choice

    openai = get_args(Choice.model_fields["finish_reason"].annotation)
    words = {*get_args(StopReason), *openai, *(reason.value.lower() for reason in FinishReason)}
    assert len(words) > 20
    assert words <= FINISHED | CUT | DECLINED | BLOCKED | FAILED


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("A fotossíntese ocorre nos cloroplastos, que são organelas da célula.", "pt"),
        ("The photosynthesis process occurs in chloroplasts.", "en"),
        ("光合作用发生在叶绿体中。", "zh"),
        ("使用 NumPy 的数组。", "zh"),
        ("用 numpy.ndarray", None),
        ("x = 12", None),
        ("12", None),
        ("", None),
        ("Lisboa", None),
        ("La fotosíntesis ocurre.", None),
        ("O termo inglês 'the rule of law' e o seu sentido na doutrina são discutidos.", "pt"),
    ],
)
def test_the_language_where_it_is_plain(text: str, language: str | None) -> None:
    """Script and common words tell three languages apart, and say nothing where they do not."""
    assert language_of(text) == language


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_language_of_real_word_problems(language: str) -> None:
    """All 250 problems are known for what they are: none would be flagged, each swapped one would."""
    rows = shared("data", "blind", f"mgsm_{language}.tsv").read_text(encoding="utf-8").split("\n")
    texts = [row.split("\t")[0] for row in rows if row.strip()]
    assert len(texts) == 250
    assert {language_of(text) for text in texts} == {language}


def test_thinking_is_cut() -> None:
    """Blocks at the beginning go, one that is quoted later stays."""
    assert without_thinking("\ufeff<think>a</think><think>b</think> c <think>d") == "c <think>d"


def test_the_page_lists_every_word() -> None:
    """The table of the reference page has each finish word under its outcome."""
    page = (CHECKOUT / "docs" / "reference" / "judge-outcomes.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|$", page.split("## Finish words")[1], re.MULTILINE))
    sets = {
        "answered": FINISHED - {""},
        "truncated": CUT,
        "refusal": DECLINED,
        "blocked": BLOCKED,
        "error": FAILED,
    }
    assert {name: set(re.findall(r"`(\w+)`", words)) for name, words in rows.items()} == sets
