"""What a failed reply of Anthropic or an OpenAI-like service means: try again, give up or stop calling."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from swe_assets.llm import gemini_errors
from swe_assets.llm.error_body import BAD_KEY, PER_DAY, error_of
from swe_assets.llm.http_waits import wait_hint_s
from swe_assets.llm.outcomes import BlockedError, CallError, InfrastructureError, StopCallsError
from swe_assets.llm.plain_text import excerpt
from swe_assets.llm.stopping_status import stopping

_FILTERED_CODE = re.compile(
    r"content_?(?:policy|filter)|data_?inspection_?failed|moderation|safety|invalid_prompt", re.IGNORECASE
)
_FILTERED_WORDS = re.compile(
    r"content filter(?:ing)?|content management policy|flagged as potentially violating|our usage policy",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"context[_ ](?:length|window|size)|maximum context|prompt is too long|too many tokens"
    r"|request[_ ]too[_ ]large|string_above_max_length|exceeds? (?:the )?(?:maximum|available|model)",
    re.IGNORECASE,
)
_NO_CREDIT_CODE = re.compile(
    r"insufficient_(?:quota|balance|credits?|funds)|billing|arrearage|exceeded_current_quota", re.IGNORECASE
)
_NO_CREDIT_WORDS = re.compile(
    r"insufficient (?:quota|balance|credits?|funds)|(?:your )?credit balance is too low"
    r"|you(?:'ve| have)? exceeded your current quota|(?:your |the )?account is not active",
    re.IGNORECASE,
)
_BAD_KEY_CODE = re.compile(
    r"(?:invalid|incorrect|wrong|expired|missing|disabled)_(?:\w+_)?(?:api_?key|x-api-key)"
    r"|authentication_error",
    re.IGNORECASE,
)
_NO_MODEL_CODE = re.compile(r"model_not_found|no such model", re.IGNORECASE)
_NO_MODEL_WORDS = re.compile(
    r"no such model|(?:the )?model\b[^.]{0,80}(?:does not exist|not exist|not found)", re.IGNORECASE
)
_SETTING_CODE = re.compile(r"unsupported_(?:parameter|value)|unknown_parameter", re.IGNORECASE)
_SETTING_WORDS = re.compile(
    r"unrecognized request argument|unsupported (?:parameter|value)|[\w.]+: extra inputs are not permitted"
    r"|`\w+`(?: and `\w+`)? cannot both be specified|`?\w+`? (?:is|are) deprecated for this model",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Refusal:
    """What an error body says: its type and code as one text, and its message.

    A message may repeat what it was sent, which others wrote: what would stop all calls is looked for in the
    code, and at the very beginning of the message.
    """

    code: str
    message: str

    @property
    def words(self) -> str:
        """All that was said."""
        return f"{self.code} {self.message}"

    @property
    def filtered(self) -> bool:
        """Whether a filter withheld the reply or did not accept the prompt."""
        return bool(_FILTERED_CODE.search(self.code) or _FILTERED_WORDS.search(self.message))

    @property
    def without_credit(self) -> bool:
        """Whether the account cannot pay, or has no quota at all."""
        return self.means(_NO_CREDIT_CODE, _NO_CREDIT_WORDS)

    def means(self, code: re.Pattern[str], words: re.Pattern[str]) -> bool:
        """Return whether the code holds the one, or the message begins with the other."""
        return bool(code.search(self.code) or words.match(self.message))


def failure_of_status(status: int, headers: Mapping[str, str], body: object) -> CallError:
    """Return the typed failure of an HTTP status other than 200, by status, error code, headers and words.

    A wrong key, an account without credit, a used-up day, an unknown model and a setting that the service
    does not take would meet every further call: StopCallsError. A filter is BlockedError. A request that is
    too long is the fault of its instance alone, as is one that a firewall answers with a bare
    403. Sources: platform.openai.com/docs/guides/error-codes,
    docs.anthropic.com/en/api/errors and .../rate-limits.
    """
    error = error_of(body)
    if isinstance(error.get("status"), str) and isinstance(error.get("details"), list):
        return gemini_errors.failure_of_status(status, headers, {"error": error})  # Google's own words
    refusal = _refusal(error)
    said = " ".join(filter(None, (str(status), refusal.code))) + f": {excerpt(refusal.message)}"
    if status in {400, 403, 422} and refusal.filtered:
        return BlockedError(f"content filter: {said}", status=status)
    if status == 429:
        return _limit_failure(refusal, headers, said)
    stop = stopping(status, refusal.code) or (_stopping_400(refusal) if status in {400, 422} else None)
    if stop:
        return StopCallsError(f"{stop}: {said}", status=status)
    if status in {408, 409} or status >= 500:
        wait = wait_hint_s(headers, refusal.message)
        return InfrastructureError(said, retryable=True, wait_s=wait, status=status)
    long = status == 413 or (status in {400, 422} and _TOO_LONG.search(refusal.words))
    kind = "request too long for the model" if long else "request not accepted"
    return InfrastructureError(f"{kind}: {said}", status=status)


def _limit_failure(refusal: Refusal, headers: Mapping[str, str], said: str) -> CallError:
    """Tell what no wait cures (no credit, a used-up day, one request above the limit) from what one does."""
    if refusal.without_credit:
        return StopCallsError(f"no credit or quota left: {said}", status=429)
    if PER_DAY.search(refusal.message):
        return StopCallsError(f"quota per day used up: {said}", status=429)
    if re.match(r"request too large", refusal.message, re.IGNORECASE):
        return InfrastructureError(f"request too long for the account's limit: {said}", status=429)
    wait = wait_hint_s(headers, refusal.message)
    return InfrastructureError(f"too many requests: {said}", retryable=True, wait_s=wait, status=429)


def _stopping_400(refusal: Refusal) -> str | None:
    """Return why a refused request would meet every further call too, or None."""
    if refusal.means(_BAD_KEY_CODE, BAD_KEY):
        return "the key was refused"
    if refusal.without_credit:
        return "the account cannot pay"
    if refusal.means(_NO_MODEL_CODE, _NO_MODEL_WORDS):
        return "no such model"
    return "a setting of models.toml is not taken" if refusal.means(_SETTING_CODE, _SETTING_WORDS) else None


def _refusal(error: Mapping[str, object]) -> Refusal:
    """Return an error's type and code, and its message, in the shapes in which services say them."""
    codes = [error.get("type"), error.get("code")]
    code = " ".join(dict.fromkeys(each for each in codes if isinstance(each, str)))
    message = error.get("message") or error.get("detail") or ""
    return Refusal(excerpt(code, 120), message if isinstance(message, str) else excerpt(str(message), 600))
