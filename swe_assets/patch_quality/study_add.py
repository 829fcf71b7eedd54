"""Pinning a new study."""

import os
import shutil

from swe_assets.errors import StudyError
from swe_assets.home import studies_dir
from swe_assets.patch_quality.inputs.limits import Limits, limits_from
from swe_assets.patch_quality.inputs.sources import Sources
from swe_assets.patch_quality.study import Study, load_study, studies
from swe_assets.patch_quality.study_folder import built_beside, publish
from swe_assets.patch_quality.study_ids import check_name
from swe_assets.patch_quality.study_pin import pin_inputs, write_pin, write_study
from swe_assets.patch_quality.study_settings import StudyInputs, StudySettings, check_settings

SCRATCH = "downloads"


def add_study(
    name: str, inputs: StudyInputs, settings: StudySettings | None = None, *, limits: Limits | None = None
) -> Study:
    """Pin a new study under SWE_ASSETS_HOME and return it; its folder appears whole or not at all.

    Raises StudyError where the name is taken or no name, or the folder cannot be written; InputError and
    ConfigurationError for inputs and settings that cannot be used.
    """
    settings = check_settings(settings or StudySettings())
    target = studies_dir() / check_name(name)
    if name in studies() or os.path.lexists(target):
        raise StudyError(
            f"the study {name!r} is there already: choose another name, or change it by "
            f"`swe-assets study update {name}`"
        )
    with built_beside(studies_dir(), name) as folder:
        sources = Sources(folder / SCRATCH, limits or limits_from())
        pin = pin_inputs(inputs, sources, folder)
        pinned = write_pin(folder, pin, pin.ids)
        write_study(
            folder,
            name,
            pin.ids,
            settings,
            pinned=pinned,
            sources=pin.sources,
            submission=pin.submission,
            metadata=pin.metadata,
        )
        shutil.rmtree(sources.scratch, ignore_errors=True)
        publish(folder, target)
    return load_study(name)
