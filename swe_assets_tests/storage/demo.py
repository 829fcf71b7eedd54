"""A tiny bench and stages that the tests of storage run on."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import dagster as dg

from swe_assets.errors import JudgeError, StoreError
from swe_assets.storage.records import EXCLUDED, InstanceStore
from swe_assets.storage.runner import materialise
from swe_assets.storage.stage import Failed, Made, Stage, StageStoppedError, one_by_one

NOTHING = cast("dg.DagsterType", dg.Nothing)


@dataclass
class DemoBench:
    """A bench whose sources, faults and calls the tests set and count."""

    root: Path
    instances: tuple[str, ...] = ("d-1", "d-2", "d-3")
    sources: dict[str, str] = field(default_factory=dict)
    faults: dict[str, Exception] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)
    exports: int = 0

    @property
    def results(self) -> Path:
        """Return the folder of exported files."""
        return self.root / "results"

    @property
    def store(self) -> InstanceStore:
        """Return the store under root."""
        return InstanceStore(self.root)


def _first(bench: DemoBench, instance_id: str) -> Made | Failed:
    bench.made.append(instance_id)
    if instance_id in bench.faults:
        raise bench.faults[instance_id]
    source = bench.sources.get(instance_id, "text")
    if source == "":
        return Made(instance_id, {"source": source}, EXCLUDED, "empty")
    return Made(instance_id, {"source": source})


def _second(bench: DemoBench, instance_id: str) -> Made:
    bench.made.append(f"second {instance_id}")
    return Made(instance_id, {"length": len(bench.store.need("first", instance_id).payload["source"])})


def _export(bench: DemoBench) -> None:
    bench.exports += 1


FIRST: Stage[DemoBench] = Stage(
    "first", "1", one_by_one(_first), source=lambda b, i: b.sources.get(i, "text"), export=_export
)
SECOND: Stage[DemoBench] = Stage("second", "1", one_by_one(_second), upstream=("first",))
FAULTS = (JudgeError("its own"), ValueError("odd"), StoreError("disk full"), StageStoppedError("no key"))


def demo_assets(bench: DemoBench, ids: tuple[str, ...]) -> list[dg.AssetsDefinition]:
    """Return both stages as assets over ids."""
    return [_asset(bench, stage, ids) for stage in (FIRST, SECOND)]


def _asset(bench: DemoBench, stage: Stage[DemoBench], ids: tuple[str, ...]) -> dg.AssetsDefinition:
    @dg.asset(
        key=["demo", stage.name],
        deps=[dg.AssetKey(["demo", name]) for name in stage.upstream],
        partitions_def=dg.StaticPartitionsDefinition(list(ids)),
        backfill_policy=dg.BackfillPolicy.single_run(),
        code_version=stage.code,
        output_required=False,
        dagster_type=NOTHING,
    )
    def run_stage(context: dg.AssetExecutionContext) -> Iterator[dg.Output[None]]:
        yield from materialise(context, stage, bench)

    return run_stage
