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
