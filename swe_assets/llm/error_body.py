"""What every service's error body has: an error object in some wrapper, and words for a day's quota."""

import re

PER_DAY = re.compile(r"per[\s_-]*day|\bdaily\b|\b[RT]PD\b", re.IGNORECASE)
"""Words of a limit that opens again on the next day only; services shorten it to RPD and TPD."""

BAD_KEY = re.compile(
    r"(?:invalid|incorrect|wrong|expired|missing|disabled) (?:api[ -]?key|x-api-key)\b"
    r"|(?:the |your )?api[ _-]?key\b[^.]{0,40}\b(?:not valid|invalid|incorrect|expired|not found|missing)",
    re.IGNORECASE,
)
"""How a message begins that refuses a key; further on such words may be those of what was sent."""


def error_of(body: object) -> dict[str, object]:
    """Return the error object of a body: in its wrapper, in a list, bare, or mere words as its message.

    >>> error_of([{"error": {"code": 400}}]), error_of("busy")
    ({'code': 400}, {'message': 'busy'})
    """
    if isinstance(body, list) and body:
        body = body[0]
    inner = body.get("error") or body if isinstance(body, dict) else body
    return inner if isinstance(inner, dict) else {"message": inner if isinstance(inner, str) else ""}
