"""What the finish words of all services mean: an answer, a cut, a refusal, a block, or a failure."""

from swe_assets.llm.outcomes import (
    BlockedError,
    CallError,
    EmptyReplyError,
    InfrastructureError,
    InvalidReplyError,
    RefusedError,
    TruncatedError,
)


def _words(named: str) -> frozenset[str]:
    """Return the words that a text names."""
    return frozenset(named.split())


FINISHED = _words(
    "stop eos eos_token stop_sequence finish_reason_unspecified end_turn complete completed none null "
    "unspecified word"
) | {""}
CUT = _words(
    "length limit max_tokens model_length model_context_window_exceeded max_output_tokens "
    "max_completion_tokens continuation"
)
DECLINED = _words("refusal")
BLOCKED = _words(
    "content_filter safety recitation language blocklist prohibited_content spii image_safety "
    "image_prohibited_content image_recitation image_other other error_toxic guardrail_intervened "
    "content_filtered model_armor escalation pup_limited_disabled data_inspection_failed sensitive"
)
UNASKED = _words(
    "malformed_function_call unexpected_tool_call too_many_tool_calls tool_calls tool_use tool_call "
    "function_call pause_turn no_image missing_thought_signature"
)
"""A tool, a picture or a pause instead of the answer that was asked for."""

BROKEN = _words(
    "error insufficient_system_resource abort cancelled network_error load unload malformed_response timeout"
)
"""The service's own failure in the midst of a reply."""

FAILED = UNASKED | BROKEN
"""The finish words of Gemini, Anthropic, OpenAI and what is compatible with it (vLLM, Ollama, llama.cpp,
DeepSeek, Qwen, Kimi, Mistral, Azure), Cohere and Bedrock, in small letters; each stands in one set."""


def plain_word(finish: str) -> str:
    """Return a finish word as the sets hold it.

    >>> plain_word(" MAX-TOKENS")
    'max_tokens'
    """
    return finish.strip().lower().replace("-", "_").replace(" ", "_")


def ended_by(finish: str, text: str, *, declined: str = "") -> CallError | None:
    """Return why a reply is no answer, by its finish word and by whether there is text, or None.

    A word that is not known is a block. ``declined``: what the service says of a refusal beside its word.
    """
    word = plain_word(finish)
    if word in CUT:
        room = "the model's context window" if "context_window" in word else "the token limit"
        return TruncatedError(f"{finish}: the reply was cut by {room}, thinking included")
    if word in DECLINED:
        return RefusedError(f"{finish}: the model declined ({declined or 'no reason given'})")
    if word in UNASKED:
        return InvalidReplyError(f"{finish}: a tool or a pause, though an answer was asked for")
    if word in BROKEN:
        return InfrastructureError(f"{finish}: the service failed in the midst of the reply", retryable=True)
    if word not in FINISHED:
        return BlockedError(f"{finish}: the service ended the reply")
    if not text.strip():
        return EmptyReplyError(f"empty text, finish reason {finish or 'not given'}")
    return None
