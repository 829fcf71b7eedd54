"""study.toml's text: a small TOML writer for texts, numbers, truth values, lists and tables.

The standard library only reads TOML. What is written here is read back equal by `tomllib`; a lone
surrogate, which no UTF-8 file can hold, becomes U+FFFD (https://toml.io/en/v1.0.0#string).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from swe_assets.errors import StudyError
from swe_assets.patch_quality.inputs.quoting import quoted

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPED = re.compile(r'[\x00-\x1f"\\\x7f]')
_NAMED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def to_toml(table: Mapping[str, Any]) -> str:
    """Return a mapping as a TOML document; raise StudyError for a value that TOML has no form for."""
    return "\n".join(_lines(table, ())).strip("\n") + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """Yield a table's own pairs, then each table below it under its header."""
    for key, value in table.items():
        if not isinstance(value, Mapping):
            yield f"{_key(key)} = {_value(value)}"
    for key, value in table.items():
        if isinstance(value, Mapping):
            below = (*path, key)
            yield f"\n[{'.'.join(map(_key, below))}]"
            yield from _lines(value, below)


def _key(key: str) -> str:
    """Return a key, quoted unless it is bare."""
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    """Return a value in its inline form."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + "}"
    raise StudyError(f"study.toml has no form for {quoted(value)}")


def _text(text: str) -> str:
    """Return a basic string: quotes, backslashes and control characters escaped."""
    text = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    escaped = _ESCAPED.sub(lambda found: _NAMED.get(found.group(), f"\\u{ord(found.group()):04x}"), text)
    return f'"{escaped}"'
