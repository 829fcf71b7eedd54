"""The table of what a service can do to a call, the same for every provider, with how the call must end."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from swe_assets_tests.http_stub import Served
from swe_assets_tests.llm.loopback import GOOD
from swe_assets_tests.llm.loopback_wire import Wire

OTHER = GOOD.replace("true", "false")
TRAPS = GOOD.replace("corrige a causa-raiz", "a\\u202eb \\u0000 \U000e0041 e\u0301 \u2028 ﬁm")
CURLY = GOOD.replace('"', "”")
CUT_AT = len(GOOD) // 2


@dataclass(frozen=True)
class Fault:
    """One thing that a service does, and what must come of it.

    ``ends``: answered, or the outcome of the failure (for one provider a different word: ``but``).
    ``sends``: requests made in all. ``wait_s``: the wait that the service names, None where it names none.
    """

    name: str
    reply: Callable[[Wire], Served]
    ends: str
    sends: int = 1
    wait_s: float | None = None
    timeout_s: float = 20.0
    reason: str = ""
    but: tuple[tuple[str, str], ...] = ()

    def outcome(self, provider: str) -> str:
        """Return how a call of this provider must end."""
        return dict(self.but).get(provider, self.ends)


def _busy(status: int, **headers: str) -> Callable[[Wire], Served]:
    """Return a maker of an error with headers."""
    return lambda wire: wire.failed(status, "rate_limit_error", "slow down", **headers)


def _said(text: str) -> Callable[[Wire], Served]:
    """Return a maker of a reply that ends normally."""
    return lambda wire: wire.said(text)


def _line(fault: str) -> Callable[[Wire], Served]:
    """Return a maker of a good reply on a bad line."""
    return lambda wire: Served(body=wire.said(GOOD).body, fault=fault)


def _in_a_minute(wire: Wire) -> Served:
    """Return a 429 whose Retry-After is a date, 40 s from now."""
    when = format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)
    return wire.failed(429, "rate_limit_error", "slow down", retry_after=when)


INFRA, INVALID = "infrastructure", "invalid"
FAULTS = (
    Fault("good", _said(GOOD), "answered"),
    Fault("429 with seconds", _busy(429, retry_after="17"), INFRA, 5, 17.0, reason="429"),
    Fault("429 with a date", _in_a_minute, INFRA, 5, 40.0, reason="429"),
    Fault("429 without a word", _busy(429), INFRA, 5, reason="429"),
    Fault("429 for an hour", _busy(429, retry_after="3600"), "stop_calls", 1, reason="3600"),
    Fault("500", _busy(500), INFRA, 5, reason="500"),
    Fault("503 with seconds", _busy(503, retry_after="3"), INFRA, 5, 3.0, reason="503"),
    Fault("529", lambda w: w.failed(529, "overloaded_error", "Overloaded"), INFRA, 5, reason="529"),
    Fault("408", _busy(408), INFRA, 5, reason="408"),
    Fault("401", _busy(401), "stop_calls", reason="the key was refused"),
    Fault("403", lambda w: w.failed(403, "permission_error", "no"), "stop_calls", reason="no right"),
    Fault("403 of a firewall", lambda w: Served(403, "<html>Forbidden"), INFRA, reason="not accepted: 403"),
    Fault("404", _busy(404), "stop_calls", reason="no such model"),
    Fault("400", lambda w: w.failed(400, "invalid_request_error", "odd"), INFRA, reason="not accepted"),
    Fault("413", lambda w: w.failed(413, "request_too_large", "too big"), INFRA, reason="413"),
    Fault("a redirect", lambda w: Served(307, {}, {"location": "http://127.0.0.1:1/x"}), INFRA, reason="307"),
    Fault("a hang", _line("silence"), INFRA, 5, timeout_s=0.2, reason="ReadTimeout from 127.0.0.1"),
    Fault("a drip", _line("drip"), INFRA, 5, timeout_s=0.4, reason="ReadTimeout from 127.0.0.1"),
    Fault("a dripping head", _line("drip_head"), INFRA, 5, timeout_s=0.4, reason="ReadTimeout"),
    Fault("a dropped line", _line("dropped"), INFRA, 5, reason="RemoteProtocolError from 127.0.0.1"),
    Fault("a cut stream", _line("cut"), INFRA, 5, reason="RemoteProtocolError"),
    Fault("a reset", _line("reset"), INFRA, 5, reason="ReadError"),
    Fault(
        "an endless reply", lambda w: Served(body="x" * 65536, fault="endless"), INVALID, 5, reason="bytes"
    ),
    Fault("a huge reply", lambda w: w.said(GOOD + " " * 9_000_000), INVALID, 5, reason="8000000 bytes"),
    Fault("a compressed reply", lambda w: Served(body="x", headers={"content-encoding": "gzip"}), INVALID, 5),
    Fault("a page", lambda w: Served(body="<p>sign in", headers={"content-type": "text/html"}), INFRA, 5),
    Fault(
        "a good reply called text",
        lambda w: Served(body=w.said(GOOD).body, headers={"content-type": "text/plain"}),
        "answered",
    ),
    Fault("a list", lambda w: Served(body=[1]), INFRA, 5, but=(("gemini", "empty"),)),
    Fault("a number", lambda w: Served(body="7"), INFRA, 5, reason="unreadable reply"),
    Fault("a deep nest", lambda w: Served(body="[" * 200_000), INFRA, 5, reason="unreadable reply"),
    Fault("nothing", lambda w: Served(body=""), INFRA, 5, but=(("gemini", "empty"),)),
    Fault("an empty object", lambda w: Served(body={}), "empty", 5),
    Fault("empty choices", lambda w: w.none(), "empty", 5, reason="empty text"),
    Fault("blank text", _said(" \n"), "empty", 5, reason="empty text"),
    Fault(
        "a content filter",
        lambda w: w.said(GOOD, w.filtered),
        "blocked",
        but=(("anthropic", "refused"),),
    ),
    Fault("an unknown end", lambda w: w.said(GOOD, "SOMETHING_NEW"), "blocked", reason="SOMETHING_NEW"),
    Fault("a cut reply", lambda w: w.said(GOOD[:CUT_AT], w.cut), "truncated"),
    Fault("a whole object, cut", lambda w: w.said(GOOD, w.cut), "truncated"),
    Fault("words of refusal", _said("I'm sorry, I cannot judge this."), "refused"),
    Fault("fences", _said(f"```json\n{GOOD}\n```"), "answered"),
    Fault("curly quotes", _said(CURLY), "answered"),
    Fault("unicode traps", _said(TRAPS), "answered"),
    Fault("a lone surrogate", _said(GOOD.replace("causa", "\\ud800")), INVALID, 5),
    Fault("a thinking block", _said(f"<think>{OTHER}</think>{GOOD}"), "answered"),
    Fault("half an object", _said(GOOD[:CUT_AT]), INVALID, 5),
    Fault("true as 1", _said(GOOD.replace("true", "1")), INVALID, 5, reason="resolve_issue"),
    Fault("a score in quotes", _said(GOOD.replace("4", '"4"')), INVALID, 5, reason="score_confianca"),
    Fault("a score out of range", _said(GOOD.replace("4", "6")), INVALID, 5, reason="score_confianca"),
    Fault("NaN", _said(GOOD.replace("4", "NaN")), INVALID, 5, reason="NaN"),
    Fault("two verdicts", _said(f"{OTHER}\n{GOOD}"), INVALID, 5, reason="ambiguous"),
    Fault("a key twice", _said(GOOD.replace("{", '{"resolve_issue": false, ')), INVALID, 5, reason="twice"),
)
