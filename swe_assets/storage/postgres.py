"""Dagster's records in Postgres, tuned for hundreds of partitions a run.

dagster-postgres opens a connection for each statement, which costs more than the statement, and stores only
batches of one kind of event at once. Here each process keeps a few connections, any batch is one
transaction, and writers of events take turns by an advisory lock: so ids follow the order of commits, which
is what the UI and sensors take for granted when they ask for all that is newer than the last id they saw
(https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS).
"""

import os
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

import sqlalchemy as db
from dagster._core.storage.event_log import SqlEventLogStorageTable
from dagster._serdes import ConfigurableClassData
from dagster_postgres import PostgresEventLogStorage, PostgresRunStorage, PostgresScheduleStorage
from dagster_postgres.utils import create_pg_engine
from sqlalchemy.exc import DBAPIError

from swe_assets.services.postgres_probe import Answer, answer_in
from swe_assets.storage.event_batch import OneTransactionEventLog
from swe_assets.storage.place import RecordsPlace, hold_place, records_place
from swe_assets.storage.postgres_check import opened, require_server
from swe_assets.storage.storage_in_parts import StorageInParts

if TYPE_CHECKING:
    from dagster._core.events.log import EventLogEntry

EVENT_LOCK = 0x5357_4541  # any number that is always the same; "SWEA"
SECONDS_LOST = 60.0
"""How long an open instance waits for a server that went away."""
_LOOK_SECONDS = 0.25
_engines: "weakref.WeakSet[db.Engine]" = weakref.WeakSet()


def _forget_connections() -> None:
    """Let go of the parent's connections in a forked child, without closing them for the parent."""
    for engine in list(_engines):
        engine.dispose(close=False)


os.register_at_fork(after_in_child=_forget_connections)


def kept_engine(url: str) -> db.Engine:
    """Return an engine that keeps up to three connections and tries each before it is used again."""
    engine: db.Engine = create_pg_engine(
        url,
        isolation_level="AUTOCOMMIT",
        pool_size=3,
        max_overflow=20,
        pool_pre_ping=True,
        pool_recycle=600,
        connect_args={"connect_timeout": 10},
    )
    _engines.add(engine)
    return engine


@contextmanager
def _connection(engine: db.Engine) -> Iterator[db.Connection]:
    """Give a connection, waiting for a server that went away; dagster-postgres gives up after ten seconds."""
    deadline = time.monotonic() + SECONDS_LOST
    while True:
        try:
            found = engine.connect()
            break
        except DBAPIError as wrong:
            away = answer_in(str(wrong.orig)) in (Answer.SILENT, Answer.STARTING)
            if not away or time.monotonic() > deadline:
                raise
        time.sleep(_LOOK_SECONDS)
    with found:
        yield found


def _in_transactions(connection: db.Connection) -> db.Connection:
    """Return a connection that begins transactions; a driver's error becomes SQLAlchemy's, as everywhere.

    psycopg2 speaks to the server here, and SQLAlchemy passes on what it raises as it is.
    """
    import psycopg2

    try:
        return connection.execution_options(isolation_level="READ COMMITTED")
    except psycopg2.Error as wrong:
        lost = connection.dialect.is_disconnect(wrong, None, None)
        connection.invalidate(wrong)
        raise DBAPIError(None, None, wrong, connection_invalidated=lost) from wrong


