"""The bridge to Dagster: per-partition materialisations of one run, with the lineage tags staleness needs.

Dagster logs no lineage for events written by hand and would log a second event for each partition when
an asset gives an output. So the events are logged here with their tags, in batches, and the output that
follows carries the one mark that keeps Dagster from logging its own; the steps downstream of it run.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import dagster as dg
from dagster._core.definitions.data_version import (
    CODE_VERSION_TAG,
    DATA_VERSION_IS_USER_PROVIDED_TAG,
    DATA_VERSION_TAG,
    get_input_data_version_tag,
    get_input_event_pointer_tag,
)
from dagster._core.definitions.source_asset import SYSTEM_METADATA_KEY_SOURCE_ASSET_OBSERVATION
from dagster._core.events import DagsterEvent, DagsterEventBatchMetadata, generate_event_batch_id

from swe_assets.storage.records import Header

BATCH_VARIABLE = "DAGSTER_EVENT_BATCH_SIZE"
SELECTION_TAG = "swe_assets/selection"
ASKED_AT_ONCE = 500
FEW = 2000


@contextmanager
def event_batches(size: int = 1000) -> Iterator[None]:
    """Let Dagster write the events logged inside in batches of up to size, one transaction each."""
    before = os.environ.get(BATCH_VARIABLE)
    os.environ[BATCH_VARIABLE] = before or str(size)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(BATCH_VARIABLE, None)


def log_materialisations(
    context: dg.AssetExecutionContext,
    headers: Sequence[Header],
    metadata: Mapping[str, Mapping[str, Any]],
) -> None:
    """Log one materialisation a header, with data, code and input versions; metadata is by instance id."""
    if not headers:
        return
    step = context.op_execution_context.get_step_execution_context()
    prefix = list(context.asset_key.path[:-1])
    pointers = _pointers(context.instance, prefix, headers)
    batch = generate_event_batch_id()
    with event_batches():
        for number, header in enumerate(headers, start=1):
            event = dg.AssetMaterialization(
                asset_key=context.asset_key,
                partition=header.instance_id,
                metadata={
                    "status": header.status,
                    **({"reason": header.reason} if header.reason else {}),
                    **metadata.get(header.instance_id, {}),
                },
                tags=_tags(header, prefix, pointers),
            )
            last = number == len(headers)
            DagsterEvent.asset_materialization(step, event, DagsterEventBatchMetadata(batch, last))


def _pointers(
    instance: dg.DagsterInstance, prefix: list[str], headers: Sequence[Header]
) -> dict[str, Mapping[str, int]]:
    names = sorted({name for header in headers for name in header.basis.inputs})
    ids = {header.instance_id for header in headers}
    return {name: latest_events(instance, dg.AssetKey([*prefix, name]), ids) for name in names}


def latest_events(instance: dg.DagsterInstance, key: dg.AssetKey, ids: set[str]) -> dict[str, int]:
    """Return the storage id of each partition's latest materialisation, asked for in slices."""
    found: dict[str, int] = {}
    ordered = sorted(ids)
    for start in range(0, len(ordered), ASKED_AT_ONCE):
        found |= instance.event_log_storage.get_latest_storage_id_by_partition(
            key,
            dg.DagsterEventType.ASSET_MATERIALIZATION,
            partitions=set(ordered[start : start + ASKED_AT_ONCE]),
        )
    return found


def _tags(header: Header, prefix: list[str], pointers: Mapping[str, Mapping[str, int]]) -> dict[str, str]:
    tags = {
        DATA_VERSION_TAG: header.data_version,
        DATA_VERSION_IS_USER_PROVIDED_TAG: "true",
        CODE_VERSION_TAG: header.basis.code,
    }
    for name, version in header.basis.inputs.items():
        key = dg.AssetKey([*prefix, name])
        tags[get_input_data_version_tag(key)] = version
        pointer = pointers[name].get(header.instance_id)
        if pointer is not None:
            tags[get_input_event_pointer_tag(key)] = str(pointer)
    return tags


def silent_output() -> dg.Output[None]:
    """Return the output that lets downstream steps run without a second materialisation a partition."""
    return dg.Output(None, metadata={SYSTEM_METADATA_KEY_SOURCE_ASSET_OBSERVATION: True})


def recorded_versions(
    instance: dg.DagsterInstance, key: dg.AssetKey, ids: Sequence[str] | None = None
) -> dict[str, str]:
    """Return the data version of each partition's latest materialisation that Dagster knows.

    Up to some hundred ids are asked for by themselves; without ids, or with more, all partitions are read.
    """
    slices: list[Sequence[str] | None] = [None]
    if ids is not None and len(ids) <= FEW:
        slices = [ids[start : start + ASKED_AT_ONCE] for start in range(0, len(ids), ASKED_AT_ONCE)]
    found: dict[str, str] = {}
    for part in slices:
        tags = instance.event_log_storage.get_latest_tags_by_partition(
            key, dg.DagsterEventType.ASSET_MATERIALIZATION, [DATA_VERSION_TAG], asset_partitions=part
        )
        found |= {partition: tag.get(DATA_VERSION_TAG, "") for partition, tag in tags.items()}
    return found


def recorded_version(instance: dg.DagsterInstance, key: dg.AssetKey) -> str:
    """Return the data version of an unpartitioned asset's latest materialisation, or an empty text."""
    event = instance.get_latest_materialization_event(key)
    materialization = event.asset_materialization if event is not None else None
    return (materialization.tags or {}).get(DATA_VERSION_TAG, "") if materialization is not None else ""
