"""Gemini through google-genai: one send a call, its outcome typed, its key kept to itself."""

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from swe_assets.errors import ConfigurationError
from swe_assets.llm.attempts import Caller, RetryPolicy
from swe_assets.llm.gemini_errors import failure_of_status
from swe_assets.llm.keys import find_key, withhold_from_logs, without_key
from swe_assets.llm.outcomes import (
    BlockedError,
    CallError,
    EmptyReplyError,
    InfrastructureError,
    InvalidReplyError,
    TruncatedError,
)
from swe_assets.llm.plain_text import excerpt
from swe_assets.llm.protocol import ChatReply, ChatRequest

if TYPE_CHECKING:
    from google.genai import Client
    from google.genai.types import GenerateContentConfig, GenerateContentResponse
    from pydantic import SecretStr

DEFAULT_MODEL = "gemini-2.5-flash"
BASE_URL = "https://generativelanguage.googleapis.com/"
KEY_NAME = "GEMINI_API_KEY"
_LOOPBACK = {"127.0.0.1", "::1", "localhost"}


class GeminiModel:
    """A Gemini model; its key is GEMINI_API_KEY of the environment or of SWE_ASSETS_HOME's ``.env``.

    GOOGLE_API_KEY is never used, though the SDK would prefer it. ``timeout_s`` bounds each phase of one
    attempt. Nothing is read, imported or called before ``check`` or the first ``complete``.
    """

    rehearsal = False

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        key: "SecretStr | None" = None,
        base_url: str = BASE_URL,
        timeout_s: float = 180.0,
        policy: RetryPolicy | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.model = model
        self.name = f"gemini:{model}"
        self._key, self._base_url, self._timeout_s = key, _safe_url(base_url), timeout_s
        self._client: Client | None = None
        self._caller = Caller(self._send, policy=policy, sleep=sleep)

    def __repr__(self) -> str:
        return f"GeminiModel({self.model!r})"

    def check(self) -> None:
        """Raise ConfigurationError at once where the key is missing or cannot be one."""
        if self._key is None:
            self._key = find_key(KEY_NAME)

    def complete(self, request: ChatRequest) -> ChatReply:
        """Answer one request in up to five attempts; see ChatModel for what it raises."""
        self.check()
        return self._caller.complete(request)

    def provenance(self) -> dict[str, str]:
        """Return provider and model, and the address where it is not Google's own."""
        own = {} if self._base_url == BASE_URL else {"base_url": self._base_url}
        return {"provider": "gemini", "model": self.model, **own}

    def _send(self, request: ChatRequest) -> ChatReply:
        """Make one call; the SDK's exceptions, which hold the request's headers, end here."""
        import httpx
        from google.genai.errors import APIError

        client, started = self._connected(), time.monotonic()
        try:
            response = client.models.generate_content(
                model=self.model, contents=request.user, config=_config(request)
            )
            return self._reply(response, time.monotonic() - started)
        except CallError as caught:
            failure = caught
        except APIError as problem:
            headers = dict(getattr(problem.response, "headers", None) or {})
            failure = failure_of_status(problem.code or 0, headers, self._clean(problem.details))
        except httpx.HTTPError as problem:
            failure = InfrastructureError(f"{type(problem).__name__} from {self._host()}", retryable=True)
        except (ValueError, TypeError, AttributeError, KeyError) as problem:
            failure = InfrastructureError(f"unreadable reply ({type(problem).__name__})", retryable=True)
        failure.reason = excerpt(self._clean(failure.reason), 600)
        failure.args, failure.__context__ = (failure.reason,), None
        raise failure

    def _reply(self, response: "GenerateContentResponse", latency_s: float) -> ChatReply:
        """Return the reply of a 200 response, or raise the outcome that its finish reason names."""
        text, finish = text_of(response)
        usage = response.usage_metadata
        tokens_out = [usage.candidates_token_count, usage.thoughts_token_count] if usage else []
        raw = response.model_dump(mode="json", exclude_none=True, exclude={"sdk_http_response", "parsed"})
        return ChatReply(
            text=self._clean(text),
            model=self.model,
            served_model=response.model_version or "",
            finish_reason=finish,
            tokens_in=usage.prompt_token_count if usage else None,
            tokens_out=sum(filter(None, tokens_out)) if any(n is not None for n in tokens_out) else None,
            latency_s=latency_s,
            raw=self._clean(raw),
        )

    def _clean(self, value: Any) -> Any:
        """Return a value without the key."""
        return value if self._key is None else without_key(value, self._key)

    def _host(self) -> str:
        """Return the host that is called, for a message."""
        return urlsplit(self._base_url).netloc

    def _connected(self) -> "Client":
        """Return the SDK's client: our key, one attempt, no redirect that could carry the key elsewhere."""
        if self._client is None:
            import httpx
            from google.genai import Client
            from google.genai.types import HttpOptions, HttpRetryOptions

            self.check()
            assert self._key is not None  # noqa: S101 - check() raised otherwise
            options = HttpOptions(
                base_url=self._base_url,
                timeout=max(1, int(self._timeout_s * 1000)),
                retry_options=HttpRetryOptions(attempts=1),
                httpx_client=httpx.Client(follow_redirects=False, timeout=self._timeout_s),
            )
            withhold_from_logs(self._key)
            sdk_log = logging.getLogger("google_genai._api_client")
            sdk_log.addFilter(_no_word_of_other_key)
            try:
                self._client = Client(
                    api_key=self._key.get_secret_value(), vertexai=False, http_options=options
                )
            finally:
                sdk_log.removeFilter(_no_word_of_other_key)
        return self._client


