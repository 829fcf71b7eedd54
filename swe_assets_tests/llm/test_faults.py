"""Whatever a service does, a call of any provider ends as the table says, through the real SDKs."""

import tracemalloc

import pytest

from swe_assets.judging.verdict import Verdict
from swe_assets.llm.outcomes import CallError
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets_tests.llm.loopback import GOOD, PLANTED_KEY, Served, Service, service
from swe_assets_tests.llm.loopback_faults import FAULTS, Fault
from swe_assets_tests.llm.loopback_wire import TOKENS_IN, TOKENS_OUT, WIRES, Wire

REQUEST = ChatRequest("Você é um juiz.", "Julgue.", schema=Verdict)
each_wire = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.provider)


def ended(running: Service, wire: Wire, timeout_s: float = 20.0) -> ChatReply | CallError:
    """Ask once, all attempts included."""
    try:
        return running.model(wire.provider, timeout_s=timeout_s).complete(REQUEST)
    except CallError as failure:
        return failure


@each_wire
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_how_a_call_ends(fault: Fault, wire: Wire) -> None:
    """Outcome, reason, sends and waits are those of the table for each provider."""
    with service(fault.reply(wire)) as running:
        end = ended(running, wire, fault.timeout_s)
    outcome = end.outcome if isinstance(end, CallError) else "answered"
    assert (outcome, len(running.requests)) == (fault.outcome(wire.provider), fault.sends), end
    assert len(running.waits) == fault.sends - 1
    if isinstance(end, CallError):
        assert fault.reason in end.reason
    if fault.wait_s is not None:
        assert running.waits == [pytest.approx(fault.wait_s, abs=2.0)] * 4


@each_wire
@pytest.mark.parametrize(
    "fault", [fault for fault in FAULTS if fault.sends == 5], ids=lambda fault: fault.name
)
def test_a_service_that_comes_to_itself(fault: Fault, wire: Wire) -> None:
    """After any fault that is tried again a good reply is taken, at the second attempt."""
    with service(fault.reply(wire), wire.said(GOOD)) as running:
        end = ended(running, wire, max(fault.timeout_s, 0.4))
    assert isinstance(end, ChatReply), end
    assert (end.attempts, isinstance(end.value, Verdict)) == (2, True)


@each_wire
def test_what_a_reply_says_of_itself(wire: Wire) -> None:
    """Text, served model, tokens with cache and thinking, and the service's own words come back."""
    with service(wire.said(GOOD)) as running:
        reply = running.model(wire.provider).complete(REQUEST)
    assert (reply.text, reply.finish_reason) == (GOOD, wire.ok)
    assert (reply.tokens_in, reply.tokens_out) == (TOKENS_IN, TOKENS_OUT)
    assert reply.served_model.endswith("-001")
    assert reply.raw
    assert 0 < reply.latency_s < 20


@each_wire
@pytest.mark.parametrize("end", ["cut", "filtered"])
def test_a_reply_that_cannot_be_used_is_billed(wire: Wire, end: str) -> None:
    """A failure carries the reply that the service gave, with its tokens, for the account."""
    with service(wire.said(GOOD, getattr(wire, end))) as running:
        failure = ended(running, wire)
    assert isinstance(failure, CallError)
    assert failure.served is not None
    assert (failure.served.tokens_in, failure.served.tokens_out) == (TOKENS_IN, TOKENS_OUT)


@each_wire
def test_an_endless_reply_fills_no_memory(wire: Wire) -> None:
    """Of a reply that does not end a few times the bound is held at most, and then let go."""
    endless = Served(body="x" * 65536, fault="endless")
    with service(endless) as running:
        model = running.provider(wire.provider)
        model._connected()
        tracemalloc.start()
        with pytest.raises(CallError, match="8000000 bytes"):
            model.send(REQUEST)
        left, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert most < 40_000_000
    assert left < 4_000_000


@each_wire
def test_the_key_travels_where_it_belongs(wire: Wire) -> None:
    """The key is in its own header once, and nowhere else in the request."""
    with service(wire.said(GOOD)) as running:
        running.model(wire.provider).complete(REQUEST)
    headers = dict(running.headers[0])
    assert headers.pop(wire.key_header) == wire.key_prefix + PLANTED_KEY
    assert PLANTED_KEY not in repr(headers) + repr(running.requests)
