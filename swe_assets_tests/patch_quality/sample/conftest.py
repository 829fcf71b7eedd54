"""One built sample for all tests that only read it."""

from pathlib import Path

import pytest

from swe_assets.patch_quality.sample import Sample, build


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """Build the sample once, in a folder with a space in its name."""
    folder: Path = tmp_path_factory.mktemp("a sample") / "input"
    return build(folder)
