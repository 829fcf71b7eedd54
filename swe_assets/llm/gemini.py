"""Gemini through google-genai: one send a call, its outcome typed, its key kept to itself."""

import logging
import time
from typing import TYPE_CHECKING, Any

from swe_assets.llm.finish_words import ended_by
from swe_assets.llm.gemini_errors import failure_of_status
from swe_assets.llm.http_provider import HttpProvider, seconds_since
from swe_assets.llm.object_schema import object_schema
from swe_assets.llm.outcomes import (
    BlockedError,
    CallError,
    EmptyReplyError,
    InvalidReplyError,
)
from swe_assets.llm.protocol import ChatReply, ChatRequest

if TYPE_CHECKING:
    import httpx2
    from google.genai import Client
    from google.genai.types import GenerateContentConfig, GenerateContentResponse

API_VERSION = "v1beta"


class GeminiProvider(HttpProvider["Client"]):
    """A Gemini model; GOOGLE_API_KEY is never used, though the SDK would prefer it."""

    own_url = "https://generativelanguage.googleapis.com/"
    takes = frozenset({"json_schema", "json_object", "none"})

    def _auth(self, key: str) -> dict[str, str]:
        return {"x-goog-api-key": key}

    def _connect(self, http: "httpx2.Client", key: str) -> "Client":
        from google.genai import Client
        from google.genai.types import HttpOptions, HttpRetryOptions

        options = HttpOptions(
            base_url=self._base_url,
            api_version=API_VERSION,
            timeout=max(1, int(self.spec.timeout_s * 1000)),
            retry_options=HttpRetryOptions(attempts=1),
            httpx_client=http,
        )
        sdk_log = logging.getLogger("google_genai._api_client")
        sdk_log.addFilter(_no_word_of_other_key)
        try:
            return Client(api_key=key or "none", vertexai=False, http_options=options)
        finally:
            sdk_log.removeFilter(_no_word_of_other_key)

    def _ask(self, client: "Client", request: ChatRequest) -> tuple[ChatReply, CallError | None]:
        started = time.monotonic()
        response = client.models.generate_content(
            model=self.spec.model, contents=request.user, config=self._config(request)
        )
        text, finish, ended = text_of(response)
        usage = response.usage_metadata
        tokens_out = [usage.candidates_token_count, usage.thoughts_token_count] if usage else []
        reply = ChatReply(
            text=text,
            model=self.spec.model,
            served_model=response.model_version or "",
            finish_reason=finish,
            tokens_in=usage.prompt_token_count if usage else None,
            tokens_out=sum(filter(None, tokens_out)) if any(n is not None for n in tokens_out) else None,
            latency_s=seconds_since(started),
            raw=response.model_dump(mode="json", exclude_none=True, exclude={"sdk_http_response", "parsed"}),
        )
        return reply, ended

    def _config(self, request: ChatRequest) -> "GenerateContentConfig":
        """Return the SDK's settings: JSON where an object is asked for, one candidate, no tools."""
        from google.genai.types import AutomaticFunctionCallingConfig, GenerateContentConfig

        return GenerateContentConfig(
            system_instruction=request.system,
            temperature=self._temperature(request),
            top_p=self.spec.top_p,
            seed=self.spec.seed,
            max_output_tokens=self._max_tokens(request),
            candidate_count=1,
            automatic_function_calling=AutomaticFunctionCallingConfig(disable=True),
            **self._format(request),
        )

    def _format(self, request: ChatRequest) -> dict[str, Any]:
        """Return how an object is asked for."""
        if request.schema is None or self.spec.structured == "none":
            return {}
        schema = object_schema(request.schema) if self.spec.structured == "json_schema" else None
        return {"response_mime_type": "application/json", "response_json_schema": schema}

    def _refused(self, problem: Exception) -> CallError | None:
        from google.genai.errors import APIError

        if not isinstance(problem, APIError):
            return None
        headers = dict(getattr(problem.response, "headers", None) or {})
        return failure_of_status(problem.code or 0, self._clean(headers), self._clean(problem.details))


def text_of(response: "GenerateContentResponse") -> tuple[str, str, CallError | None]:
    """Return a reply's text (no thoughts, parts joined), its finish reason, and why it is no answer."""
    feedback = response.prompt_feedback
    if feedback and feedback.block_reason:
        word = _word(feedback.block_reason)
        return "", word, BlockedError(f"{word}: the service did not accept the prompt")
    if not response.candidates:
        return "", "", EmptyReplyError("empty text: no candidate")
    if len(response.candidates) > 1:
        many = f"ambiguous: {len(response.candidates)} candidates instead of one"
        return "", "", InvalidReplyError(many)
    candidate = response.candidates[0]
    finish = _word(candidate.finish_reason)
    parts = (candidate.content.parts if candidate.content else None) or []
    text = "".join(part.text for part in parts if part.text and not part.thought)
    return text, finish, ended_by(finish, text)


def _word(reason: object) -> str:
    """Return an enumeration's word, also one that the SDK does not know yet."""
    return "" if reason is None else str(getattr(reason, "value", reason))


def _no_word_of_other_key(record: logging.LogRecord) -> bool:
    """Drop the SDK's warning that it uses GOOGLE_API_KEY, which is not so where a key is passed."""
    return "GOOGLE_API_KEY" not in record.getMessage()
