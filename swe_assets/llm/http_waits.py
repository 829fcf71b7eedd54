"""How long an Anthropic or OpenAI-like service asks its callers to wait: headers first, then its words."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from swe_assets.llm.waits import duration_in_words_s, duration_s, retry_after_s

_NUMBER = re.compile(r"\d{1,15}(?:\.\d{1,9})?", re.ASCII)
_EPOCH_S, _EPOCH_MS = 1e9, 1e12


def wait_hint_s(headers: Mapping[str, str], message: str, now: datetime | None = None) -> float | None:
    """Return the seconds that a service asks to wait, or None where it does not say.

    ``retry-after-ms`` and ``retry-after`` (seconds or a date) count first, the longer of both; then the
    reset times of limits of which nothing remains (``x-ratelimit-reset-*``, ``anthropic-ratelimit-*-reset``,
    ``x-ratelimit-reset``); then words such as "Please try again in 7m12s".
    """
    now = now or datetime.now(UTC)
    named = {name.lower(): value.strip() for name, value in headers.items()}
    millis = named.get("retry-after-ms", "")
    asked = [float(millis) / 1000] if _NUMBER.fullmatch(millis) else []
    after = retry_after_s(named, now)
    asked += [] if after is None else [after]
    if hints := asked or _resets(named, now):
        return max(hints)
    return duration_in_words_s(message)


def _resets(headers: Mapping[str, str], now: datetime) -> list[float]:
    """Return the seconds until each limit that is used up is open again."""
    waits = []
    for name, value in headers.items():
        kind = re.fullmatch(r"x-ratelimit-reset(-[a-z-]+)?|anthropic-ratelimit-([a-z-]+)-reset", name)
        if kind is None:
            continue
        left = f"x-ratelimit-remaining{kind[1] or ''}"
        left = f"anthropic-ratelimit-{kind[2]}-remaining" if kind[2] else left
        wait = _until(value, now)
        if wait is not None and headers.get(left, "0") in {"0", "0.0", "-1"}:
            waits.append(wait)
    return waits


def _until(value: str, now: datetime) -> float | None:
    """Return the seconds of a duration, a number, an epoch (s or ms) or an RFC 3339 date."""
    if _NUMBER.fullmatch(value):
        number = float(value)
        number = number / 1000 if number > _EPOCH_MS else number
        return max(0.0, number - now.timestamp()) if number > _EPOCH_S else number
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return duration_s(value)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
