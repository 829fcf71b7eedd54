"""Fixtures that several folders of tests share."""

from pathlib import Path

import pytest

from swe_assets.patch_quality.sample import Sample, build
from swe_assets_tests.sonarqube.shared_server import START_SECONDS, sonar_places, sonar_server

__all__ = ["sonar_places", "sonar_server"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the tests on the real SonarQube server the time that its start takes, and one worker group."""
    for item in items:
        if "sonar_places" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.timeout(START_SECONDS))
            item.add_marker(pytest.mark.xdist_group("sonar"))


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """Build the sample's repositories, dataset, predictions and results once a session."""
    folder: Path = tmp_path_factory.mktemp("sample input") / "sample"
    return build(folder)
