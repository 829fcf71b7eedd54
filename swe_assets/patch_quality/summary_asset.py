"""How a summary becomes an unpartitioned asset."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any

import dagster as dg

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.spending import metered
from swe_assets.patch_quality.stage_asset import OWNERS, StageFace, asset_key
from swe_assets.storage.summary import Summary, make_summary


def summary_asset(
    study: str,
    summary: Summary[PatchBench],
    face: StageFace,
    show: Callable[[Mapping[str, Any]], dict[str, Any]],
) -> dg.AssetsDefinition:
    """Return the asset of a summary, with its stored record's digest as data version."""

    @dg.asset(
        key=asset_key(study, summary.name),
        deps=[asset_key(study, name) for name in (*summary.partitioned, *summary.summaries)],
        code_version=summary.code,
        description=face.description,
        kinds=face.kinds,
        owners=OWNERS,
        group_name=study,
    )
    def run_summary(context: dg.AssetExecutionContext) -> dg.MaterializeResult[None]:
        bench = PatchBench.open(study)
        with metered(context, bench, None) if summary.paid else nullcontext():
            record = make_summary(summary, bench)
        files = {name: dg.MetadataValue.path(str(bench.results / name)) for name in summary.files}
        return dg.MaterializeResult(
            metadata={**show(record.payload), **files},
            data_version=dg.DataVersion(record.data_version),
        )

    return run_summary
