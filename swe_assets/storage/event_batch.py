"""A batch of Dagster's events as one transaction of its database."""

from abc import abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import sqlalchemy as db
from dagster._core.events import ASSET_CHECK_EVENTS, ASSET_EVENTS
from dagster._core.storage.event_log import SqlEventLogStorage

if TYPE_CHECKING:
    from dagster._core.events.log import EventLogEntry


class OneTransactionEventLog(SqlEventLogStorage):
    """An event log that stores a batch, its tags and the latest state of each asset whole or not at all."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[db.Connection]:
        """Give a connection on which all that is done is kept at the end, or nothing of it."""

    @abstractmethod
    def insert_events(self, connection: db.Connection, events: Sequence["EventLogEntry"]) -> list[int]:
        """Insert the events' rows and return their ids in the same order."""

    def store_event_batch(self, events: Sequence["EventLogEntry"]) -> None:
        """Store all events in one transaction, then what they say of checks."""
        if not events:
            return
        ids = self.store_rows(events)
        for event, event_id in zip(events, ids, strict=True):
            if event.dagster_event_type in ASSET_CHECK_EVENTS:
                self.store_asset_check_event(event, event_id)

    def store_rows(self, events: Sequence["EventLogEntry"]) -> list[int]:
        """Store the events, their tags and the latest state of each asset, and return the events' ids."""
        with self.transaction() as connection:
            ids = self.insert_events(connection, events)
            pairs = [(e, i) for e, i in zip(events, ids, strict=True) if _is_of_asset(e)]
            self._store_asset_event_tags(connection, [e for e, _ in pairs], [i for _, i in pairs])
            latest = {(_asset(e), str(e.dagster_event_type)): (e, i) for e, i in pairs}
            for event, event_id in latest.values():
                self._store_asset_event(connection, event, event_id)
        return ids


def _is_of_asset(event: "EventLogEntry") -> bool:
    return event.dagster_event_type in ASSET_EVENTS and event.get_dagster_event().asset_key is not None


def _asset(event: "EventLogEntry") -> str:
    return str(event.get_dagster_event().asset_key)
