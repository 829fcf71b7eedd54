"""Project keys: any names become one allowed key, and no two become the same."""

import hashlib
import re

from swe_assets.errors import StudyError

LONGEST_KEY = 400
"""Characters a SonarQube project key may have."""

_PLAIN = re.compile(rb"[a-z0-9_-]")
_KEPT = 330


def project_key(*parts: str) -> str:
    """Return the project key of some names, such as a study's and an instance's, joined by ``:``.

    A key holds letters, digits, ``-``, ``_``, ``.`` and ``:``, at least one of them no digit, and the server
    takes keys that differ in case alone for one (400, "a similar key already exists"). So every byte of a
    part outside ``a-z0-9_-`` is written as ``.`` and two hexadecimal digits, which can be read back; a key
    of more than 400 characters is cut and ends in ``..`` and its SHA-256.

    Raises StudyError where there is nothing to name.

    >>> project_key("estudo", "django__django-11734")
    'estudo:django__django-11734'
    >>> project_key("a/b C")
    'a.2fb.20.43'
    """
    if not any(parts):
        raise StudyError(f"a SonarQube project needs a name, but it is {parts!r}: name the study")
    key = ":".join(_written(part) for part in parts)
    if re.fullmatch(r"\d+", key):
        key = f".{ord(key[0]):02x}{key[1:]}"
    if len(key) > LONGEST_KEY:
        key = f"{key[:_KEPT]}..{hashlib.sha256(key.encode()).hexdigest()}"
    return key


def _written(part: str) -> str:
    """Return a part with every other byte than a plain one as a dot and its hexadecimal digits."""
    content = part.encode("utf-8", "surrogatepass")
    return "".join(chr(byte) if _PLAIN.match(bytes([byte])) else f".{byte:02x}" for byte in content)
