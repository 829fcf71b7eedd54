"""Which SonarQube server is asked, and with which token."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from swe_assets.errors import ConfigurationError
from swe_assets.home import home
from swe_assets.llm.keys import named_in_file
from swe_assets.sonarqube.places import ServerPlaces, default_places

URL_NAME = "SONAR_HOST_URL"
TOKEN_NAME = "SONAR_TOKEN"  # noqa: S105 - the name of a variable, Sonar's own
START = "start one by `swe-assets sonar up`"


@dataclass(frozen=True)
class SonarConnection:
    """A server's address without a final slash, the token for it, and in words where both were found."""

    url: str
    token: str = field(repr=False)
    source: str


def find_connection(
    environ: Mapping[str, str] = os.environ, *, places: ServerPlaces | None = None
) -> SonarConnection:
    """Return the server that the environment or SWE_ASSETS_HOME's .env names, else the remembered one.

    SONAR_HOST_URL and SONAR_TOKEN are Sonar's own names. Where only the address is named and it is that of
    the remembered server, its token is taken. Raises ConfigurationError, which never holds a token.
    """
    where = places or default_places()
    url, url_source = _setting(environ, URL_NAME)
    token, token_source = _setting(environ, TOKEN_NAME)
    if not url:
        return _remembered(where)
    url = checked_url(url)
    if token:
        source = url_source if url_source == token_source else f"{url_source} and {token_source}"
        return SonarConnection(url, checked_token(token, TOKEN_NAME), source)
    if remembered_url(where) != url:
        raise ConfigurationError(
            f"{URL_NAME} is {url!r}, but {TOKEN_NAME} is not set: export {TOKEN_NAME}=…, or unset {URL_NAME} "
            f"and {START}"
        )
    return _remembered(where)


def remembered_url(places: ServerPlaces) -> str | None:
    """Return the address that `sonar up` remembered, of a server of the user's own first; None without."""
    url = (read_state(places.named) or read_state(places.state)).get("url")
    return url if isinstance(url, str) else None


def read_state(path: Path) -> dict[str, Any]:
    """Return what a file remembers of a server, an empty object where there is no such file.

    Raises ConfigurationError where the file is there and cannot be read as a JSON object.
    """
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as wrong:
        raise ConfigurationError(
            f"{str(path)!r} cannot be read ({type(wrong).__name__}): "
            "run as the user who started the server, or remove the file and run `swe-assets sonar up`"
        ) from wrong
    if not isinstance(state, dict):
        raise ConfigurationError(f"{str(path)!r} holds no object: remove it and run `swe-assets sonar up`")
    return state


def checked_url(url: str) -> str:
    """Return a server's address without a final slash; ConfigurationError where it is none."""
    try:
        parts = urlsplit(url)
        named = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        named = False
        parts = urlsplit("")
    if parts.username is not None or parts.password is not None:
        raise ConfigurationError(
            f"the address of SonarQube holds a user or password: leave them out, set {TOKEN_NAME}"
        )
    if not named or parts.query or parts.fragment or not re.fullmatch(r"[!-~]+", url):
        shown = re.split("[?#]", url)[0]
        raise ConfigurationError(
            f"the address of SonarQube is {shown!r}: give one like 'http://127.0.0.1:9000' or "
            "'https://host/context'"
        )
    return url.rstrip("/")


def checked_token(token: str, name: str) -> str:
    """Return a token that is one word of printable ASCII; ConfigurationError without any part of it."""
    if not re.fullmatch(r"[!-~]{1,400}", token):
        raise ConfigurationError(f"{name} holds blanks or characters that no token has: copy it anew")
    return token


def _setting(environ: Mapping[str, str], name: str) -> tuple[str, str]:
    """Return a setting and in words where it was found, from the environment or the .env file."""
    value = environ.get(name, "").strip()
    if value:
        return value, f"{name} in the environment"
    env_file = Path(home()) / ".env"
    return named_in_file(env_file, name), f"{name} in {str(env_file)!r}"


def _remembered(places: ServerPlaces) -> SonarConnection:
    """Return the connection to the server that `sonar up` left."""
    url = remembered_url(places)
    if url is None:
        raise ConfigurationError(
            f"no SonarQube server is known: {START}, or set {URL_NAME} and {TOKEN_NAME} to one of yours"
        )
    named = bool(read_state(places.named))
    path = places.named_token if named else places.token
    try:
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as wrong:
        raise ConfigurationError(
            f"the token of the server at {url} cannot be read from {str(path)!r} "
            f"({type(wrong).__name__}): run `swe-assets sonar up` again, as the user who started it"
        ) from None
    source = f"swe-assets sonar up{' --url' if named else ''}"
    return SonarConnection(url, checked_token(token, str(path)), source)
