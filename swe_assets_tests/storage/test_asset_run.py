"""Tests of runs in this process that are recorded as the UI records its own."""

import socket
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.test_utils import create_run_for_test

from swe_assets.storage.asset_run import CodeLocation, run_assets
from swe_assets.storage.instance import PROCESS_TAG, close_killed_runs, open_instance
from swe_assets_tests.storage.demo import DemoBench, demo_assets

PLACE = CodeLocation("demo_location", "demo.definitions")
FIRST, SECOND = dg.AssetKey(["demo", "first"]), dg.AssetKey(["demo", "second"])
ALL = {"dagster/asset_partition_range_start": "d-1", "dagster/asset_partition_range_end": "d-3"}
QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let Dagster's records lie in an empty home."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path))
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    return tmp_path


def test_run_says_what_it_was_for_and_where_from(home: Path) -> None:
    """Job, selection, tags and code location are recorded; only what was selected is made."""
    assets = demo_assets(DemoBench(home / "s"), ("d-1", "d-2", "d-3"))
    definitions = dg.Definitions(assets=assets, executor=dg.in_process_executor)
    with open_instance() as instance:
        result = run_assets(instance, definitions, dg.AssetSelection.assets(FIRST), PLACE, ALL, QUIET)
        run = instance.get_run_by_id(result.run_id)
        assert result.success and run is not None and run.remote_job_origin is not None
        assert (run.job_name, run.asset_selection, run.asset_check_selection) == (
            "__ASSET_JOB",
            {FIRST},
            set(),
        )
        assert run.remote_job_origin.repository_origin.code_location_origin.location_name == "demo_location"
        assert ALL.items() <= run.tags.items()
        assert instance.get_materialized_partitions(FIRST) == {"d-1", "d-2", "d-3"}
        assert not instance.get_materialized_partitions(SECOND)


def test_failed_step_is_a_result(home: Path) -> None:
    """A failing instance fails the run without an exception, and the others are recorded."""
    bench = DemoBench(home / "s", faults={"d-2": ValueError("odd")})
    definitions = dg.Definitions(
        assets=demo_assets(bench, ("d-1", "d-2", "d-3")), executor=dg.in_process_executor
    )
    with open_instance() as instance:
        result = run_assets(instance, definitions, dg.AssetSelection.assets(FIRST), PLACE, ALL, QUIET)
        assert not result.success
        assert instance.get_materialized_partitions(FIRST) == {"d-1", "d-3"}


def test_repeated_run_is_not_taken_for_killed(home: Path) -> None:
    """The tag of a process that is gone closes its own run, and not one that the UI repeats it in."""
    gone = {PROCESS_TAG: f"{socket.gethostname()}:999999999:1"}
    with open_instance() as instance:
        killed = create_run_for_test(instance, status=dg.DagsterRunStatus.STARTED, tags=gone)
        create_run_for_test(
            instance,
            status=dg.DagsterRunStatus.STARTED,
            tags=gone,
            parent_run_id=killed.run_id,
            root_run_id=killed.run_id,
        )
        assert close_killed_runs(instance) == [killed.run_id]
