"""Every attempt that a service may bill is in the account, whatever became of it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

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
from swe_assets_tests.llm.loopback import GOOD, Service, service
from swe_assets_tests.llm.loopback_wire import TOKENS_IN, TOKENS_OUT, WIRES, Wire

REQUEST = ChatRequest("system", "user", schema=Verdict, purpose="judge")
each_wire = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.provider)
PRICES = {"max_tokens": 500, "price_in": 1.0, "price_out": 10.0}
ONE = (TOKENS_IN * 1.0 + TOKENS_OUT * 10.0) / 1e6
"""The service tells 100 tokens in and 27 out of each reply."""


def spent(running: Service, wire: Wire, *, timeout_s: float = 20.0, attempts: int = 3) -> tuple[Spend, float]:
    """Return what one call that may fail was counted at, and what one attempt reserves."""
    meter = SpendMeter(1.0, PriceList())
    provider = running.provider(wire.provider, timeout_s=timeout_s, **PRICES)
    policy = RetryPolicy(attempts=attempts)
    model = CalledModel(provider, CallServices(meter=meter), policy=policy, sleep=lambda _s: None)
    with suppress(CallError):
        model.complete(REQUEST)
    return meter.spent, meter.most_usd(model.spec, REQUEST)


@each_wire
def test_invalid_replies_are_paid_too(wire: Wire) -> None:
    """Two replies that are not the object and a third that is cost three times one."""
    with service(wire.said("no object"), wire.said("{}"), wire.said(GOOD)) as running:
        told, _most = spent(running, wire)
    assert told.calls == 3
    assert told.usd == pytest.approx(3 * ONE)


@each_wire
def test_a_truncated_reply_is_paid(wire: Wire) -> None:
    """A reply that the token limit cut is billed and counted."""
    with service(wire.said('{"resolve', wire.cut)) as running:
        told, _most = spent(running, wire)
    assert told.calls == 1
    assert told.usd == pytest.approx(ONE)


@each_wire
@pytest.mark.parametrize("refused", [429, 503, 400])
def test_refused_requests_cost_nothing(wire: Wire, refused: int) -> None:
    """What a service answers with an error status is not billed."""
    with service(wire.failed(refused, "x", "no")) as running:
        told, _most = spent(running, wire)
    assert told == Spend()


@each_wire
@pytest.mark.parametrize("fault", ["silence", "cut", "reset"])
def test_a_reply_that_never_came_is_counted_as_reserved(wire: Wire, fault: str) -> None:
    """A hang or a broken line after the request may be billed: each attempt counts as reserved, marked."""
    with service(replace(wire.said(GOOD), fault=fault)) as running:
        told, most = spent(running, wire, timeout_s=0.5, attempts=2)
    assert (told.calls, told.estimated_calls) == (2, 2)
    assert told.usd == pytest.approx(2 * most)


@each_wire
def test_a_service_that_is_not_there_costs_nothing(wire: Wire) -> None:
    """A refused connection reached nobody and is not counted."""
    with service(wire.said(GOOD)) as running:
        pass
    told, _most = spent(running, wire)
    assert told == Spend()


@each_wire
@pytest.mark.parametrize("body", ["<html>sign in</html>", "[1]"])
def test_an_unreadable_200_is_counted_as_reserved(wire: Wire, body: str) -> None:
    """A reply that is no JSON object may be billed all the same: each attempt counts as reserved."""
    with service(Served(body=body)) as running:
        told, most = spent(running, wire, attempts=2)
    assert (told.calls, told.estimated_calls) == (2, 2)
    assert told.usd == pytest.approx(2 * most)


def counting(body: Any, of: Callable[[int], int]) -> Any:
    """Return a reply's body with each whole number of its usage made another."""
    if not isinstance(body, dict):
        return body
    usage = {"usage", "usageMetadata"}
    made = {key: counting(value, of) for key, value in body.items() if key not in usage}
    return made | {key: {name: of(n) for name, n in body[key].items()} for key in usage & set(body)}


@each_wire
@pytest.mark.parametrize("factor", [-1000, 0])
def test_usage_that_cannot_be_is_not_told(wire: Wire, factor: int) -> None:
    """An answer that is said to take no tokens or fewer counts as reserved, so that a budget still ends."""
    served = wire.said(GOOD)
    with service(replace(served, body=counting(served.body, lambda n: n * factor))) as running:
        told, most = spent(running, wire)
    assert (told.calls, told.estimated_calls) == (1, 1)
    assert told.usd == pytest.approx(most)
