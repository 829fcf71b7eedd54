"""An S3 server for the tests here, and its access in the environment."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from swe_assets_tests.cluster.s3_server import S3, s3_server


@pytest.fixture(scope="session")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3]:
    """Run one S3 server a session."""
    folder: Path = tmp_path_factory.mktemp("s3")
    with s3_server(folder) as server:
        yield server


@pytest.fixture
def s3_access(s3: S3, monkeypatch: pytest.MonkeyPatch) -> S3:
    """Let this process reach the server by the provider's own variables."""
    for name, value in s3.access().items():
        monkeypatch.setenv(name, value)
    return s3
