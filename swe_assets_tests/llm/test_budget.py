"""Money is reserved before and settled after each attempt, and never exceeds what was allowed."""

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swe_assets.errors import ConfigurationError
from swe_assets.llm.budget import SpendMeter
from swe_assets.llm.outcomes import BudgetSpentError, CallsCancelledError, StopCallsError
from swe_assets.llm.prices import PriceList
from swe_assets.llm.protocol import ChatReply, ChatRequest, Meter
from swe_assets.llm.specs import ModelSpec
from swe_assets.llm.spend import Spend, SpendLedger
from swe_assets.llm.token_estimate import MOST_OUT_UNSTATED, MOST_OVERHEAD
from swe_assets.storage.folder_objects import FolderObjects

SPEC = ModelSpec("m", "openai", "m", max_tokens=1_000, price_in=1.0, price_out=10.0)
"""A call of 744 bytes and the overhead of 256 reserves 1,000 × 1 + 1,000 × 10 = 11,000 USD of a million."""

REQUEST = ChatRequest("s" * 44, "u" * 700)
MOST = 0.011


def reply(tokens_in: int | None, tokens_out: int | None) -> ChatReply:
    """Return a reply with such a usage."""
    return ChatReply("text", "m", "m", "stop", tokens_in, tokens_out)


def meter(max_usd: float | None = None, ledger: SpendLedger | None = None) -> SpendMeter:
    """Return a meter with the present prices."""
    return SpendMeter(max_usd, PriceList(), ledger=ledger)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SpendLedger]:
    """Give a ledger in a folder of its own."""
    yield SpendLedger(FolderObjects(tmp_path), "run")


def test_reservation_is_the_prompts_bytes_and_the_whole_answer() -> None:
    """An attempt reserves a token for each byte and the template, and max_tokens for the answer."""
    assert MOST_OVERHEAD == 256
    assert meter(1.0).admit(SPEC, REQUEST) == pytest.approx(MOST)


def test_without_max_tokens_a_long_answer_is_reserved() -> None:
    """Where nothing bounds the answer 8,192 tokens are reserved, or twice the longest one."""
    spec, counted = replace(SPEC, max_tokens=None), meter(10.0)
    assert counted.admit(spec, REQUEST) == pytest.approx((1_000 + 10 * MOST_OUT_UNSTATED) / 1e6)
    counted.settle(spec, 0.0, reply(10, 6_000))
    assert counted.most_usd(spec, REQUEST) == pytest.approx((1_000 + 10 * 12_000) / 1e6)


def test_settling_replaces_the_reservation_by_the_cost() -> None:
    """A call of a million tokens in and a hundred thousand out at 1 and 10 USD a million costs 2 USD."""
    counted: Meter = meter()
    counted.settle(SPEC, counted.admit(SPEC, REQUEST), reply(1_000_000, 100_000))
    assert isinstance(counted, SpendMeter)
    assert counted.spent == Spend(calls=1, tokens_in=1_000_000, tokens_out=100_000, usd=2.0)


def test_what_was_not_served_costs_nothing() -> None:
    """An attempt without a reply gives its reservation back and counts as no call."""
    counted = meter(1.0)
    counted.settle(SPEC, counted.admit(SPEC, REQUEST), None)
    assert counted.spent == Spend()


def test_unknown_usage_is_settled_at_the_reservation_and_marked() -> None:
    """A reply that does not tell its tokens costs what was reserved, and counts as estimated."""
    counted = meter(1.0)
    counted.settle(SPEC, counted.admit(SPEC, REQUEST), reply(None, None))
    assert counted.spent == Spend(calls=1, usd=counted.most_usd(SPEC, REQUEST), estimated_calls=1)
    assert "1 estimated" in counted.spent.line()


