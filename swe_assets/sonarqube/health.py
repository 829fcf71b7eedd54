"""How a SonarQube server does, asked once and without a token."""

import ipaddress
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from swe_assets.llm.plain_text import excerpt

if TYPE_CHECKING:
    import httpx


class Answer(Enum):
    """What a server says of itself; SILENT and FOREIGN are not said but found."""

    UP = "UP"
    STARTING = "STARTING"
    RESTARTING = "RESTARTING"
    DOWN = "DOWN"
    DB_MIGRATION_NEEDED = "DB_MIGRATION_NEEDED"
    DB_MIGRATION_RUNNING = "DB_MIGRATION_RUNNING"
    SILENT = "nothing answers"
    FOREIGN = "not a SonarQube server"


@dataclass(frozen=True)
class Health:
    """An answer, the server's version where it said one, and in words what was found."""

    answer: Answer
    version: str
    words: str


def uses_proxies(url: str) -> bool:
    """Say whether requests to an address may go by the environment's proxies: never to this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost" and not host.endswith(".localhost")


def ask(url: str, *, seconds: float = 10) -> Health:
    """Return how the server at an address does, by `api/system/status`; never raises for what it answers.

    503 and 502 count as starting: a proxy in front of a starting server says so, and so does the server.
    """
    import httpx

    try:
        with httpx.Client(timeout=seconds, trust_env=uses_proxies(url)) as client:
            response = client.get(f"{url}/api/system/status")
    except httpx.TransportError as wrong:
        return Health(Answer.SILENT, "", f"{type(wrong).__name__}: {excerpt(str(wrong))}")
    except httpx.HTTPError as wrong:
        return Health(Answer.FOREIGN, "", f"{type(wrong).__name__}: {excerpt(str(wrong))}")
    if response.status_code in (502, 503):
        return Health(Answer.STARTING, "", f"status {response.status_code}")
    return _read(response)


def _read(response: "httpx.Response") -> Health:
    """Return what a whole answer says."""
    try:
        said = response.json()
        answer = Answer[str(said["status"])]
    except (ValueError, KeyError, TypeError):
        words = f"status {response.status_code}, {excerpt(response.text)!r}"
        return Health(Answer.FOREIGN, "", words)
    version = str(said.get("version", ""))
    return Health(answer, version, f"{answer.value}, version {version or 'not said'}")
