"""The wait until a private server answers, and what ends it early."""

import time
from collections.abc import Callable

from swe_assets.errors import ServiceError
from swe_assets.services.processes import is_alive
from swe_assets.sonarqube.health import Answer, Health, ask, uses_proxies

_POLL_SECONDS = 0.5
_SAY_SECONDS = 15.0


class EndedError(ServiceError):
    """The server's main process ended while it was waited for."""


class LateError(ServiceError):
    """The server runs and did not come up in time, or says that it is down."""


class MigrationNeededError(ServiceError):
    """The data is that of an older version, and nobody allowed to change it."""


def wait_until_up(url: str, mark: str, *, migrate: bool, seconds: float, say: Callable[[str], None]) -> None:
    """Wait until the server of a mark is up; `migrate` lets it change data of an older version, for good.

    Raises EndedError, LateError or MigrationNeededError.
    """
    begin = time.monotonic()
    said, asked = begin, False
    while True:
        alive = is_alive(mark)
        health = ask(url)
        waited = time.monotonic() - begin
        if health.answer is Answer.UP and alive:
            say(f"SonarQube {health.version} is up at {url} after {waited:.0f} s")
            return
        if not alive:
            raise EndedError(f"the server at {url} ended after {waited:.0f} s")
        asked = _migrated(url, health, asked=asked, migrate=migrate, say=say)
        if health.answer in (Answer.DOWN, Answer.FOREIGN) or waited > seconds:
            raise LateError(f"the server at {url} is not up after {waited:.0f} s: {health.words}")
        if time.monotonic() - said > _SAY_SECONDS:
            said = time.monotonic()
            say(f"starting for {waited:.0f} s: {health.words}")
        time.sleep(_POLL_SECONDS)


def _migrated(url: str, health: Health, *, asked: bool, migrate: bool, say: Callable[[str], None]) -> bool:
    """Ask the server once to bring its data to its version where it must; return whether it was asked."""
    import httpx

    if health.answer is not Answer.DB_MIGRATION_NEEDED or asked:
        return asked
    if not migrate:
        raise MigrationNeededError(
            f"the data is that of an older version than {health.version}: start it by "
            "`swe-assets sonar up --migrate`, which changes the data for good, or by the older --archive FILE"
        )
    say("the data is changed to that of the newer version")
    try:
        httpx.post(f"{url}/api/system/migrate_db", timeout=60, trust_env=uses_proxies(url)).raise_for_status()
    except httpx.HTTPError as wrong:
        raise LateError(f"{url} does not change its data to its version: {type(wrong).__name__}") from wrong
    return True
