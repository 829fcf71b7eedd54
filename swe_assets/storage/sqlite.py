"""Dagster's records in SQLite, tuned for hundreds of partitions a run.

Dagster's default keeps one database a run besides an index, opens a new engine for each event and
waits for the disk at each. Here all events are in one database, connections are kept, a batch of events
is one transaction, and ``synchronous=NORMAL`` with a write-ahead log waits for the disk at checkpoints
only: a killed process loses nothing, and a power cut can lose the last moments but not the database
(https://sqlite.org/pragma.html#pragma_synchronous).
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as db
from dagster import StringSource
from dagster._core.storage.event_log.sqlite.consolidated_sqlite_event_log import (
    ConsolidatedSqliteEventLogStorage,
)
from dagster._core.storage.local_compute_log_manager import LocalComputeLogManager
from dagster._core.storage.runs.sqlite.sqlite_run_storage import SqliteRunStorage
from dagster._core.storage.schedules.sqlite.sqlite_schedule_storage import SqliteScheduleStorage
from dagster._serdes import ConfigurableClassData

from swe_assets.home import dagster_home
from swe_assets.storage.event_batch import OneTransactionEventLog
from swe_assets.storage.place import hold_place, records_place
from swe_assets.storage.storage_in_parts import StorageInParts

if TYPE_CHECKING:
    from dagster._config import Field
    from dagster._core.events.log import EventLogEntry

BUSY_TIMEOUT_SECONDS = 60.0


def _on_connect(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA cache_size=-32000")
    cursor.close()


class TunedSqliteEventLogStorage(OneTransactionEventLog, ConsolidatedSqliteEventLogStorage):
    """All events in one SQLite file, with kept connections and one transaction a batch."""

    _engines: dict[tuple[int, str], db.Engine]

    def _engine(self) -> db.Engine:
        """Return this process's engine; a forked child never uses its parent's connections."""
        engines = self.__dict__.setdefault("_engines", {})
        key = (os.getpid(), self._conn_string)
        if key not in engines:
            engine = db.create_engine(self._conn_string, connect_args={"timeout": BUSY_TIMEOUT_SECONDS})
            db.event.listen(engine, "connect", _on_connect)
            engines[key] = engine
        found: db.Engine = engines[key]
        return found

    @contextmanager
    def _connect(self) -> Iterator[db.Connection]:
        with self._engine().connect() as connection, connection.begin():
            yield connection

    def has_table(self, table_name: str) -> bool:
        """Return whether the table is there, asking the database once a table."""
        tables: dict[str, bool] = self.__dict__.setdefault("_tables", {})
        if not tables.get(table_name):
            with self._engine().connect() as connection:
                tables[table_name] = bool(self._engine().dialect.has_table(connection, table_name))
        return tables[table_name]

    def transaction(self) -> AbstractContextManager[db.Connection]:
        """Give a kept connection in a transaction."""
        return self._connect()

    def insert_events(self, connection: db.Connection, events: Sequence["EventLogEntry"]) -> list[int]:
        """Insert the events one by one, which is as quick in SQLite as all at once."""
        rows = [connection.execute(self.prepare_insert_event(e)).inserted_primary_key for e in events]
        return [int(row[0]) if row is not None else 0 for row in rows]

    def dispose(self) -> None:
        """Close the kept connections and stop watching."""
        for engine in self.__dict__.pop("_engines", {}).values():
            engine.dispose()
        super().dispose()


class HomeStorage(StorageInParts):
    """Runs, events and schedules under SWE_ASSETS_HOME, wherever the process was started from.

    dagster.yaml names this class; where the home keeps its records on Postgres, configuring it gives the
    storage on that server instead, in every process that Dagster starts.
    """

    def __init__(self, base_dir: str, inst_data: ConfigurableClassData | None = None) -> None:
        self.base_dir = base_dir
        self._held = hold_place()
        Path(base_dir).mkdir(parents=True, exist_ok=True)
        runs = SqliteRunStorage.from_local(str(Path(base_dir) / "history"))
        events = TunedSqliteEventLogStorage(str(Path(base_dir) / "history" / "events"))
        schedules = SqliteScheduleStorage.from_local(str(Path(base_dir) / "schedules"))
        super().__init__(runs, events, schedules, inst_data)

    @classmethod
    def config_type(cls) -> dict[str, "Field | Any"]:
        """Return the configuration: base_dir, by default Dagster's home under SWE_ASSETS_HOME."""
        from dagster import Field

        return {"base_dir": Field(StringSource, is_required=False)}

    @classmethod
    def from_config_value(
        cls, inst_data: ConfigurableClassData | None, config_value: Mapping[str, Any]
    ) -> Any:
        """Build a HomeStorage, or a PostgresHomeStorage where this home keeps its records there."""
        place = records_place()
        if place.url is not None:
            from swe_assets.storage.postgres import PostgresHomeStorage

            return PostgresHomeStorage(place, inst_data)
        return cls(config_value.get("base_dir") or str(dagster_home() / "storage"), inst_data)


class HomeComputeLogManager(LocalComputeLogManager):
    """Captured output of steps under SWE_ASSETS_HOME, so that it outlives a temporary DAGSTER_HOME."""

    @classmethod
    def config_type(cls) -> dict[str, Any]:
        """Return the configuration: none."""
        return {}

    @classmethod
    def from_config_value(
        cls,
        inst_data: ConfigurableClassData | None,
        config_value: Mapping[str, Any],  # noqa: ARG003 - Dagster's signature
    ) -> "HomeComputeLogManager":
        """Build the manager from dagster.yaml."""
        return cls(base_dir=str(dagster_home() / "compute_logs"), inst_data=inst_data)
