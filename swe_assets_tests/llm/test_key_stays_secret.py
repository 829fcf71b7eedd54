"""The key is nowhere in what is written: logs of every level, errors, tracebacks, records."""

import logging
import traceback
from typing import Any

import pytest

from swe_assets.judging.payload import build_payload
from swe_assets.judging.prompts import Prompts
from swe_assets.judging.verdict import judge
from swe_assets.llm.outcomes import CallError
from swe_assets.llm.protocol import ChatRequest
from swe_assets_tests.llm.loopback import GOOD, PLANTED_KEY, Served, failed, said, service
from swe_assets_tests.llm.loopback_wire import WIRES, Wire

PAYLOAD = build_payload("demo__demo-1", "O total sai errado.", "+x", Prompts.load())
ECHO = f"key {PLANTED_KEY} was seen"
REPLIES = [
    said(GOOD.replace("corrige", ECHO)),
    said(ECHO, finish="SAFETY", finishMessage=ECHO),
    said(ECHO),
    failed(400, ECHO, "INVALID_ARGUMENT", {"reason": ECHO}),
    failed(401, ECHO, PLANTED_KEY),
    failed(429, ECHO + " per day", "RESOURCE_EXHAUSTED", {"violations": [{"quotaId": ECHO}]}, x_echo=ECHO),
    failed(503, "y" * 290 + PLANTED_KEY),
    Served(500, ECHO),
    Served(200, ECHO),
    Served(fault="dropped"),
]


@pytest.mark.parametrize("reply", REPLIES, ids=range(len(REPLIES)))
def test_a_service_that_echoes_the_key(reply: Served, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever a service says back, no word that leaves the model holds any half of the key."""
    caplog.set_level(logging.DEBUG)
    with service(reply) as running:
        model = running.model()
        written: list[Any] = [repr(model), str(model.provenance())]
        try:
            written.append(repr(model.complete(ChatRequest("s", "u"))) + repr(judge(PAYLOAD, model)))
        except CallError as failure:
            written += [repr(failure), *traceback.format_exception(failure), repr(vars(failure))]
            assert failure.__cause__ is None
            assert failure.__context__ is None
    everything = "\n".join([*map(str, written), caplog.text, *(repr(vars(one)) for one in caplog.records)])
    assert running.headers[0]["x-goog-api-key"] == PLANTED_KEY
    assert PLANTED_KEY[: len(PLANTED_KEY) // 2] not in everything
    assert PLANTED_KEY[len(PLANTED_KEY) // 2 :] not in everything


def test_the_raw_reply_keeps_no_key() -> None:
    """The reply as served is kept with the key taken out."""
    with service(said(ECHO)) as running:
        raw = running.model().complete(ChatRequest("s", "u")).raw
    assert raw["candidates"][0]["content"]["parts"] == [{"text": "key [key removed] was seen"}]


HALVES = (PLANTED_KEY[: len(PLANTED_KEY) // 2], PLANTED_KEY[len(PLANTED_KEY) // 2 :])
ECHOES = ("said", "cut", "filtered", "401", "429", "500", "page", "reset")


def echo(wire: Wire, how: str) -> Served:
    """Return a reply of a service that says the key in its words and headers."""
    if how in ("said", "cut", "filtered"):
        reply = wire.said(GOOD.replace("corrige", ECHO), "" if how == "said" else getattr(wire, how))
    elif how in ("page", "reset"):
        reply = Served(body=ECHO, fault="" if how == "page" else how)
    else:
        reply = wire.failed(int(how), f"x {PLANTED_KEY}", ECHO, x_echo=ECHO, retry_after=ECHO)
    return reply


@pytest.mark.parametrize("how", ECHOES)
@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.provider)
def test_no_provider_lets_a_key_out(wire: Wire, how: str, caplog: pytest.LogCaptureFixture) -> None:
    """Neither reply, error, its traceback with all locals, nor any log holds half a key."""
    caplog.set_level(logging.DEBUG)
    with service(echo(wire, how)) as running:
        model = running.model(wire.provider)
        said: list[Any] = [repr(model), repr(model.spec), model.provenance()]
        try:
            reply = model.complete(ChatRequest("s", "u"))
            said += [repr(reply), reply.raw]
        except CallError as failure:
            frames = traceback.TracebackException.from_exception(failure, capture_locals=True)
            ours = [frame for frame in frames.stack if "swe_assets_tests" not in frame.filename]
            assert ours
            said += [*(frame.locals for frame in ours), *traceback.format_exception(failure)]
            said += [repr(vars(failure)), failure.served and failure.served.raw]
            assert (failure.__cause__, failure.__context__) == (None, None)
    assert running.headers[0][wire.key_header] == wire.key_prefix + PLANTED_KEY
    written = "\n".join([*map(str, said), caplog.text, *(repr(vars(one)) for one in caplog.records)])
    assert [half for half in HALVES if half in written] == []