class TunedPostgresEventLogStorage(OneTransactionEventLog, PostgresEventLogStorage):
    """Events in Postgres: one transaction a batch, and a batch outlives a restart of the server."""

    def __init__(self, place: RecordsPlace, url: str, engine: db.Engine) -> None:
        super().__init__(url)
        self.place = place
        self._engine = engine
        self._tables: set[str] = set()

    def _connect(self) -> AbstractContextManager[db.Connection]:
        return _connection(self._engine)

    def has_table(self, table_name: str) -> bool:
        """Return whether the table is there, asking the database once a table."""
        if table_name not in self._tables and super().has_table(table_name):
            self._tables.add(table_name)
        return table_name in self._tables

    def store_event(self, event: "EventLogEntry") -> None:
        """Store one event as a batch of one."""
        self.store_event_batch([event])

    @contextmanager
    def transaction(self) -> Iterator[db.Connection]:
        """Give a connection in a transaction that holds the writers' lock."""
        with self._connect() as connection:
            explicit = _in_transactions(connection)
            with explicit.begin():
                explicit.execute(db.select(db.func.pg_advisory_xact_lock(EVENT_LOCK)))
                yield explicit

    def insert_events(self, connection: db.Connection, events: Sequence["EventLogEntry"]) -> list[int]:
        """Insert all events in as few statements as the driver allows."""
        table = SqlEventLogStorageTable
        statement = table.insert().returning(table.c.id, sort_by_parameter_order=True)
        rows = [self._event_to_row(event) for event in events]
        return [int(i) for i in connection.execute(statement, rows).scalars()]

    def store_rows(self, events: Sequence["EventLogEntry"]) -> list[int]:
        """Store the events, and where the server went away meanwhile, once it is back.

        A transaction whose commit was not confirmed is looked up first, so that nothing is stored twice.
        """
        deadline = time.monotonic() + SECONDS_LOST
        unconfirmed = False
        while True:
            try:
                if unconfirmed and (ids := self._stored(events)):
                    return ids
                return super().store_rows(events)
            except DBAPIError as wrong:
                if not wrong.connection_invalidated or time.monotonic() > deadline:
                    raise
                unconfirmed = True
                time.sleep(_LOOK_SECONDS)

    def _stored(self, events: Sequence["EventLogEntry"]) -> list[int]:
        """Return the ids of events that are all stored already, nothing where they are not."""
        table = SqlEventLogStorageTable
        texts = [str(self._event_to_row(event)["event"]) for event in events]
        same = db.and_(table.c.run_id == events[0].run_id, table.c.event.in_(texts))
        query = db.select(table.c.id, table.c.event).where(same)
        with self.transaction() as connection:  # whose lock a commit still under way holds
            found = {row.event: row.id for row in connection.execute(query)}
        return [found[text] for text in texts] if found.keys() >= set(texts) else []

    def dispose(self) -> None:
        """Close the kept connections and stop watching."""
        super().dispose()
        self._engine.dispose()


class TunedPostgresRunStorage(PostgresRunStorage):
    """Runs in Postgres, on connections that are kept."""

    def __init__(self, url: str, engine: db.Engine) -> None:
        super().__init__(url)
        self._engine = engine

    def connect(self) -> AbstractContextManager[db.Connection]:
        """Give a connection, waiting for a server that went away."""
        return _connection(self._engine)


class TunedPostgresScheduleStorage(PostgresScheduleStorage):
    """Schedules and backfills' ticks in Postgres, on connections that are kept."""

    def __init__(self, url: str, engine: db.Engine) -> None:
        super().__init__(url)
        self._engine = engine

    def connect(self, run_id: str | None = None) -> AbstractContextManager[db.Connection]:  # noqa: ARG002 - Dagster's signature
        """Give a connection, waiting for a server that went away."""
        return _connection(self._engine)


class PostgresHomeStorage(StorageInParts):
    """Runs, events and schedules of this home on its Postgres server.

    Its configuration holds no URL, since Dagster hands it to its processes on their command lines; each finds
    the place anew. Raises ConfigurationError where the server does not take us, and never turns to SQLite.
    """

    def __init__(self, place: RecordsPlace, inst_data: ConfigurableClassData | None = None) -> None:
        url = require_server(place)
        self._held = hold_place()
        engine = kept_engine(url)
        with opened(place):
            runs = TunedPostgresRunStorage(url, engine)
            events = TunedPostgresEventLogStorage(place, url, engine)
            schedules = TunedPostgresScheduleStorage(url, engine)
        super().__init__(runs, events, schedules, inst_data)

    @classmethod
    def config_type(cls) -> dict[str, Any]:
        """Return the configuration: none."""
        return {}

    @classmethod
    def from_config_value(
        cls,
        inst_data: ConfigurableClassData | None,
        config_value: Mapping[str, Any],  # noqa: ARG003 - Dagster's signature
    ) -> "PostgresHomeStorage":
        """Build the storage from dagster.yaml."""
        return cls(records_place(), inst_data)
