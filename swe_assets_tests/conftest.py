"""Fixtures that several folders of tests share."""

from pathlib import Path

import pytest

from swe_assets.patch_quality.sample import Sample, build


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """Build the sample's repositories, dataset, predictions and results once a session."""
    folder: Path = tmp_path_factory.mktemp("sample input") / "sample"
    return build(folder)
