"""What calls will take, foretold: real prompts, kept answers apart, money and time by hand."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from swe_assets.llm.call_store import CallStore
from swe_assets.llm.forecast import CallForecast, PlannedCall, forecast_calls
from swe_assets.llm.forecast_text import duration, forecast_summary, forecast_text
from swe_assets.llm.prices import PriceList
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.specs import ModelSpec
from swe_assets.llm.token_estimate import tokens_in

SPEC = ModelSpec("m", "openai", "m", max_tokens=200, concurrency=2, price_in=1.0, price_out=10.0)


def planned(number: int, spec: ModelSpec = SPEC, stage: str = "judging") -> PlannedCall:
    """Return one of many calls, each with a prompt of its own."""
    request = ChatRequest("system", f"prompt {number}", purpose="judge")
    return PlannedCall(stage, spec, request, f"{spec.id}{number:04d}")


def forecast(calls: list[PlannedCall], kept: Mapping[int, ChatReply], folder: Path) -> CallForecast:
    """Return the forecast of calls of which some are answered already."""
    store = CallStore(folder)
    for number, reply in kept.items():
        call = calls[number]
        assert call.key is not None
        store.keep(call.key, call.request, reply)
    return forecast_calls(calls, store, PriceList())


def reply(tokens: int = 20, latency_s: float = 0.0) -> ChatReply:
    """Return an answer that took so many tokens each way."""
    return ChatReply("text", "m", "m", "stop", tokens, tokens, latency_s)


def test_money_is_tokens_times_price(tmp_path: Path) -> None:
    """Ten calls cost their estimated prompts at 1 USD a million and 200 tokens each at 10 USD a million."""
    calls = [planned(number) for number in range(10)]
    told = forecast(calls, {}, tmp_path)
    prompts = sum(tokens_in(call.request) for call in calls)
    assert (told.calls, told.tokens_in, told.tokens_out) == (10, prompts, 2_000)
    assert told.usd == pytest.approx((prompts + 20_000) / 1e6)


def test_kept_answers_are_counted_apart_and_teach(tmp_path: Path) -> None:
    """Of ten calls four are kept; their tokens of answers and their latency are expected of the other six."""
    calls = [planned(number) for number in range(10)]
    told = forecast(calls, {number: reply(60, 3.0) for number in range(4)}, tmp_path)
    assert (told.calls, told.already_kept, told.tokens_out) == (6, 4, 6 * 60)
    assert told.seconds == pytest.approx(6 * 3.0 / 2)
    factor = 60 * 4 / sum(tokens_in(call.request) for call in calls[:4])
    assert told.tokens_in == pytest.approx(6 * tokens_in(calls[5].request) * factor, rel=0.05)


def test_a_jury_takes_as_long_as_its_slowest_judge(tmp_path: Path) -> None:
    """The models of a stage are asked at once, and one stage waits for the other."""
    slow, fast = replace(SPEC, id="slow", concurrency=1), replace(SPEC, id="fast", concurrency=4)
    asked = [(10, slow, "judging"), (10, fast, "judging"), (20, fast, "extracting")]
    calls = [planned(first + n, spec, stage) for first, spec, stage in asked for n in range(8)]
    told = forecast(calls, {}, tmp_path)
    judged_slowly, judged_fast, extracted = (line.seconds for line in told.lines)
    assert judged_slowly > judged_fast == extracted
    assert told.seconds == judged_slowly + extracted


def test_the_same_question_is_paid_once(tmp_path: Path) -> None:
    """Two planned calls with one key are one call to pay for and one that will be kept by then."""
    told = forecast([planned(1), planned(1)], {}, tmp_path)
    assert (told.calls, told.already_kept) == (1, 1)


def test_an_answer_with_the_longer_limit_is_kept_too(tmp_path: Path) -> None:
    """A call whose answer lies under the key of the longer limit is not to be paid for."""
    CallStore(tmp_path).keep("longer", planned(1).request, reply())
    told = forecast([replace(planned(1), longer_key="longer")], {}, tmp_path)
    assert (told.calls, told.already_kept) == (0, 1)


def test_unknown_keys_are_each_paid(tmp_path: Path) -> None:
    """Calls whose answers cannot be known before are all to be paid for."""
    told = forecast([replace(planned(number), key=None) for number in range(3)], {}, tmp_path)
    assert told.calls == 3


def test_limits_bound_the_time(tmp_path: Path) -> None:
    """120 calls at 60 a minute take two minutes, however fast the answers are."""
    spec = replace(SPEC, requests_per_minute=60, concurrency=100)
    assert forecast([planned(n, spec) for n in range(120)], {}, tmp_path).seconds == pytest.approx(120)


def test_token_limits_bound_the_time(tmp_path: Path) -> None:
    """Calls of all tokens of two minutes take two minutes."""
    calls = [planned(n) for n in range(10)]
    total = sum(tokens_in(call.request) for call in calls) + 2_000
    spec = replace(SPEC, tokens_per_minute=total / 2, concurrency=100)
    assert forecast([planned(n, spec) for n in range(10)], {}, tmp_path).seconds == pytest.approx(120)


def test_models_and_stages_have_lines_of_their_own(tmp_path: Path) -> None:
    """A jury of two over two stages gives four lines, whose sums are the whole."""
    second = replace(SPEC, id="n")
    calls = [planned(n, spec, stage) for n in range(3) for spec in (SPEC, second) for stage in ("a", "b")]
    told = forecast([replace(call, key=None) for call in calls], {}, tmp_path)
    assert [(line.stage, line.model, line.calls) for line in told.lines] == [
        ("a", "m", 3),
        ("b", "m", 3),
        ("a", "n", 3),
        ("b", "n", 3),
    ]
    assert told.calls == 12


def test_an_unknown_price_is_said(tmp_path: Path) -> None:
    """Where one model has no price the whole has none, and the words say which and what to do."""
    unknown = replace(SPEC, id="own", model="own", price_in=None, price_out=None)
    told = forecast([planned(1), planned(2, unknown)], {}, tmp_path)
    assert told.usd is None
    lines = forecast_summary(told)
    assert "USD unknown" in lines[0]
    assert "price_in and price_out" in lines[1]


def test_a_rehearsal_is_no_call(tmp_path: Path) -> None:
    """Calls of the offline twin are left out, and the words say that nobody would be asked."""
    told = forecast([planned(1, ModelSpec("rehearsal", "rehearsal"))], {}, tmp_path)
    assert told.calls == 0
    assert forecast_text(told) == ["model calls: none that a service would be asked for"]


def test_the_words_hold_calls_tokens_money_time_and_certainty(tmp_path: Path) -> None:
    """The text names stage, model, calls, kept answers, USD, price source and how good the estimate is."""
    text = "\n".join(forecast_text(forecast([planned(n) for n in range(3)], {0: reply()}, tmp_path)))
    assert "judging, m: 2 calls to pay for, 1 answers kept already" in text
    assert "price of m: the user's price" in text
    assert "tokens corrected by 1 kept answers" in text


@pytest.mark.parametrize(("seconds", "words"), [(45, "45 s"), (600, "10 min"), (12_600, "3.5 h")])
def test_durations_in_words(seconds: float, words: str) -> None:
    """Seconds, minutes and hours are told in the unit that fits."""
    assert duration(seconds) == words