def test_the_call_that_could_exceed_the_limit_is_refused() -> None:
    """With 0.03 USD and calls that cost all they reserve, two of 0.011 are made and the third is refused."""
    counted = meter(0.03)
    for _ in range(2):
        counted.settle(SPEC, counted.admit(SPEC, REQUEST), reply(1_000, 1_000))
    with pytest.raises(BudgetSpentError, match=r"USD 0\.0220 of the allowed USD 0\.03.*--max-cost"):
        counted.admit(SPEC, REQUEST)


def test_a_limit_that_is_just_met_is_not_exceeded() -> None:
    """Three calls of 0.011 USD fit into 0.033 USD, a fourth does not."""
    counted = meter(0.033)
    for _ in range(3):
        counted.settle(SPEC, counted.admit(SPEC, REQUEST), reply(1_000, 1_000))
    with pytest.raises(BudgetSpentError):
        counted.admit(SPEC, REQUEST)


def test_a_call_waits_for_those_under_way_before_it_is_refused() -> None:
    """With room for one reservation a second call waits until the first came cheaper, and is then made."""
    counted, admitted = meter(0.02), threading.Event()
    first = counted.admit(SPEC, REQUEST)

    def second() -> None:
        counted.admit(SPEC, REQUEST)
        admitted.set()

    thread = threading.Thread(target=second)
    thread.start()
    assert not admitted.wait(0.1)
    counted.settle(SPEC, first, reply(100, 10))
    thread.join(5)
    assert admitted.is_set()


def test_a_stop_ends_the_wait_for_money() -> None:
    """A call that waits for those under way raises CallsCancelledError once the run is stopped."""
    stop = threading.Event()
    counted = SpendMeter(0.02, PriceList(), stop=stop)
    counted.admit(SPEC, REQUEST)
    threading.Timer(0.05, stop.set).start()
    started = time.monotonic()
    with pytest.raises(CallsCancelledError):
        counted.admit(SPEC, REQUEST)
    assert time.monotonic() - started < 2


@pytest.mark.parametrize("share", [1.0, 0.5, 0.05])
def test_sixteen_threads_never_exceed_the_limit(share: float) -> None:
    """16 threads that call until refused spend at most the limit, and leave less than one call of it."""
    counted, peak = meter(0.5), []

    def until_refused(_number: int) -> int:
        made = 0
        try:
            while True:
                reserved = counted.admit(SPEC, REQUEST)
                peak.append(counted.spent.most_usd)
                counted.settle(SPEC, reserved, reply(round(1_000 * share), round(1_000 * share)))
                made += 1
        except BudgetSpentError:
            return made

    with ThreadPoolExecutor(16) as pool:
        made = sum(pool.map(until_refused, range(16)))
    assert max(peak) <= 0.5 + 1e-9
    assert counted.spent.usd == pytest.approx(made * MOST * share)
    assert 0.5 - MOST < counted.spent.usd <= 0.5 + 1e-9


@given(st.lists(st.tuples(st.integers(0, 1_000), st.integers(0, 1_000), st.booleans()), max_size=60))
@settings(deadline=None, max_examples=60)
def test_spent_and_reserved_stay_within_the_limit(calls: list[tuple[int, int, bool]]) -> None:
    """Whatever calls use within what was reserved, and in whatever order they settle, the limit holds."""
    counted = meter(0.1)
    under_way: list[tuple[float, ChatReply]] = []
    for tokens_in, tokens_out, settle_first in calls:
        if under_way and (settle_first or counted.spent.most_usd + MOST > 0.1):
            counted.settle(SPEC, *under_way.pop())
        try:
            if counted.spent.most_usd + MOST <= 0.1:
                under_way.append((counted.admit(SPEC, REQUEST), reply(tokens_in, tokens_out)))
        except BudgetSpentError:
            break
        assert counted.spent.most_usd <= 0.1 + 1e-9


def test_an_unknown_price_with_a_limit_is_refused() -> None:
    """A limit for a model of unknown price raises at the check, and at a call that was not checked."""
    unknown = ModelSpec("own", "openai", "own-model")
    with pytest.raises(ConfigurationError, match=r"limit of USD 5 cannot be kept.*price_in and price_out"):
        meter(5.0).check(unknown)
    with pytest.raises(StopCallsError):
        meter(5.0).admit(unknown, REQUEST)


