"""Tests of the engine's settings: what is taken, what is refused, and the policies that follow."""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.home import CHECKOUT
from swe_assets.storage.engine import (
    EXECUTORS,
    EngineSettings,
    backfill_policy,
    engine_executor,
    engine_settings,
)

ADDRESS = "tcp://127.0.0.1:8786"


def test_default() -> None:
    """With nothing set all work is done in the process that was started, in runs of any size."""
    settings = engine_settings({})
    assert settings == EngineSettings("in_process", None, None, "")
    assert engine_executor(settings) is dg.in_process_executor


@pytest.mark.parametrize("executor", EXECUTORS)
def test_each_executor(executor: str) -> None:
    """Each engine named gives Dagster's own executor of that name, the same object each time."""
    settings = engine_settings({"SWE_ASSETS_EXECUTOR": executor, "SWE_ASSETS_DASK_ADDRESS": ADDRESS})
    assert engine_executor(settings).name == executor
    assert engine_executor(settings) is engine_executor(settings)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"SWE_ASSETS_EXECUTOR": "celery"}, "in_process, multiprocess, dask"),
        ({"SWE_ASSETS_EXECUTOR": "Dask"}, "'Dask'"),
        ({"SWE_ASSETS_EXECUTOR": "dask"}, "SWE_ASSETS_DASK_ADDRESS is ''"),
        ({"SWE_ASSETS_EXECUTOR": "dask", "SWE_ASSETS_DASK_ADDRESS": "tcp://a b"}, "tcp://10.0.0.1:8786"),
        ({"SWE_ASSETS_CHUNK": "0"}, "from 1 to 100000"),
        ({"SWE_ASSETS_CHUNK": "-5"}, "'-5'"),
        ({"SWE_ASSETS_CHUNK": "ten"}, "'ten'"),
        ({"SWE_ASSETS_CHUNK": "٣"}, "from 1 to"),
        ({"SWE_ASSETS_MAX_CONCURRENT": "1.5"}, "SWE_ASSETS_MAX_CONCURRENT"),
    ],
)
def test_bad_values(given: dict[str, str], says: str) -> None:
    """A value that cannot be used is refused with the variable, the value and what can be used."""
    with pytest.raises(ConfigurationError, match=says):
        engine_settings(given)


def test_blank_values_are_unset() -> None:
    """Blanks around a value do not count, and a blank value is none."""
    given = {
        "SWE_ASSETS_EXECUTOR": " multiprocess ",
        "SWE_ASSETS_CHUNK": " 20 ",
        "SWE_ASSETS_MAX_CONCURRENT": "",
    }
    assert engine_settings(given) == EngineSettings("multiprocess", 20, None, "")


@pytest.mark.parametrize("chunk", [None, 1, 50])
def test_neighbours_have_other_policies(chunk: int | None) -> None:
    """A stage and the one above it never have equal policies, so no backfill puts both in one run."""
    policies = [backfill_policy(depth, EngineSettings(chunk=chunk)) for depth in range(8)]
    assert all(above != below for above, below in itertools.pairwise(policies))


def test_chunks_of_the_policy() -> None:
    """With chunks set a backfill makes runs of N and N + 1 partitions, without them single runs."""
    sizes = [backfill_policy(depth, EngineSettings(chunk=50)).max_partitions_per_run for depth in (0, 1)]
    assert sizes == [50, 51]
    assert backfill_policy(0, EngineSettings()).policy_type == dg.BackfillPolicy.single_run().policy_type


@pytest.mark.parametrize(
    ("count", "workers", "size"), [(500, 2, 63), (12, 4, 10), (500_000, 8, 1000), (1, 1, 10)]
)
def test_shares(count: int, workers: int, size: int) -> None:
    """Without a chunk set the command line gives each worker about four, none tiny and none huge."""
    assert EngineSettings("dask").chunk_of(count, workers) == size
    assert EngineSettings("dask", 7).chunk_of(count, workers) == 7


def test_definitions_refuse_a_bad_engine(tmp_path: Path) -> None:
    """A code location with a bad engine does not load, and says which there are."""
    done = subprocess.run(
        [sys.executable, "-c", "import swe_assets.patch_quality.definitions"],
        cwd=CHECKOUT,
        env={**os.environ, "SWE_ASSETS_HOME": str(tmp_path), "SWE_ASSETS_EXECUTOR": "spark"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "in_process, multiprocess, dask" in done.stderr
