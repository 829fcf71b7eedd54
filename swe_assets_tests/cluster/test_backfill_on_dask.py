"""Backfills of the UI on Dask by the environment alone: chunks by the policy, each step on a worker."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from swe_assets.patch_quality.sample import Sample
from swe_assets_tests.cluster.dask_cluster import dask_cluster
from swe_assets_tests.dagster_ui.graphql import Ui
from swe_assets_tests.dagster_ui.pinned import pin
from swe_assets_tests.dagster_ui.services import dagster_dev
from swe_assets_tests.patch_quality.small_study import SmallStudy

CHUNK = 5
CHEAP = ("patches", "mapeamento_commits", "resultados_testes")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory, sample: Sample) -> SmallStudy:
    """Pin twelve instances in a home of their own."""
    home: Path = tmp_path_factory.mktemp("dask") / "home"
    (home / "user").mkdir(parents=True)
    return pin(home, sample, "chunks", SWE_ASSETS_CHUNK=str(CHUNK))


@pytest.fixture(scope="module")
def ui(study: SmallStudy, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ui]:
    """Serve the study by stock `dagster dev`, its runs' steps on two workers."""
    with dask_cluster(tmp_path_factory.mktemp("cluster"), study.variables()) as cluster:
        environment = {**study.variables(), **cluster.variables()}
        with dagster_dev(environment, tmp_path_factory.mktemp("services")) as address:
            yield Ui(address)


@pytest.fixture(scope="module")
def runs(study: SmallStudy, ui: Ui) -> list[dict[str, Any]]:
    """Run a backfill of three stages over all instances to its end and return its runs."""
    backfill = ui.backfill(study.name, CHEAP, None)
    assert ui.backfilled(backfill) == "COMPLETED_SUCCESS"
    return ui.runs_of(backfill)


def tags(run: dict[str, Any]) -> dict[str, str]:
    """Return a run's tags."""
    return {tag["key"]: tag["value"] for tag in run["tags"]}


def sizes(study: SmallStudy, runs: list[dict[str, Any]], stage: str) -> list[int]:
    """Return how many instances each run of a stage had, the largest first."""
    of_stage = [run for run in runs if {key["path"][1] for key in run["assetSelection"]} == {stage}]
    spans = [(tags(run)["dagster/asset_partition_range_start"], tags(run)) for run in of_stage]
    ends = [(start, found["dagster/asset_partition_range_end"]) for start, found in spans]
    at = study.instances.index
    return sorted((at(end) - at(start) + 1 for start, end in ends), reverse=True)


def test_chunks(study: SmallStudy, runs: list[dict[str, Any]]) -> None:
    """No stage shares a run with the one it hangs on; a run has N instances at most, N + 1 one stage down."""
    found = sizes(study, runs, "mapeamento_commits")
    assert sum(found) == len(study.instances) and CHUNK < max(found) <= CHUNK + 1
    for run in runs:
        assert not {"patches", "mapeamento_commits"} <= {key["path"][1] for key in run["assetSelection"]}


def test_on_workers(runs: list[dict[str, Any]]) -> None:
    """Each run names the worker that did it, and both did some."""
    names = [tags(run)["swe_assets/worker"].split(" ")[0] for run in runs]
    assert set(names) == {"ana", "bia"}


def test_records_and_files(study: SmallStudy, runs: list[dict[str, Any]], ui: Ui) -> None:
    """Every instance is materialised once, the files hold all of them, and our run goes on from there."""
    assert all(run["status"] == "SUCCESS" for run in runs)
    for stage in CHEAP:
        assert ui.partitions(study.name, stage) == study.instances
        assert max(ui.events(study.name, stage).values()) == 1
    index = (study.path / "results" / "mapeamento_commits.json").read_text(encoding="utf-8")
    assert all(instance_id in index for instance_id in study.instances)
    planned = study.run("--dry-run").stdout
    assert all(f"{stage}: current" in planned for stage in CHEAP)
