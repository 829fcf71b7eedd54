"""A refusal is told from an answer that only begins like one, in three languages."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swe_assets.llm.refusals import declines
from swe_assets_tests.llm.refusal_texts import ANSWERS, REFUSALS
from swe_assets_tests.shared_data import shared


@pytest.mark.parametrize("text", REFUSALS)
def test_a_refusal(text: str) -> None:
    """Each of these declines, also in bold and with white space around."""
    assert declines(text)
    assert declines(f"\n  **{text}")


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer(text: str) -> None:
    """None of these declines, however it begins."""
    assert not declines(text)


@pytest.mark.parametrize("name", ["mgsm_en.tsv", "mgsm_zh.tsv"])
def test_no_word_problem_is_a_refusal(name: str) -> None:
    """Of 250 real word problems with their answers none counts as a refusal."""
    rows = shared("data", "blind", name).read_text(encoding="utf-8").split("\n")
    assert len(rows) >= 250
    assert [row for row in rows if declines(row)] == []


@pytest.mark.parametrize(
    "unit",
    ["sorry, ", "i can't really just ", "as an ai ", "抱歉", "\ufdfa", "不能够再直接", "nao posso a te lhe "],
)
def test_a_hostile_text_costs_little(unit: str) -> None:
    """No text makes the look slow, whatever its length."""
    started = time.process_time()
    for length in (390, 1190, 10_000_000):
        declines(unit * (length // len(unit)))
    assert time.process_time() - started < 1


@given(st.text(st.characters(codec=None)))
def test_any_text_is_answered_for(text: str) -> None:
    """Whatever a text holds, the question has an answer, and a space before it does not change it."""
    assert declines(text) == declines(" " + text)