def test_an_unknown_price_without_a_limit_is_counted_apart() -> None:
    """Without a limit calls of unknown price are made, counted as such, and told as unknown, not as 0."""
    unknown, counted = ModelSpec("own", "openai", "own-model"), meter()
    counted.check(unknown)
    counted.settle(unknown, counted.admit(unknown, REQUEST), reply(10, 10))
    assert counted.spent == Spend(calls=1, tokens_in=10, tokens_out=10, unpriced_calls=1)
    assert counted.spent.line() == "1 calls, USD unknown, 0 reused"


@pytest.mark.parametrize("wrong", [-1.0, float("nan"), float("inf")])
def test_a_limit_that_is_no_amount_is_refused(wrong: float) -> None:
    """A negative, infinite or undefined limit raises ConfigurationError."""
    with pytest.raises(ConfigurationError, match="USD, 0 or more"):
        meter(wrong)


def test_reused_answers_cost_nothing() -> None:
    """Answers of the call store are counted and add no money."""
    counted = meter(0.0)
    counted.reused(SPEC, reply(1_000, 1_000))
    assert counted.spent == Spend(reused=1)


def test_models_are_told_apart(ledger: SpendLedger) -> None:
    """The ledger has the spending of each model by its id."""
    counted, other = meter(ledger=ledger), replace(SPEC, id="n", price_in=2.0)
    for spec in (SPEC, other):
        counted.settle(spec, counted.admit(spec, REQUEST), reply(1_000_000, 0))
    told = json.loads(ledger.objects.read(f"run/processes/{ledger.mine}.json") or b"")
    assert {name: spend["usd"] for name, spend in told["models"].items()} == {"m": 1.0, "n": 2.0}


def test_a_killed_process_leaves_what_it_spent_and_reserved(ledger: SpendLedger) -> None:
    """What a process that never came to its end had settled and reserved is read again by another."""
    gone = meter(1.0, ledger)
    gone.settle(SPEC, gone.admit(SPEC, REQUEST), reply(1_000, 500))
    gone.admit(SPEC, REQUEST)
    known = SpendLedger(ledger.objects, "run").all()
    assert known.calls == 1
    assert known.usd == pytest.approx(0.006)
    assert known.reserved_usd == pytest.approx(MOST)


def test_processes_of_a_run_share_its_budget(ledger: SpendLedger) -> None:
    """A second process of the same run is refused what the first has spent, another run is not."""
    first = meter(0.03, ledger)
    for _ in range(2):
        first.settle(SPEC, first.admit(SPEC, REQUEST), reply(1_000, 1_000))
    second = meter(0.03, SpendLedger(ledger.objects, "run"))
    with pytest.raises(BudgetSpentError, match=r"USD 0\.0220"):
        second.admit(SPEC, REQUEST)
    meter(0.03, SpendLedger(ledger.objects, "other")).admit(SPEC, REQUEST)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"models": {"m": {"usd": "much"}}}', b'{"models": 3}']
)
def test_a_damaged_ledger_counts_for_nothing(ledger: SpendLedger, content: bytes) -> None:
    """An object that is no count is left out and does not end the run."""
    ledger.objects.write("run/processes/damaged.json", content)
    assert ledger.all() == Spend()


def test_two_meters_of_a_run_in_threads_keep_its_limit(ledger: SpendLedger) -> None:
    """Two processes' meters with four threads each, on one ledger, together stay within the limit."""
    meters = [meter(0.2, SpendLedger(ledger.objects, "run")) for _ in range(2)]

    def until_refused(number: int) -> None:
        counted = meters[number % 2]
        try:
            while True:
                counted.settle(SPEC, counted.admit(SPEC, REQUEST), reply(1_000, 900))
        except BudgetSpentError:
            return

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(until_refused, range(8)))
    assert 0.2 - 5 * MOST < ledger.all().usd <= 0.2
