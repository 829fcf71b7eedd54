"""The assets of one pinned study, in order of flow."""

import json
from dataclasses import replace
from typing import Any

import dagster as dg

from swe_assets.patch_quality.checks import study_checks
from swe_assets.patch_quality.report_assets import report_assets
from swe_assets.patch_quality.stage_asset import StageFace, stage_asset
from swe_assets.patch_quality.stages import depths, stages
from swe_assets.patch_quality.study import Study
from swe_assets.storage.asset_run import CodeLocation
from swe_assets.storage.atomic import to_json

LOCATION = CodeLocation("patch_quality", "swe_assets.patch_quality.definitions")
"""The code location as workspace.yaml names it."""


def study_partitions(ids: tuple[str, ...]) -> dg.StaticPartitionsDefinition:
    """Return the partitions of a study: its pinned ids, in their order."""
    return dg.StaticPartitionsDefinition(list(ids))


def study_metadata(study: Study) -> dict[str, dg.MetadataValue[Any]]:
    """Return what the UI tells of a study on each of its assets: inputs, analyser, judge, submission."""
    inputs = {name: str(source.get("given", "")) for name, source in study.sources.items()}
    told: dict[str, dg.MetadataValue[Any]] = {
        "analyser": dg.MetadataValue.text(" ".join(filter(None, (study.analyser, study.sonar_mode)))),
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
    depth = depths(stage for stage, _face in rooms)
    made = [
        stage_asset(study.name, partitions, stage, shown(face, study), depth[stage.name], told)
        for stage, face in rooms
    ]
    return [*made, *report_assets(study.name)]


def shown(face: StageFace, study: Study) -> StageFace:
    """Return a stage's face where SonarQube measures and not Ruff."""
    if study.analyser != "sonarqube" or "ruff" not in face.kinds:
        return face
    return replace(face, kinds=(face.kinds - {"ruff"}) | {"sonarqube"})


def study_definitions(
    study: Study,
    ids: tuple[str, ...] | None = None,
    executor: dg.ExecutorDefinition = dg.in_process_executor,
) -> dg.Definitions:
    """Return the definitions of one study; ids gives another order of the same instances, or some of them.

    The executor is that of runs which the UI starts; our command line runs in the process that it chose.
    """
    return dg.Definitions(
        assets=study_assets(study, ids),
        asset_checks=study_checks(study.name),
        executor=executor,
    )
