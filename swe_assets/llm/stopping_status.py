"""Statuses after which no further call can succeed, whichever service sends them."""

import re

_STOPPING = {
    401: "the key was refused",
    402: "the account cannot pay",
    403: "the key has no right to this model",
    404: "no such model",
}
_NO_RIGHT = re.compile(
    r"permission|authenti|authori[sz]|access_?denied|api_?key|account|unsupported_country|model_not_found",
    re.IGNORECASE,
)


def stopping(status: int, code: str) -> str | None:
    """Return why a status ends all calls, or None.

    ``code``: the type and code of the error body. A 403 ends them only where these speak of the key's
    rights: a firewall before the service sends one for the words of a single request.

    >>> stopping(403, "permission_error"), stopping(403, "")
    ('the key has no right to this model', None)
    """
    return None if status == 403 and not _NO_RIGHT.search(code) else _STOPPING.get(status)
