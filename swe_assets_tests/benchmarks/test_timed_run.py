"""Tests of the timers around a run."""

import pytest

from benchmarks.timed_run import timed_names
from swe_assets.patch_quality.run import StudyRun

NAMES = timed_names()


@pytest.mark.parametrize(("module", "name", "part"), NAMES, ids=[f"{m.__name__}.{n}" for m, n, _ in NAMES])
def test_timed_names_are_there(module: object, name: str, part: str) -> None:
    """Every function that is timed is still called by that name, from that module."""
    assert callable(getattr(module, name))
    assert part


@pytest.mark.parametrize("name", ["_stage", "_gates", "_reports"])
def test_timed_methods_are_there(name: str) -> None:
    """Every method that tells which stage is timed is still one of the run's."""
    assert callable(getattr(StudyRun, name))
