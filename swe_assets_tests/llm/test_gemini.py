"""The Gemini provider, driven through the real SDK against a service on this machine."""

import subprocess
import sys

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.llm.gemini import GeminiProvider
from swe_assets.llm.outcomes import (
    BlockedError,
    EmptyReplyError,
    InfrastructureError,
    InvalidReplyError,
    StopCallsError,
    TruncatedError,
)
from swe_assets.llm.protocol import ChatRequest
from swe_assets.llm.specs import ModelSpec
from swe_assets_tests.llm.loopback import PLANTED_KEY, Served, failed, said, service

REQUEST = ChatRequest("Você é um juiz.", "Julgue.")


def test_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The request carries both prompts, temperature 0, our key and no tools, whatever else is set."""
    monkeypatch.setenv("GOOGLE_API_KEY", "AIzaSomeOtherKey")
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    with service(said("olá")) as running:
        running.model().complete(REQUEST)
    sent, headers = running.requests[0], running.headers[0]
    assert sent["systemInstruction"]["parts"] == [{"text": "Você é um juiz."}]
    assert sent["contents"] == [{"role": "user", "parts": [{"text": "Julgue."}]}]
    assert sent["generationConfig"] == {"temperature": 0.0, "candidateCount": 1}
    assert headers["x-goog-api-key"] == PLANTED_KEY
    assert "tools" not in sent


def test_json_is_asked_for_where_an_object_is() -> None:
    """A request with a schema asks for application/json and a token limit is passed on."""
    from swe_assets.judging.verdict import Verdict
    from swe_assets_tests.llm.loopback import GOOD

    with service(said(GOOD)) as running:
        running.model().complete(ChatRequest("s", "u", schema=Verdict, max_tokens=99))
    config = running.requests[0]["generationConfig"]
    assert (config["responseMimeType"], config["maxOutputTokens"]) == ("application/json", 99)


def test_what_comes_back() -> None:
    """The reply says who answered, what it cost with thinking counted, and holds the service's own words."""
    with service(said("olá")) as running:
        reply = running.model().complete(REQUEST)
    assert (reply.text, reply.model, reply.served_model) == (
        "olá",
        "gemini-2.5-flash",
        "gemini-2.5-flash-001",
    )
    assert (reply.tokens_in, reply.tokens_out, reply.finish_reason, reply.attempts) == (100, 27, "STOP", 1)
    assert reply.raw["candidates"][0]["content"]["parts"] == [{"text": "olá"}]
    assert 0 < reply.latency_s < 20


def test_thoughts_are_not_the_answer() -> None:
    """Parts marked as thought are left out and the others joined without a separator."""
    parts = [{"text": "hmm", "thought": True}, {"text": "o"}, {"text": "lá"}]
    with service(said("", content={"role": "model", "parts": parts})) as running:
        assert running.model().complete(REQUEST).text == "olá"


@pytest.mark.parametrize(
    ("reply", "kind", "reason", "sends"),
    [
        (said("x", finish="SAFETY"), BlockedError, "SAFETY", 1),
        (said("x", finish="PROHIBITED_CONTENT"), BlockedError, "PROHIBITED_CONTENT", 1),
        (said("x", finish="MALFORMED_FUNCTION_CALL"), InvalidReplyError, "MALFORMED_FUNCTION_CALL", 5),
        (said("x", finish="MAX_TOKENS"), TruncatedError, "MAX_TOKENS", 1),
        (said(" \n"), EmptyReplyError, "empty text, finish reason STOP", 5),
        (Served(body={"promptFeedback": {"blockReason": "SAFETY"}}), BlockedError, "SAFETY.*prompt", 1),
        (Served(body={}), EmptyReplyError, "no candidate", 5),
        (Served(body={"candidates": [{}, {}]}), InvalidReplyError, "ambiguous: 2 candidates", 5),
        (Served(body="<html>sign in</html>"), InfrastructureError, "unreadable reply", 5),
        (Served(body={"candidates": [{"content": 7}]}), InfrastructureError, "unreadable reply", 5),
        (Served(502, "<html>bad gateway</html>"), InfrastructureError, "502", 5),
        (Served(503, {"error": "odd"}), InfrastructureError, "503", 5),
        (Served(fault="dropped"), InfrastructureError, "RemoteProtocolError from 127.0.0.1", 5),
        (failed(404, "no such model", "NOT_FOUND"), StopCallsError, "no such model: 404 NOT_FOUND", 1),
    ],
)
def test_how_calls_end(reply: Served, kind: type[Exception], reason: str, sends: int) -> None:
    """Each way in which a call can fail has its type, its reason and its number of sends."""
    with service(reply) as running, pytest.raises(kind, match=reason):
        running.model().complete(REQUEST)
    assert (len(running.requests), len(running.waits)) == (sends, sends - 1)


def test_a_service_that_is_not_there() -> None:
    """An address where nothing listens is tried five times and named."""
    with service(said("x")) as gone:
        model = gone.model()
    with pytest.raises(InfrastructureError, match=r"ConnectError from 127.0.0.1:\d+ \(after 5 attempts\)"):
        model.complete(REQUEST)


def test_a_redirect_is_not_followed() -> None:
    """A redirect, which would carry the key to another host, is an error."""
    with service(said("stolen")) as other:
        away = Served(307, {}, {"location": other.url})
        with service(away) as running, pytest.raises(InfrastructureError, match="307"):
            running.model().complete(REQUEST)
    assert other.requests == []


@pytest.mark.parametrize("url", ["http://example.org/", "ftp://127.0.0.1/", "//x", ""])
def test_the_key_travels_protected(url: str) -> None:
    """An address that is neither https nor this machine is refused before anything is sent."""
    with pytest.raises(ConfigurationError, match="base_url"):
        GeminiProvider(ModelSpec(id="g", provider="gemini", base_url=url))


def test_the_sdk_is_imported_only_when_used() -> None:
    """Importing the provider and naming the default model leave google.genai, httpx and dagster unloaded."""
    code = (
        "import sys; from swe_assets.llm.registry import model_named as m, ModelSettings as S;"
        "m('gemini', S(check=False)).provenance(); m('rehearsal');"
        "assert not {'google.genai', 'httpx', 'dagster'} & sys.modules.keys(), sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
