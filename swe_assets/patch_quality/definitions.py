"""The code location of the patch-quality study: the assets and checks of every pinned study."""

import json
import logging
from typing import Any

import dagster as dg

from swe_assets.errors import SweAssetsError
from swe_assets.patch_quality.checks import study_checks
from swe_assets.patch_quality.report_assets import report_assets
from swe_assets.patch_quality.stage_asset import stage_asset
from swe_assets.patch_quality.stages import stages
from swe_assets.patch_quality.study import Study, load_study, studies
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


def study_definitions(study: Study) -> dg.Definitions:
    """Return the definitions of one study."""
    return dg.Definitions(assets=study_assets(study), asset_checks=study_checks(study.name))


def load_definitions() -> dg.Definitions:
    """Return the definitions of all studies; one that cannot be read is named in the log, the others load."""
    found = []
    for name in studies():
        try:
            found.append(study_definitions(load_study(name)))
        except SweAssetsError as wrong:
            logging.getLogger("dagster").warning("study %s is left out: %s", name, wrong)
    return dg.Definitions.merge(*found) if found else dg.Definitions()


defs = load_definitions()
