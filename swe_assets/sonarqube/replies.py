"""What an answer of SonarQube's web API is: an object, or a failure with its cause and the way out."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from swe_assets.errors import (
    AnalyserError,
    ComponentMissingError,
    MetricMissingError,
    SonarReplyError,
    SonarRightsError,
    SonarServerError,
)
from swe_assets.llm.plain_text import excerpt
from swe_assets.llm.waits import retry_after_s

MEND_TOKEN = "set SONAR_TOKEN to a user token that is valid, or make one by `swe-assets sonar up`"  # noqa: S105 - words
_UNKNOWN_METRICS = re.compile(r"metric keys? (?:are|is) not found: *(.+)", re.IGNORECASE)
_RIGHTS = (
    ("api/projects/create", "'Create Projects'"),
    ("api/projects/", "'Administer' on the project"),
    ("api/measures/", "'Browse' on the project"),
    ("api/project_analyses/", "'Browse' on the project"),
    ("api/components/", "'Browse' on the project"),
    ("api/ce/", "'Execute Analysis' or 'Administer' on the project"),
    ("api/plugins/", "a signed-in user, on some versions 'Administer System'"),
)


@dataclass(frozen=True)
class Answer:
    """One HTTP answer: path asked, status, headers and the bounded body as text."""

    path: str
    status: int
    headers: Mapping[str, str]
    text: str

    def header(self, name: str) -> str:
        """Return a header in whatever case it was sent, an empty text where there is none."""
        return next((value for key, value in self.headers.items() if key.lower() == name), "")

    @property
    def is_page(self) -> bool:
        """Say whether the body is a web page."""
        start = self.text.lstrip("\ufeff \t\r\n")[:20].lower()
        return "text/html" in self.header("content-type").lower() or start.startswith(("<html", "<!doctype"))


@dataclass(frozen=True)
class Failure:
    """A failed answer: the exception to raise, and whether and after how long to ask again.

    ``maybe_starting`` marks answers that a server also gives while it starts.
    """

    error: AnalyserError
    retry: bool = False
    wait_s: float | None = None
    maybe_starting: bool = False


def object_in(answer: Answer) -> dict[str, Any]:
    """Return the JSON object of an answer of status 2xx, empty for 204.

    Raises what `failure_of` says for any other status, and SonarReplyError where the body is a page of
    something else, is cut off, or is no object.
    """
    failure = failure_of(answer)
    if failure:
        raise failure.error
    if answer.status == 204:
        return {}
    if answer.is_page:
        raise SonarReplyError(_not_sonar(answer))
    try:
        found = json.loads(answer.text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise SonarReplyError(_unreadable(answer))
    return found


def failure_of(answer: Answer) -> Failure | None:
    """Return what a status other than 2xx means, None for 2xx; a body of 401 is never read."""
    status = answer.status
    if 200 <= status < 300:
        return None
    if status == 401:
        said = f"{answer.path}: not signed in (401): the token is wrong, expired or revoked; {MEND_TOKEN}"
        return Failure(SonarRightsError(said), maybe_starting=True)
    if status in (408, 425, 429) or status >= 500:
        return Failure(SonarServerError(_busy(answer)), retry=True, wait_s=retry_after_s(answer.headers))
    if 300 <= status < 400:
        return Failure(SonarReplyError(_elsewhere(answer)))
    if answer.is_page:
        return Failure(SonarReplyError(_not_sonar(answer)), maybe_starting=status == 404)
    if status == 403:
        return Failure(SonarRightsError(_forbidden(answer)))
    refused = _refused(answer)
    certain = isinstance(refused, MetricMissingError) or (
        isinstance(refused, ComponentMissingError) and bool(messages_in(answer))
    )
    return Failure(refused, maybe_starting=status == 404 and not certain)


def messages_in(answer: Answer) -> list[str]:
    """Return the messages of an error body, in order; empty where it has none."""
    try:
        body = json.loads(answer.text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(body, dict):
        return []
    errors = body.get("errors")
    rows = errors if isinstance(errors, list) else [{"msg": body.get("message") or body.get("err_msg")}]
    found = [row.get("msg") or row.get("message") for row in rows if isinstance(row, dict)]
    return [text for text in found if isinstance(text, str) and text.strip()]


def _said(answer: Answer) -> str:
    """Return the server's own words, or what stands in their place."""
    said = messages_in(answer)
    return excerpt("; ".join(said) if said else answer.text.strip() or "an empty body", 400)


