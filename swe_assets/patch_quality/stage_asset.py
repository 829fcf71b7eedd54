"""How a stage becomes a partitioned asset: key, group, owner, policy and the one way it runs."""

import warnings
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, cast

import dagster as dg

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.spending import metered
from swe_assets.storage.engine import backfill_policy
from swe_assets.storage.runner import materialise
from swe_assets.storage.stage import Stage

OWNERS = ["team:patch_quality"]
NOTHING = cast("dg.DagsterType", dg.Nothing)


class StageConfig(dg.Config):
    """What a person may set when launching a stage."""

    force: bool = False


class PaidStageConfig(StageConfig):
    """What a person may set when launching a stage that calls models.

    ``max_cost``: the most USD of this run, or of the backfill that it belongs to; where it is not said
    SWE_ASSETS_MAX_COST counts, then the study's own.
    """

    max_cost: float | None = None


@dataclass(frozen=True)
class StageFace:
    """What the UI shows of a stage."""

    description: str
    kinds: set[str]


def asset_key(study: str, name: str) -> dg.AssetKey:
    """Return the key of one of a study's assets."""
    return dg.AssetKey([study, name])


@contextmanager
def beta_features() -> Iterator[None]:
    """Use backfill policies, which Dagster 1.13 still calls beta, without a warning for each asset."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dg.BetaWarning)
        yield


@beta_features()
def stage_asset(
    study: str,
    partitions: dg.PartitionsDefinition[str],
    stage: Stage[PatchBench],
    face: StageFace,
    depth: int,
    metadata: Mapping[str, Any],
) -> dg.AssetsDefinition:
    """Return the asset of a stage; it logs its own materialisations and gives no stored output."""

    def run_stage(context: dg.AssetExecutionContext, config: StageConfig) -> Iterator[dg.Output[None]]:
        with closing(PatchBench.open(study)) as bench:
            yield from materialise(context, stage, bench, force=config.force)

    def run_paid(context: dg.AssetExecutionContext, config: PaidStageConfig) -> Iterator[dg.Output[None]]:
        with closing(PatchBench.open(study)) as bench, metered(context, bench, config.max_cost):
            yield from materialise(context, stage, bench, force=config.force)

    made = dg.asset(
        key=asset_key(study, stage.name),
        deps=[asset_key(study, name) for name in stage.upstream],
        partitions_def=partitions,
        backfill_policy=backfill_policy(depth),
        code_version=stage.code,
        description=face.description,
        metadata=metadata,
        kinds=face.kinds,
        owners=OWNERS,
        group_name=study,
        output_required=False,
        dagster_type=NOTHING,
    )
    return made(run_paid if stage.paid else run_stage)
