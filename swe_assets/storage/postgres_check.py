"""Whether a Postgres server takes Dagster's records, said so that a person knows what to do."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dagster_postgres.utils import DagsterPostgresException
from sqlalchemy.exc import SQLAlchemyError

from swe_assets.errors import ConfigurationError
from swe_assets.services.postgres_probe import Answer, Probe, probe_url
from swe_assets.storage.place import RecordsPlace

if TYPE_CHECKING:
    from dagster import DagsterInstance

_PATIENCE_SECONDS = 5.0  # a server that is just starting or being restarted
_POLL_SECONDS = 0.25
_TABLES_LOCK = 0x5357_4554


def require_server(place: RecordsPlace) -> str:
    """Return the place's URL once the server takes us and the tables are there.

    Raises ConfigurationError where it does not answer within five seconds, refuses us, or lacks the database.
    """
    url = place.url or ""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    found = probe_url(url)
    while found.answer in (Answer.SILENT, Answer.STARTING) and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)
        found = probe_url(url)
    if found.answer is not Answer.READY:
        raise ConfigurationError(
            f"{place.sentence}: {_lack(place, found)}; to go back to SQLite, {place.back}"
        )
    return url


def _lack(place: RecordsPlace, found: Probe) -> str:
    private = "swe-assets postgres" in place.source
    mends = {
        Answer.SILENT: "it does not answer: start it" + (" by `swe-assets postgres up`" if private else ""),
        Answer.STARTING: "it is still starting: try again in a moment",
        Answer.NO_DATABASE: "it has no such database: make it by `createdb`",
        Answer.REFUSED: "it refuses us: mend user, password and rights",
    }
    return f"{mends[found.answer]} ({found.words})"


@contextmanager
def opened(place: RecordsPlace) -> Iterator[None]:
    """Let one process at a time make Dagster's tables; ConfigurationError where the server forbids it."""
    import psycopg2

    connection = None
    try:
        connection = psycopg2.connect(place.url, connect_timeout=10)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", (_TABLES_LOCK,))
        yield
    except (psycopg2.Error, SQLAlchemyError, DagsterPostgresException) as wrong:
        words = " ".join(str(wrong.__cause__ or wrong).split())[:500]
        raise ConfigurationError(
            f"{place.sentence}: its tables cannot be opened or made ({words}); give the user the rights "
            f"(GRANT CREATE ON SCHEMA public) or another database; to go back to SQLite, {place.back}"
        ) from wrong
    finally:
        if connection is not None:
            connection.close()


def require_schema(instance: "DagsterInstance", place: RecordsPlace) -> None:
    """Raise ConfigurationError where the tables are those of an older or a newer Dagster."""
    from alembic.script import ScriptDirectory
    from dagster_postgres.utils import pg_alembic_config

    storage = instance.event_log_storage
    version = storage.alembic_version()
    if version is None:
        return
    found, wanted = version
    if found == wanted:
        return
    import dagster_postgres.event_log.event_log as own

    known = ScriptDirectory.from_config(pg_alembic_config(own.__file__)).walk_revisions()
    older = found is None or found in {script.revision for script in known}
    mend = (
        "they are of an older Dagster: run `dagster instance migrate`"
        if older
        else "they are of a newer Dagster: install that one, or give an empty database"
    )
    raise ConfigurationError(f"{place.sentence}: its tables are at {found!r}, not {wanted!r}; {mend}")
