"""The assets of one pinned study, in order of flow."""

import json
from typing import Any

import dagster as dg

from swe_assets.patch_quality.report_assets import report_assets
from swe_assets.patch_quality.stage_asset import stage_asset
from swe_assets.patch_quality.stages import stages
from swe_assets.patch_quality.study import Study
from swe_assets.storage.atomic import to_json


def study_partitions(ids: tuple[str, ...]) -> dg.StaticPartitionsDefinition:
    """Return the partitions of a study: its pinned ids, in their order."""
    return dg.StaticPartitionsDefinition(list(ids))


def study_metadata(study: Study) -> dict[str, dg.MetadataValue[Any]]:
    """Return what the UI tells of a study on each of its assets: inputs, analyser, judge, submission."""
    inputs = {name: str(source.get("given", "")) for name, source in study.sources.items()}
    told: dict[str, dg.MetadataValue[Any]] = {
        "analyser": dg.MetadataValue.text(study.analyser),
        "judge": dg.MetadataValue.text(study.judge),
        "inputs": dg.MetadataValue.json(inputs),
    }
    if study.metadata:
        told["submission"] = dg.MetadataValue.json(json.loads(to_json(dict(study.metadata))))
    return told


def study_assets(study: Study, ids: tuple[str, ...] | None = None) -> list[dg.AssetsDefinition]:
    """Return a study's assets in order of flow; ids gives another order of the same instances."""
    partitions = study_partitions(study.instances if ids is None else ids)
    rooms = stages(judge_excluded=study.judge_excluded)
    told = study_metadata(study)
    made = [
        stage_asset(study.name, partitions, stage, face, order, told)
        for order, (stage, face) in enumerate(rooms)
    ]
    return [*made, *report_assets(study.name)]
