"""One home with several small studies, and one stock `dagster dev` on it, shared by the tests here."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from swe_assets.patch_quality.sample import Sample
from swe_assets_tests.dagster_ui.graphql import Ui
from swe_assets_tests.dagster_ui.pinned import pin
from swe_assets_tests.dagster_ui.services import dagster_dev
from swe_assets_tests.patch_quality.small_study import SmallStudy

PICTURE = "SWE_GRAPH_PICTURE"
"""Where this variable is set, the whole sample is run and the picture of the graph in the docs taken anew."""
NAMES = ("ran", "launched", "stock", "whole", "holes", "repeated", "first", "second")


@pytest.fixture(scope="session")
def studies(tmp_path_factory: pytest.TempPathFactory, sample: Sample) -> dict[str, SmallStudy]:
    """Pin one small study for each kind of work; in `holes` one instance's mirror lacks its commit."""
    home: Path = tmp_path_factory.mktemp("shared") / "home"
    (home / "user").mkdir(parents=True)
    whole = SmallStudy(home, sample, sample.predictions, "sample")
    if PICTURE in os.environ:
        whole.add()
    elsewhere = {"holes": [f"--mirror=swe-sample/relay={sample.repos / 'swe-sample__atlas.git'}"]}
    small = {name: pin(home, sample, name, *elsewhere.get(name, [])) for name in NAMES}
    return {**small, "sample": whole}


@pytest.fixture(scope="session")
def ran(studies: dict[str, SmallStudy]) -> SmallStudy:
    """Give a study that our command line ran to its end."""
    study = studies["ran"]
    study.run()
    return study


@pytest.fixture(scope="session")
def ui(
    studies: dict[str, SmallStudy], ran: SmallStudy, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Ui]:
    """Serve all studies by stock `dagster dev` from the root, without DAGSTER_HOME."""
    with dagster_dev(ran.variables(), tmp_path_factory.mktemp("services")) as address:
        yield Ui(address)
