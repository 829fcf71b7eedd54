"""A folder that the accounts of servers and of the image can enter."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from swe_assets_tests import postgres_case


@pytest.fixture(scope="module")
def open_folder() -> Iterator[Path]:
    """Give a new folder that every account of this machine can enter, and remove it in the end."""
    with postgres_case.open_folder() as folder:
        yield folder
