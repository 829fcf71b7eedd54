"""An instance of Dagster on a database of its own, and events to store in it."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.events import DagsterEvent, DagsterEventType, StepMaterializationData
from dagster._core.events.log import EventLogEntry

from swe_assets.services.postgres_address import PostgresAddress
from swe_assets.storage.instance import open_instance
from swe_assets.storage.place import VARIABLE
from swe_assets.storage.postgres import TunedPostgresEventLogStorage

KEY = dg.AssetKey(["a", "b"])


@contextmanager
def instance_on(
    address: PostgresAddress, home: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dg.DagsterInstance]:
    """Open the instance of a home whose records are on the database."""
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    monkeypatch.setenv("SWE_ASSETS_HOME", str(home))
    monkeypatch.setenv(VARIABLE, address.url)
    with open_instance() as instance:
        yield instance


def event_log(instance: dg.DagsterInstance) -> TunedPostgresEventLogStorage:
    """Return the instance's event log, which is ours on Postgres."""
    storage = instance.event_log_storage
    assert isinstance(storage, TunedPostgresEventLogStorage)
    return storage


def materialised(partitions: Sequence[str], run_id: str, key: dg.AssetKey = KEY) -> list[EventLogEntry]:
    """Return one materialisation a partition, each with a tag, as a step would log them."""
    events = [
        DagsterEvent(
            event_type_value=DagsterEventType.ASSET_MATERIALIZATION.value,
            job_name="job",
            event_specific_data=StepMaterializationData(
                dg.AssetMaterialization(key, partition=name, tags={"dagster/data_version": f"v-{name}"})
            ),
        )
        for name in partitions
    ]
    return [
        EventLogEntry(
            error_info=None,
            level=20,
            user_message="",
            run_id=run_id,
            timestamp=time.time(),
            dagster_event=event,
        )
        for event in events
    ]
