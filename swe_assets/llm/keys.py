"""Where a provider's key comes from, and how it is kept out of everything that is written."""

import json
import logging
import os
import re
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swe_assets.errors import ConfigurationError
from swe_assets.home import home

if TYPE_CHECKING:
    from pydantic import SecretStr

_TALKATIVE = (
    "httpx",
    "httpx2",
    *(
        f"{library}.{part}"
        for library in ("httpcore", "httpcore2")
        for part in ("connection", "http11", "http2", "proxy", "socks")
    ),
    "google_genai._api_client",
    "google_genai.models",
    "openai",
    "openai._base_client",
    "openai._legacy_response",
    "openai._response",
    "anthropic",
    "anthropic._base_client",
    "anthropic._legacy_response",
    "anthropic._response",
)
REMOVED = "[key removed]"
SHORTEST_SECRET = 8
"""A shorter key, such as the ``EMPTY`` of a local server, is no secret and may be a word of an answer."""


def find_key(name: str, *, folder: Path | None = None) -> "SecretStr":
    """Return the key of that name from the environment, else from the file ``.env`` of SWE_ASSETS_HOME.

    Raises ConfigurationError where it is missing, blank or not one word of printable ASCII; the message
    never holds any part of it.
    """
    from pydantic import SecretStr

    env_file = (folder or home()) / ".env"
    value = os.environ.get(name, "").strip() or named_in_file(env_file, name)
    if not value:
        raise ConfigurationError(
            f"{name} is not set: export {name}=… or write a line {name}=… into {str(env_file)!r}, "
            "or choose the judge 'rehearsal', which needs no key"
        )
    if not re.fullmatch(r"[!-~]+", value):
        raise ConfigurationError(f"{name} holds blanks or characters that no key has: copy it anew")
    return SecretStr(value)


def named_in_file(env_file: Path, name: str) -> str:
    """Return a name's value in a .env file, or an empty text where the file or the name is not there."""
    from dotenv import dotenv_values

    if not env_file.is_file():
        return ""
    try:
        return (dotenv_values(env_file, interpolate=False).get(name) or "").strip()
    except (OSError, UnicodeDecodeError) as problem:
        kind = type(problem).__name__
    raise ConfigurationError(f"{str(env_file)!r} cannot be read ({kind}): make it readable UTF-8 text")


class _Withheld(logging.Filter):
    """Drops every log record that holds one of the keys in use, such as a service's echoed header."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: frozenset[str] = frozenset()  # replaced, since other threads go through it

    def filter(self, record: logging.LogRecord) -> bool:
        """Let a record pass if no key is in its words nor in the traceback that goes with it."""
        words = record.getMessage()
        if record.exc_info and record.exc_info[1]:
            words += "".join(traceback.format_exception(record.exc_info[1]))
        return not any(key in words for key in self.keys)


_withheld = _Withheld()


def withhold_from_logs(key: "SecretStr") -> None:
    """Keep a key out of what the HTTP libraries and the SDK log, at every level."""
    if len(key.get_secret_value()) >= SHORTEST_SECRET:
        _withheld.keys |= {key.get_secret_value()}
    for name in _TALKATIVE:
        logging.getLogger(name).addFilter(_withheld)


def without_key(value: Any, key: "SecretStr") -> Any:
    """Return a JSON value or text with every occurrence of the key replaced."""
    if len(key.get_secret_value()) < SHORTEST_SECRET:
        return value
    written, inside = json.dumps(value), json.dumps(key.get_secret_value())[1:-1]
    return json.loads(written.replace(inside, REMOVED)) if inside in written else value
