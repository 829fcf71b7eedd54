"""The code location of the patch-quality study: the assets and checks of every pinned study."""

import logging

import dagster as dg

from swe_assets.errors import SweAssetsError
from swe_assets.patch_quality.checks import study_checks
from swe_assets.patch_quality.report_assets import report_assets
from swe_assets.patch_quality.stage_asset import stage_asset
from swe_assets.patch_quality.stages import stages
from swe_assets.patch_quality.study import Study, load_study, studies


def study_partitions(ids: tuple[str, ...]) -> dg.StaticPartitionsDefinition:
    """Return the partitions of a study: its pinned ids, in their order."""
    return dg.StaticPartitionsDefinition(list(ids))


def study_assets(study: Study, ids: tuple[str, ...] | None = None) -> list[dg.AssetsDefinition]:
    """Return a study's assets in order of flow; ids gives another order of the same instances."""
    partitions = study_partitions(study.instances if ids is None else ids)
    rooms = stages(judge_excluded=study.judge_excluded)
    made = [stage_asset(study.name, partitions, stage, face, i) for i, (stage, face) in enumerate(rooms)]
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
