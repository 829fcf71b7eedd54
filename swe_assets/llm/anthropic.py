"""Anthropic's models through the anthropic SDK: one send a call, its outcome typed."""

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from swe_assets.errors import ConfigurationError
from swe_assets.llm.finish_words import ended_by
from swe_assets.llm.http_failure import failure_of_status
from swe_assets.llm.http_provider import HttpProvider, seconds_since
from swe_assets.llm.object_schema import object_schema
from swe_assets.llm.outcomes import CallError
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.served_json import count_in, items_in, served_object, text_in
from swe_assets.llm.specs import ModelSpec

if TYPE_CHECKING:
    import httpx2
    from anthropic import Anthropic
    from pydantic import SecretStr

MAX_TOKENS = 8192
"""The limit sent where the spec names none, since the service requires one; thinking counts in it."""


class AnthropicProvider(HttpProvider["Anthropic"]):
    """A Claude model; ANTHROPIC_AUTH_TOKEN, profiles and ANTHROPIC_CUSTOM_HEADERS are never used."""

    own_url = "https://api.anthropic.com/"
    takes = frozenset({"json_schema", "none"})

    def __init__(self, spec: ModelSpec, *, key: "SecretStr | None" = None) -> None:
        if spec.seed is not None:
            raise ConfigurationError(
                f"model {spec.id!r} has a seed, which anthropic does not take: leave it out"
            )
        super().__init__(replace(spec, max_tokens=spec.max_tokens or MAX_TOKENS), key=key)

    def _auth(self, key: str) -> dict[str, str]:
        return {"x-api-key": key}

    def _connect(self, http: "httpx2.Client", key: str) -> "Anthropic":
        from anthropic import Anthropic

        return Anthropic(
            api_key=key or "none",
            base_url=self._base_url,
            timeout=self.spec.timeout_s,
            max_retries=0,
            http_client=http,
            open_telemetry=False,
        )

    def _ask(self, client: "Anthropic", request: ChatRequest) -> tuple[ChatReply, CallError | None]:
        started = time.monotonic()
        response = client.messages.with_raw_response.create(**self._message(request))
        served = served_object(response.http_response.text)
        usage = served.get("usage")
        cached = [count_in(usage, f"cache_{kind}_input_tokens") for kind in ("creation", "read")]
        tokens_in = count_in(usage, "input_tokens")
        blocks = items_in(served, "content")
        reply = ChatReply(
            text="".join(text_in(block, "text") for block in blocks if block.get("type") == "text"),
            model=self.spec.model,
            served_model=text_in(served, "model"),
            finish_reason=text_in(served, "stop_reason"),
            tokens_in=None if tokens_in is None else tokens_in + sum(filter(None, cached)),
            tokens_out=count_in(usage, "output_tokens"),
            latency_s=seconds_since(started),
            raw=served,
        )
        return reply, _ended(reply, served)

    def _message(self, request: ChatRequest) -> dict[str, Any]:
        """Return the SDK's arguments: what is None is left out, since the service has no null for it."""
        from anthropic import transform_schema

        said: dict[str, Any] = {
            "model": self.spec.model,
            "max_tokens": self._max_tokens(request),
            "system": request.system or None,
            "messages": [{"role": "user", "content": request.user}],
        }
        sampling = {"temperature": self._temperature(request), "top_p": self.spec.top_p}
        sampling = {name: value for name, value in sampling.items() if value is not None}
        said["extra_body"] = sampling or None  # older models take them, newer ones refuse them
        if request.schema is not None and self.spec.structured == "json_schema":
            schema = transform_schema(object_schema(request.schema))
            said["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        return {name: value for name, value in said.items() if value is not None}

    def _refused(self, problem: Exception) -> CallError | None:
        from anthropic import APIStatusError

        if not isinstance(problem, APIStatusError):
            return None
        return self._failed(problem.status_code, problem.response.headers, problem.body)


def _ended(reply: ChatReply, served: dict[str, Any]) -> CallError | None:
    """Return why a reply is no answer, by its stop reason and by whether there is text, or None.

    Source: docs.anthropic.com/en/api/handling-stop-reasons; one that is not known ends the reply.
    """
    if served.get("type") == "error":
        return failure_of_status(500, {}, served)
    category = text_in(served.get("stop_details"), "category")
    return ended_by(reply.finish_reason, reply.text, declined=category)
