"""A folder that the accounts of servers and images can enter, as pytest's own cannot be for root."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def open_folder() -> Iterator[Path]:
    """Give a new folder that every account of this machine can enter, and remove it in the end."""
    folder = Path(tempfile.mkdtemp(prefix="swe-assets-docker-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
