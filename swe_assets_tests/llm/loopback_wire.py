"""How each provider's service speaks: replies and errors in the three wire formats, for the same content."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from swe_assets_tests.http_stub import Served
from swe_assets_tests.llm import loopback

TOKENS_IN, TOKENS_OUT = 100, 27


@dataclass(frozen=True)
class Wire:
    """One provider's format: its words for the ways in which a reply ends, and where its key travels."""

    provider: str
    ok: str
    cut: str
    filtered: str
    key_header: str
    key_prefix: str = ""

    def said(self, text: str, finish: str = "") -> Served:
        """Return a 200 reply that says a text; ``finish`` empty is a normal end."""
        return Served(body=self.body([text], finish or self.ok))

    def body(self, texts: list[str], finish: str) -> dict[str, Any]:
        """Return the body of a reply with so many candidates or blocks."""
        return _BODIES[self.provider](texts, finish)

    def none(self) -> Served:
        """Return a 200 reply that holds no candidate at all."""
        return Served(body=self.body([], self.ok))

    def failed(self, status: int, kind: str, message: str, **headers: str) -> Served:
        """Return an error reply; ``kind`` is the service's own word for it."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return Served(status, {**_envelope(self.provider, status, kind, message)}, named)


def _envelope(provider: str, status: int, kind: str, message: str) -> Mapping[str, Any]:
    """Return an error body."""
    if provider == "gemini":
        return {"error": {"code": status, "status": kind, "message": message, "details": []}}
    error = {"type": kind, "message": message}
    if provider == "anthropic":
        return {"type": "error", "error": error, "request_id": "req_1"}
    return {"error": {**error, "param": None, "code": kind}}


def _gemini(texts: list[str], finish: str) -> dict[str, Any]:
    return dict(loopback.said(texts[0], finish=finish).body) if texts else {"candidates": []}


def _anthropic(texts: list[str], finish: str) -> dict[str, Any]:
    """Return a message with a thinking block before its text, as a thinking model sends it."""
    thoughts = [{"type": "thinking", "thinking": '{"resolve_issue": false}', "signature": "c2ln"}]
    said = [{"type": "text", "text": text} for text in texts]
    usage = {"input_tokens": 60, "cache_read_input_tokens": 40, "output_tokens": TOKENS_OUT}
    told = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test-001"}
    return {**told, "content": thoughts * bool(texts) + said, "stop_reason": finish, "usage": usage}


def _openai(texts: list[str], finish: str) -> dict[str, Any]:
    """Return a completion whose message has its reasoning beside its content, as reasoning servers do."""
    choices = [
        {
            "index": at,
            "finish_reason": finish,
            "message": {"role": "assistant", "content": text, "reasoning_content": '{"resolve_issue": 0}'},
        }
        for at, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": TOKENS_IN, "completion_tokens": TOKENS_OUT, "total_tokens": 127}
    told = {"id": "c1", "object": "chat.completion", "created": 1, "model": "gpt-test-001"}
    return {**told, "choices": choices, "usage": usage}


_BODIES = {"gemini": _gemini, "anthropic": _anthropic, "openai": _openai}
WIRES = (
    Wire("gemini", "STOP", "MAX_TOKENS", "SAFETY", "x-goog-api-key"),
    Wire("anthropic", "end_turn", "max_tokens", "refusal", "x-api-key"),
    Wire("openai", "stop", "length", "content_filter", "authorization", "Bearer "),
)