def _refused(answer: Answer) -> AnalyserError:
    """Return the exception of a 4xx answer that asking again would not mend."""
    said, status = _said(answer), answer.status
    unknown = next((hit for text in messages_in(answer) if (hit := _UNKNOWN_METRICS.search(text))), None)
    if unknown:
        names = tuple(name.strip(" .'\"") for name in unknown[1].split(",") if name.strip(" .'\""))
        return MetricMissingError(
            f"{answer.path}: this server has no metric {', '.join(names)}: "
            "the whole request failed; ask only for what api/metrics/search lists",
            names,
        )
    if status == 404 and "unknown url" in said.lower():
        return SonarReplyError(f"{answer.path}: this server has no such API ({said}): is it too old or new?")
    if status in (404, 410):
        return ComponentMissingError(
            f"{answer.path}: not found ({status}): {said}; it is not there, or the token may not browse it"
        )
    return SonarReplyError(f"{answer.path}: the server refuses the request ({status}): {said}{_hint(said)}")


def _hint(said: str) -> str:
    """Return what to do about a refusal that is known, or nothing."""
    low = said.lower()
    if "malformed key" in low or ("length" in low and "project" in low):
        return "; make the key by project_key(), which maps any name to an allowed key"
    if "can contain only" in low:
        return "; too many keys for one call: ask in batches"
    if "must be less than" in low:
        return "; the page size is over the server's limit"
    if "can return only the first" in low:
        return "; the server has a limit of results: ask for less at a time"
    return ""


def _forbidden(answer: Answer) -> str:
    """Return the message of a 403: which right is missing and who can give it."""
    right = next((name for path, name in _RIGHTS if answer.path.startswith(path)), "a right")
    return (
        f"{answer.path}: the token lacks the right (403: {_said(answer)}): {right} is needed. "
        "A global or project analysis token (sqa_, sqp_) only scans: use a user token (squ_), "
        "and let an administrator give its user that right"
    )


def _busy(answer: Answer) -> str:
    """Return the message of an answer that a later try may not meet."""
    words = {429: "too many requests (rate limit)", 503: "the server is not available, or starting"}
    word = words.get(
        answer.status, "the server failed" if answer.status >= 500 else "the server gave up waiting"
    )
    said = "a web page, as a proxy gives" if answer.is_page else _said(answer)
    return f"{answer.path}: {word} ({answer.status}): {said}; see `swe-assets sonar status` and try again"


def _elsewhere(answer: Answer) -> str:
    """Return the message of a redirect, which is never followed because the token would go along."""
    target = answer.header("location").split("?", 1)[0]
    return (
        f"{answer.path}: the server sends elsewhere ({answer.status}) to {excerpt(target, 120)!r}, "
        "which is not followed: set SONAR_HOST_URL to the final address, with its context path"
    )


def _not_sonar(answer: Answer) -> str:
    """Return the message of a web page where an object was due."""
    page = excerpt(answer.text.strip(), 60)
    return (
        f"{answer.path}: not a SonarQube reply ({answer.status}): a web page ({page!r}), such as "
        "the login page of a proxy; check SONAR_HOST_URL with its context path, and HTTP_PROXY and NO_PROXY"
    )


def _unreadable(answer: Answer) -> str:
    """Return the message of a 200 whose body is no JSON object."""
    text = answer.text.strip()
    cut = text.startswith("{")
    kind = (
        "not a SonarQube reply: truncated JSON, cut off" if cut else "not a SonarQube reply: no JSON object"
    )
    return (
        f"{answer.path}: {kind} after {len(answer.text):,} characters (…{excerpt(text[-40:], 60)!r}); "
        "check SONAR_HOST_URL and any proxy between"
    )
