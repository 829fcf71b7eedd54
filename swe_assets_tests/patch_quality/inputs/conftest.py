"""What the tests of the readers share: a web server, files written in one line, sources in a folder."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from swe_assets.patch_quality.inputs.limits import Limits
from swe_assets.patch_quality.inputs.sources import Source, Sources, local_source
from swe_assets_tests.patch_quality.inputs.web import Web, serving


@pytest.fixture
def web() -> Iterator[Web]:
    """Give a web server on this machine."""
    with serving() as running:
        yield running


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    """Give sources with small limits: 64 KiB an input, 16 KiB a document, one second of silence."""
    return Sources(tmp_path / "scratch", Limits(input_bytes=1 << 16, timeout_seconds=1.0))


@pytest.fixture
def opened(tmp_path: Path, sources: Sources) -> Callable[..., Source]:
    """Give a function that writes bytes or text to a file and opens it as a source."""

    def write(content: bytes | str, name: str = "input.json") -> Source:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return local_source(str(path), sources.limits)

    return write
