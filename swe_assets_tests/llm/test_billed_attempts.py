"""Every attempt that a service may bill is in the account, whatever became of it."""

from contextlib import suppress
from dataclasses import replace

import pytest

from swe_assets.judging.verdict import Verdict
from swe_assets.llm.attempts import RetryPolicy
from swe_assets.llm.budget import SpendMeter
from swe_assets.llm.called_model import CalledModel, CallServices
from swe_assets.llm.outcomes import CallError
from swe_assets.llm.prices import PriceList
from swe_assets.llm.protocol import ChatRequest
from swe_assets.llm.spend import Spend
from swe_assets_tests.http_stub import Served
from swe_assets_tests.llm.loopback import GOOD, Service, failed, said, service

REQUEST = ChatRequest("system", "user", schema=Verdict, purpose="judge")
PRICES = {"max_tokens": 500, "price_in": 1.0, "price_out": 10.0}
ONE = (100 * 1.0 + 27 * 10.0) / 1e6
"""The service tells 100 tokens in and 27 out of each reply."""


def spent(running: Service, *, timeout_s: float = 20.0, attempts: int = 3) -> tuple[Spend, float]:
    """Return what one call that may fail was counted at, and what one attempt reserves."""
    meter = SpendMeter(1.0, PriceList())
    provider = running.provider("gemini", timeout_s=timeout_s, **PRICES)
    policy = RetryPolicy(attempts=attempts)
    model = CalledModel(provider, CallServices(meter=meter), policy=policy, sleep=lambda _s: None)
    with suppress(CallError):
        model.complete(REQUEST)
    return meter.spent, meter.most_usd(model.spec, REQUEST)


def test_invalid_replies_are_paid_too() -> None:
    """Two replies that are not the object and a third that is cost three times one."""
    with service(said("no object"), said("{}"), said(GOOD)) as running:
        told, _most = spent(running)
    assert told.calls == 3
    assert told.usd == pytest.approx(3 * ONE)


def test_a_truncated_reply_is_paid() -> None:
    """A reply that the token limit cut is billed and counted."""
    with service(said('{"resolve', finish="MAX_TOKENS")) as running:
        told, _most = spent(running)
    assert told.calls == 1
    assert told.usd == pytest.approx(ONE)


@pytest.mark.parametrize("refused", [failed(429, "slow down"), failed(503, "overloaded"), failed(400, "no")])
def test_refused_requests_cost_nothing(refused: Served) -> None:
    """What a service answers with an error status is not billed."""
    with service(refused) as running:
        told, _most = spent(running)
    assert told == Spend()


@pytest.mark.parametrize("fault", ["silence", "cut", "reset"])
def test_a_reply_that_never_came_is_counted_as_reserved(fault: str) -> None:
    """A hang or a broken line after the request may be billed: each attempt counts as reserved, marked."""
    with service(replace(said(GOOD), fault=fault)) as running:
        told, most = spent(running, timeout_s=0.5, attempts=2)
    assert (told.calls, told.estimated_calls) == (2, 2)
    assert told.usd == pytest.approx(2 * most)


def test_a_service_that_is_not_there_costs_nothing() -> None:
    """A refused connection reached nobody and is not counted."""
    with service(said(GOOD)) as running:
        pass
    told, _most = spent(running)
    assert told == Spend()
