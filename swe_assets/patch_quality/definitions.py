"""The code location of the patch-quality study: the assets and checks of every pinned study."""

import logging

import dagster as dg

from swe_assets.errors import SweAssetsError
from swe_assets.patch_quality.study import load_study, studies
from swe_assets.patch_quality.study_assets import study_definitions
from swe_assets.storage.engine import engine_executor, engine_settings


def load_definitions() -> dg.Definitions:
    """Return the definitions of all studies; one that cannot be read is named in the log, the others load.

    Raises ConfigurationError where the environment names an engine that there is not.
    """
    executor = engine_executor(engine_settings())
    found = []
    for name in studies():
        try:
            found.append(study_definitions(load_study(name), executor=executor))
        except SweAssetsError as wrong:
            logging.getLogger("dagster").warning("study %s is left out: %s", name, wrong)
    return dg.Definitions.merge(*found) if found else dg.Definitions()


defs = load_definitions()
