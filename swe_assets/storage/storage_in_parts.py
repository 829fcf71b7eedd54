"""A storage of Dagster's that hands out its three parts, whichever database they are in."""

from typing import TYPE_CHECKING

from dagster._core.storage.base_storage import DagsterStorage
from dagster._core.storage.event_log import EventLogStorage
from dagster._core.storage.runs import RunStorage
from dagster._core.storage.schedules import ScheduleStorage
from dagster._serdes import ConfigurableClass, ConfigurableClassData

if TYPE_CHECKING:
    from dagster import DagsterInstance


class StorageInParts(DagsterStorage, ConfigurableClass):
    """Runs, events and schedules, each a storage of its own, configured through this class alone."""

    def __init__(
        self,
        runs: RunStorage,
        events: EventLogStorage,
        schedules: ScheduleStorage,
        inst_data: ConfigurableClassData | None,
    ) -> None:
        self._run_storage = runs
        self._event_log_storage = events
        self._schedule_storage = schedules
        self._inst_data = inst_data
        super().__init__()

    @property
    def inst_data(self) -> ConfigurableClassData | None:
        """Return how this storage was configured."""
        return self._inst_data

    def register_instance(self, instance: "DagsterInstance") -> None:
        """Tell the three storages which instance they serve."""
        super().register_instance(instance)
        for storage in (self._run_storage, self._event_log_storage, self._schedule_storage):
            if not storage.has_instance:
                storage.register_instance(instance)

    @property
    def event_log_storage(self) -> EventLogStorage:
        """Return where events lie."""
        return self._event_log_storage

    @property
    def run_storage(self) -> RunStorage:
        """Return where runs lie."""
        return self._run_storage

    @property
    def schedule_storage(self) -> ScheduleStorage:
        """Return where schedules and backfills lie."""
        return self._schedule_storage

    @property
    def event_storage_data(self) -> ConfigurableClassData | None:
        """Return nothing: the parts are configured through this class alone."""
        return None

    @property
    def run_storage_data(self) -> ConfigurableClassData | None:
        """Return nothing: the parts are configured through this class alone."""
        return None

    @property
    def schedule_storage_data(self) -> ConfigurableClassData | None:
        """Return nothing: the parts are configured through this class alone."""
        return None
