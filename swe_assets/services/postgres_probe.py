"""What a Postgres server answers: whether it is ready, and its database made where it is not there yet."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from swe_assets.errors import ServiceError
from swe_assets.services.postgres_address import PostgresAddress

READY_SECONDS = 300.0  # recovery after a kill replays what was written since the last checkpoint
_POLL_SECONDS = 0.1


class Answer(Enum):
    """What a server made of an attempt to connect."""

    READY = "ready"
    NO_DATABASE = "no database"
    STARTING = "starting"
    SILENT = "silent"
    REFUSED = "refused"


class ServerEndedError(ServiceError):
    """A server whose process ended while it was waited for."""


_WORDS = {
    " does not exist": Answer.NO_DATABASE,  # a role that does not exist is refused as a wrong password
    "the database system is starting up": Answer.STARTING,
    "the database system is shutting down": Answer.STARTING,
    "the database system is in recovery mode": Answer.STARTING,
    "not yet accepting connections": Answer.STARTING,
    "Connection refused": Answer.SILENT,
    "timeout expired": Answer.SILENT,
    "could not translate host name": Answer.SILENT,
    "server closed the connection": Answer.SILENT,
    "Connection reset by peer": Answer.SILENT,
    "terminating connection": Answer.SILENT,
}


@dataclass(frozen=True)
class Probe:
    """The answer and the server's own words, which hold no password."""

    answer: Answer
    words: str


def connect(address: PostgresAddress, database: str | None = None) -> Any:
    """Open psycopg2's connection, within ten seconds; its OperationalError where the server refuses it."""
    import psycopg2

    return psycopg2.connect(
        host=address.host,
        port=address.port,
        user=address.user,
        password=address.password,
        dbname=database or address.database,
        connect_timeout=10,
    )


def probe(address: PostgresAddress, database: str | None = None) -> Probe:
    """Try to connect once and say what came of it."""
    return _tried(lambda: connect(address, database))


def probe_url(url: str) -> Probe:
    """Try to connect once by a URL and say what came of it."""
    import psycopg2

    return _tried(lambda: psycopg2.connect(url, connect_timeout=10))


def _tried(attempt: Callable[[], Any]) -> Probe:
    import psycopg2

    try:
        attempt().close()
    except psycopg2.ProgrammingError:  # no server was asked; libpq quotes what it cannot read, passwords too
        return Probe(Answer.REFUSED, "libpq cannot read the URL: write what is special in it as %XX")
    except psycopg2.Error as wrong:
        words = " ".join(str(wrong).split())
        return Probe(answer_in(words), words)
    return Probe(Answer.READY, "it accepts connections")


def answer_in(words: str) -> Answer:
    """Return what a server made of an attempt to connect, by the words of the error."""
    return next((answer for text, answer in _WORDS.items() if text in words), Answer.REFUSED)


def wait_until_ready(
    address: PostgresAddress,
    mark: Callable[[], str | None],
    cause: Callable[[], str],
    *,
    seconds: float = READY_SECONDS,
) -> None:
    """Wait until the server accepts connections to its maintenance database.

    `mark` returns nothing once the process has ended, `cause` what its log says. Raises ServerEndedError
    where it ends, ServiceError where it refuses us or is not ready within so many seconds.
    """
    deadline = time.monotonic() + seconds
    while True:
        alive = mark() is not None
        found = probe(address, "postgres")
        if alive and found.answer is Answer.READY:
            return
        if not alive:
            raise ServerEndedError(f"Postgres did not start; its log says: {cause()}")
        if found.answer is Answer.REFUSED:
            raise ServiceError(f"Postgres runs at {address.safe_url} and refuses us: {found.words}")
        if time.monotonic() > deadline:
            raise ServiceError(f"Postgres is not ready after {seconds:.0f} s; its log says: {cause()}")
        time.sleep(_POLL_SECONDS)


def make_database(address: PostgresAddress) -> None:
    """Make the address's database where it is absent; ServiceError with the server's words if it cannot."""
    if probe(address).answer is Answer.READY:
        return
    import psycopg2
    from psycopg2 import sql

    connection = None
    try:
        connection = connect(address, "postgres")
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(address.database)))
    except psycopg2.errors.DuplicateDatabase:
        return
    except psycopg2.Error as wrong:
        raise ServiceError(f"cannot make the database {address.database!r}: {wrong}".strip()) from wrong
    finally:
        if connection is not None:
            connection.close()