def text_of(response: "GenerateContentResponse") -> tuple[str, str]:
    """Return the answer's text (thoughts left out, parts joined without a separator) and its finish reason.

    Raises BlockedError, TruncatedError, EmptyReplyError or InvalidReplyError where there is no answer.
    """
    feedback = response.prompt_feedback
    if feedback and feedback.block_reason:
        raise BlockedError(f"{_word(feedback.block_reason)}: the service did not accept the prompt")
    if not response.candidates:
        raise EmptyReplyError("empty text: no candidate")
    if len(response.candidates) > 1:
        raise InvalidReplyError(f"ambiguous: {len(response.candidates)} candidates instead of one")
    candidate = response.candidates[0]
    finish = _word(candidate.finish_reason)
    if finish == "MAX_TOKENS":
        raise TruncatedError("MAX_TOKENS: the reply was cut by the token limit, thinking included")
    if finish not in {"STOP", "FINISH_REASON_UNSPECIFIED", ""}:
        raise BlockedError(f"{finish}: the service ended the reply")
    parts = (candidate.content.parts if candidate.content else None) or []
    text = "".join(part.text for part in parts if part.text and not part.thought)
    if not text.strip():
        raise EmptyReplyError(f"empty text, finish reason {finish or 'not given'}")
    return text, finish


def _config(request: ChatRequest) -> "GenerateContentConfig":
    """Return the SDK's settings: JSON where an object is asked for, one candidate, no tools."""
    from google.genai.types import AutomaticFunctionCallingConfig, GenerateContentConfig

    return GenerateContentConfig(
        system_instruction=request.system,
        temperature=request.temperature,
        max_output_tokens=request.max_tokens,
        response_mime_type="application/json" if request.schema else None,
        candidate_count=1,
        automatic_function_calling=AutomaticFunctionCallingConfig(disable=True),
    )


def _word(reason: object) -> str:
    """Return an enumeration's word, also one that the SDK does not know yet."""
    return "" if reason is None else str(getattr(reason, "value", reason))


def _safe_url(base_url: str) -> str:
    """Return the address if a key may be sent there: https, or this machine."""
    parts = urlsplit(base_url)
    if parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        return base_url
    raise ConfigurationError(f"base_url {base_url!r} would carry the key unprotected: give an https address")


def _no_word_of_other_key(record: logging.LogRecord) -> bool:
    """Drop the SDK's warning that it uses GOOGLE_API_KEY, which is not so where a key is passed."""
    return "GOOGLE_API_KEY" not in record.getMessage()
