"""Java properties files, the form in which the scanner reads its settings."""

import re
from collections.abc import Mapping

_SPECIAL = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f"}


def properties_text(settings: Mapping[str, str]) -> str:
    """Return settings as a properties file in ASCII, one a line, in their order.

    Whatever `java.util.Properties.load` would read otherwise is escaped, UTF-16 code unit by code unit
    (https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/util/Properties.html).
    """
    return "".join(f"{_key(key)}={_escaped(value)}\n" for key, value in settings.items())


def _key(key: str) -> str:
    return re.sub(r"[ =:#!]", lambda found: f"\\{found.group()}", _escaped(key))


def _escaped(text: str) -> str:
    body = "".join(_character(character) for character in text)
    return f"\\{body}" if body.startswith((" ", "#", "!")) else body


def _character(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if " " <= character <= "~":
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at] * 256 + units[at + 1]:04x}" for at in range(0, len(units), 2))
