"""A model's service on this machine: it serves given replies over real HTTP and keeps what it was sent."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import SecretStr

from swe_assets.llm.anthropic import AnthropicProvider
from swe_assets.llm.called_model import CalledModel
from swe_assets.llm.gemini import GeminiProvider
from swe_assets.llm.http_provider import HttpProvider
from swe_assets.llm.openai_compatible import OpenAICompatibleProvider
from swe_assets.llm.specs import ModelSpec
from swe_assets_tests.http_stub import Asked, Served, serving

__all__ = ["GOOD", "PLANTED_KEY", "Served", "Service", "failed", "said", "service"]

PLANTED_KEY = "AIzaPlanted0123456789secret"
PROVIDERS: dict[str, type[HttpProvider[Any]]] = {
    "gemini": GeminiProvider,
    "anthropic": AnthropicProvider,
    "openai": OpenAICompatibleProvider,
}
MODELS = {"gemini": "gemini-2.5-flash", "anthropic": "claude-test", "openai": "gpt-test"}


@dataclass
class Service:
    """A running service: its address, the requests that came, the waits that its client asked for."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    params: list[dict[str, str]] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def provider(self, provider: str = "gemini", **fields: Any) -> HttpProvider[Any]:
        """Return a provider that calls this service with a planted key, its spec having these fields."""
        spec = ModelSpec(**{"id": f"{provider}:{MODELS[provider]}", "provider": provider, **fields})
        spec = replace(spec, model=spec.model or MODELS[provider], base_url=self.url)
        return PROVIDERS[provider](spec, key=SecretStr(PLANTED_KEY))

    def model(self, provider: str = "gemini", *, timeout_s: float = 20.0, **fields: Any) -> CalledModel:
        """Return a model that calls this service with a planted key and waits without sleeping."""
        made = self.provider(provider, timeout_s=timeout_s, **fields)
        return CalledModel(made, sleep=self.waits.append)


@contextmanager
def service(*replies: Served) -> Iterator[Service]:
    """Run a service that gives the replies in turn, the last one for ever."""

    def answer(asked: Asked) -> Served:
        running.requests.append(json.loads(asked.body))
        running.headers.append(asked.headers)
        running.params.append(asked.params)
        return replies[min(len(running.requests), len(replies)) - 1]

    running = Service("")
    with serving(answer) as (running.url, _):
        yield running


def said(text: str, *, finish: str = "STOP", **candidate: Any) -> Served:
    """Return a 200 reply of the Gemini API whose one candidate says a text."""
    content = {"role": "model", "parts": [{"text": text}]}
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 20, "thoughtsTokenCount": 7}
    first = {"finishReason": finish, "index": 0, "content": content, **candidate}
    return Served(
        body={"candidates": [first], "usageMetadata": usage, "modelVersion": "gemini-2.5-flash-001"}
    )


def failed(status: int, message: str, word: str = "", *details: dict[str, Any], **headers: str) -> Served:
    """Return an error reply of the Gemini API."""
    error = {"code": status, "message": message, "status": word, "details": list(details)}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Served(status=status, body={"error": error}, headers=named)


GOOD = '{"resolve_issue": true, "score_confianca": 4, "raciocinio_analitico": "corrige a causa-raiz"}'
