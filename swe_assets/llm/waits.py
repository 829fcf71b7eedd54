"""How long a service asks its callers to wait, in the forms in which services say it."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_PARTS = re.compile(
    r"(?:(\d{1,9})h)?(?:(\d{1,9})m(?!s))?(?:(\d{1,9}(?:\.\d{1,9})?)s)?(?:(\d{1,9}(?:\.\d{1,9})?)ms)?",
    re.ASCII,
)
_IN_WORDS = re.compile(
    r"(?:try again|retry|available) (?:in|after) ([0-9][0-9.hms]*)( seconds?)?", re.IGNORECASE | re.ASCII
)


def duration_s(text: str) -> float | None:
    """Return the seconds in ``59s``, ``59.44s``, ``1h2m3.5s`` or ``250ms``; None for anything else."""
    found = _PARTS.fullmatch(text.strip())
    if not found or not any(found.groups()):
        return None
    hours, minutes, seconds, millis = (float(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + seconds + millis / 1000


def duration_in_words_s(message: str) -> float | None:
    """Return the seconds in words such as "Please retry in 59.44s." or "Try again in 20 seconds", or None."""
    found = _IN_WORDS.search(message)
    if found is None:
        return None
    amount = found[1].rstrip(".")
    return duration_s(f"{amount}s" if found[2] else amount)


def retry_after_s(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds of a Retry-After header, a number or a date (RFC 9110, 10.2.3), or None."""
    value = next((text.strip() for name, text in headers.items() if name.lower() == "retry-after"), "")
    if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", value, re.ASCII):
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - (now or datetime.now(UTC))).total_seconds())
