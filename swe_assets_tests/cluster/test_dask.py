"""A real Dask cluster of two workers gives the local run's files, also where one is killed in the middle."""

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from swe_assets.patch_quality.sample import Sample
from swe_assets.patch_quality.stage_asset import asset_key
from swe_assets.patch_quality.stages import STAGE_NAMES
from swe_assets.storage.events import recorded_versions
from swe_assets.storage.instance import open_instance
from swe_assets.storage.records import InstanceStore
from swe_assets.storage.turns import CHUNK_TAG
from swe_assets.storage.workers import WORKER_TAG
from swe_assets_tests.cluster.dask_cluster import DaskCluster, dask_cluster
from swe_assets_tests.patch_quality.small_study import SmallStudy
from swe_assets_tests.patch_quality.test_interruptions import started, stored, wait_for_records
from swe_assets_tests.repositories.test_real_patches import COPIES
from swe_assets_tests.shared_data import CHECKOUT, shared

REAL = 100


def whole_sample(home: Path, sample: Sample) -> SmallStudy:
    """Pin the whole sample in a home of its own."""
    (home / "user").mkdir(parents=True)
    study = SmallStudy(home, sample, sample.predictions, "sample")
    study.add()
    return study


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory, sample: Sample) -> SmallStudy:
    """Give the sample study as one process runs it."""
    study = whole_sample(tmp_path_factory.mktemp("local") / "home", sample)
    study.run()
    return study


@pytest.fixture
def spread_out(tmp_path: Path, sample: Sample) -> Iterator[tuple[SmallStudy, DaskCluster]]:
    """Give the sample study, not run yet, and a cluster of two workers on its home."""
    study = whole_sample(tmp_path / "home", sample)
    with dask_cluster(tmp_path / "cluster", study.variables()) as cluster:
        study.environment.update(cluster.variables(), SWE_ASSETS_CHUNK="27")
        yield study, cluster


def workers_of(study: SmallStudy, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return how many runs of chunks each worker ended well, by its name; each chunk is done once."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(study.home))
    with open_instance() as instance:
        runs = [run for run in instance.get_runs() if CHUNK_TAG in run.tags]
    done = [run for run in runs if run.status.value in ("SUCCESS", "FAILURE")]
    assert len(done) == len(runs)
    well = [run for run in runs if run.status.value == "SUCCESS"]
    assert max(Counter(run.tags[CHUNK_TAG] for run in well).values()) == 1
    return Counter(run.tags[WORKER_TAG].split(" ")[0] for run in well)


def assert_recorded(study: SmallStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every record that is stored is Dagster's latest of its partition."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(study.home))
    store = InstanceStore(study.path / "store")
    with open_instance() as instance:
        for stage in STAGE_NAMES:
            versions = recorded_versions(instance, asset_key(study.name, stage))
            headers = store.headers(stage, study.instances)
            assert versions == {i: header.data_version for i, header in headers.items()}
            assert len(versions) == len(study.instances)


def run_with_a_kill(study: SmallStudy, cluster: DaskCluster, records: int) -> None:
    """Run a study, kill a worker once so many records are stored; nothing that was stored is made again."""
    running = started(study)
    wait_for_records(study, running, records)
    before = stored(study)
    assert running.poll() is None
    cluster.workers["ana"].kill()
    assert running.wait(500) == 0
    after = stored(study)
    assert {path: after[path] for path in before} == before


def test_sample_with_a_killed_worker(
    spread_out: tuple[SmallStudy, DaskCluster], local: SmallStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker killed -9 in the middle: the files are the local run's, and nothing stored is made again."""
    study, cluster = spread_out
    run_with_a_kill(study, cluster, 3 * len(study.instances))
    assert study.files() == local.files()
    assert set(workers_of(study, monkeypatch)) == {"ana", "bia"}
    assert_recorded(study, monkeypatch)
    assert "everything is current" in study.run().stderr


def real_inputs(folder: Path) -> list[str]:
    """Write predictions of 100 real instances over all repositories and return the options to pin them."""
    mirrors = Path(os.environ.get("SWE_MIRRORS") or CHECKOUT.parent / ".mirror")
    if not mirrors.is_dir():
        pytest.skip("no mirrors of the real repositories here")
    submission = shared("data", "swebench", "submissions", "polydev_hybrid_haiku45")
    with gzip.open(submission / "all_preds.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = list(map(json.loads, lines))[:: 500 // REAL]
    predictions = folder / "predictions.jsonl"
    predictions.write_text("".join(json.dumps(row) + "\n" for row in rows[:REAL]), encoding="utf-8")
    dataset = shared("data", "swebench", "verified_500.jsonl.gz")
    given = [
        f"--predictions={predictions}",
        f"--results={submission / 'outcome.json'}",
        "--results-key=hybrid",
    ]
    copies = [f"--mirror={name}={mirrors / copy}" for name, copy in COPIES.items()]
    return [*given, f"--dataset={dataset}", f"--mirrors={mirrors}", *copies]


def test_real_instances_with_a_killed_worker(
    tmp_path: Path, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    """100 real instances come to the local run's files on two workers, one killed while it measures."""
    options = real_inputs(tmp_path)
    alone, spread = (SmallStudy(tmp_path / name, sample, tmp_path, "real") for name in ("alone", "spread"))
    for study in (alone, spread):
        (study.home / "user").mkdir(parents=True)
        study.call("study", "add", "real", *options)
    alone.run()
    with dask_cluster(tmp_path / "cluster", spread.variables()) as cluster:
        spread.environment.update(cluster.variables())
        run_with_a_kill(spread, cluster, 250)
    assert len(spread.instances) == REAL
    assert spread.files() == alone.files()
    assert set(workers_of(spread, monkeypatch)) == {"ana", "bia"}
    assert_recorded(spread, monkeypatch)
