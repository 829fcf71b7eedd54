"""OpenAI, and every service that speaks its chat completions, through the openai SDK."""

import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from swe_assets.llm.finish_words import ended_by
from swe_assets.llm.http_failure import failure_of_status
from swe_assets.llm.http_provider import HttpProvider, seconds_since
from swe_assets.llm.object_schema import object_schema
from swe_assets.llm.outcomes import (
    CallError,
    EmptyReplyError,
    InvalidReplyError,
    RefusedError,
)
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.served_json import count_in, items_in, served_object, text_in

if TYPE_CHECKING:
    import httpx2
    from openai import OpenAI

_OWN_LIMIT = ("api.openai.com", ".openai.azure.com", ".services.ai.azure.com")
"""Hosts whose limit is max_completion_tokens; elsewhere the older max_tokens is what all know."""


class OpenAICompatibleProvider(HttpProvider["OpenAI"]):
    """A model behind ``POST {base_url}chat/completions``; no OPENAI_* variable but the key's is used."""

    own_url = "https://api.openai.com/v1/"
    takes = frozenset({"json_schema", "json_object", "none"})

    def _auth(self, key: str) -> dict[str, str]:
        return {"api-key": key} if self.spec.api_version else {"authorization": f"Bearer {key}"}

    def _connect(self, http: "httpx2.Client", key: str) -> "OpenAI":
        from openai import OpenAI

        return OpenAI(
            api_key=key or "none",
            base_url=self._base_url,
            timeout=self.spec.timeout_s,
            max_retries=0,
            http_client=http,
            default_query={"api-version": self.spec.api_version} if self.spec.api_version else None,
        )

    def _ask(self, client: "OpenAI", request: ChatRequest) -> tuple[ChatReply, CallError | None]:
        started = time.monotonic()
        response = client.chat.completions.with_raw_response.create(**self._completion(request))
        served = served_object(response.http_response.text)
        choices, usage = items_in(served, "choices"), served.get("usage")
        choice = choices[0] if choices else {}
        reply = ChatReply(
            text=_text(choice.get("message")),
            model=self.spec.model,
            served_model=text_in(served, "model"),
            finish_reason=text_in(choice, "finish_reason"),
            tokens_in=count_in(usage, "prompt_tokens"),
            tokens_out=count_in(usage, "completion_tokens"),
            latency_s=seconds_since(started),
            raw=served,
        )
        return reply, _ended(reply, served, choices)

    def _completion(self, request: ChatRequest) -> dict[str, Any]:
        """Return the SDK's arguments: what is None is left out."""
        messages = [{"role": "system", "content": request.system}] if request.system else []
        host = urlsplit(self._base_url).hostname or ""
        limit = "max_completion_tokens" if host.endswith(_OWN_LIMIT) else "max_tokens"
        said: dict[str, Any] = {
            "model": self.spec.model,
            "messages": [*messages, {"role": "user", "content": request.user}],
            "temperature": self._temperature(request),
            "top_p": self.spec.top_p,
            "seed": self.spec.seed,
            limit: self._max_tokens(request),
            "response_format": self._format(request),
        }
        return {name: value for name, value in said.items() if value is not None}

    def _format(self, request: ChatRequest) -> dict[str, Any] | None:
        """Return how an object is asked for, None where the prompt's words must do."""
        if request.schema is None or self.spec.structured == "none":
            return None
        if self.spec.structured == "json_object":
            return {"type": "json_object"}
        schema = {"name": request.schema.__name__, "strict": True, "schema": object_schema(request.schema)}
        return {"type": "json_schema", "json_schema": schema}

    def _refused(self, problem: Exception) -> CallError | None:
        from openai import APIStatusError

        if not isinstance(problem, APIStatusError):
            return None
        return self._failed(problem.status_code, problem.response.headers, problem.body)


def _text(message: object) -> str:
    """Return a message's text, given as one or in parts, without reasoning_content and thinking parts."""
    parts = items_in(message, "content")
    return text_in(message, "content") or "".join(
        text_in(part, "text") for part in parts if part.get("type") in {"text", "output_text"}
    )


def _ended(reply: ChatReply, served: dict[str, Any], choices: list[dict[str, Any]]) -> CallError | None:
    """Return why a reply is no answer, or None; a routing service may put another's error into a 200."""
    error = served.get("error")
    if error and not choices:
        code = error.get("code") if isinstance(error, dict) else None
        return failure_of_status(code if type(code) is int and code >= 400 else 500, {}, served)
    if not choices:
        return EmptyReplyError("empty text: no choice")
    if len(choices) > 1:
        return InvalidReplyError(f"ambiguous: {len(choices)} choices instead of one")
    refusal = text_in(choices[0].get("message"), "refusal")
    if refusal:
        return RefusedError(f"refusal: the model declined: {refusal[:200]!a}")
    return ended_by(reply.finish_reason, reply.text)
