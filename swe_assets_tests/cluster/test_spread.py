"""Runs whose chunks go to other processes: interrupted, killed, misconfigured, with the store on S3."""

import os
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from swe_assets.patch_quality.sample import Sample
from swe_assets_tests.cluster.dask_cluster import dask_cluster
from swe_assets_tests.cluster.s3_server import S3
from swe_assets_tests.dagster_ui.pinned import pin
from swe_assets_tests.dagster_ui.services import free_port
from swe_assets_tests.dagster_ui.test_stock_cli import stock_command
from swe_assets_tests.dagster_ui.test_two_runs import COUNTING, together
from swe_assets_tests.patch_quality.small_study import SmallStudy, small_study
from swe_assets_tests.patch_quality.test_interruptions import started, stored, wait_for_records

psutil: Any = pytest.importorskip("psutil")
COUNT = 10
PROCESSES = {"SWE_ASSETS_EXECUTOR": "multiprocess", "SWE_ASSETS_MAX_CONCURRENT": "2", "SWE_ASSETS_CHUNK": "5"}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory, sample: Sample) -> SmallStudy:
    """Give a study that one process ran to its end."""
    study = small_study(tmp_path_factory.mktemp("alone"), sample, COUNT)
    study.run()
    return study


@pytest.fixture
def study(tmp_path: Path, sample: Sample) -> SmallStudy:
    """Give the same study, not run yet, for two worker processes."""
    pinned = small_study(tmp_path / "home", sample, COUNT)
    pinned.environment.update(PROCESSES)
    return pinned


def goes_on(study: SmallStudy, alone: SmallStudy) -> None:
    """Run a study again: what was stored stays as it was, and the files are those of one process."""
    before = stored(study)
    study.run()
    after = stored(study)
    assert {path: after[path] for path in before} == before
    assert study.files() == alone.files()


def test_killed_process(study: SmallStudy, alone: SmallStudy) -> None:
    """A worker process killed -9 costs nothing that is stored; the others go on to the same files."""
    running = started(study)
    wait_for_records(study, running, COUNT + 10)
    before = stored(study)
    children = psutil.Process(running.pid).children()
    spawned = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
    assert len(spawned) == 2
    spawned[0].kill()
    assert running.wait(500) == 0
    after = stored(study)
    assert {path: after[path] for path in before} == before
    assert study.files() == alone.files()


def test_interruption(study: SmallStudy, alone: SmallStudy) -> None:
    """An interruption of the command line ends its workers too, with code 130, and the next run goes on."""
    running = started(study)
    wait_for_records(study, running, COUNT + 3)
    children = psutil.Process(running.pid).children(recursive=True)
    running.send_signal(signal.SIGTERM)
    assert running.wait(300) == 130
    assert not psutil.wait_procs(children, timeout=60)[1]
    goes_on(study, alone)


def test_killed_command_line(study: SmallStudy, alone: SmallStudy) -> None:
    """Workers end with a command line that is killed -9, and the next run goes on from what they stored."""
    running = started(study)
    wait_for_records(study, running, COUNT + 3)
    children = psutil.Process(running.pid).children(recursive=True)
    running.kill()
    assert not psutil.wait_procs(children, timeout=60)[1]
    goes_on(study, alone)


def test_failed_instances_are_counted_once(study: SmallStudy, tmp_path: Path, sample: Sample) -> None:
    """Counts over chunks are those of one process, failures and exclusions included."""
    wrong = f"--mirror=swe-sample/relay={sample.repos / 'swe-sample__atlas.git'}"
    told = []
    for name, environment in (("one", {}), ("two", PROCESSES)):
        broken = small_study(tmp_path / name, sample, COUNT)
        broken.call("study", "update", broken.name, wrong, "--yes")
        broken.environment.update(environment)
        done = broken.run(expected=1)
        told.append([line for line in done.stderr.splitlines() if ": done " in line])
        assert any("failed 0" not in line for line in told[-1])
    assert told[0] == told[1]


def test_store_on_s3(study: SmallStudy, alone: SmallStudy, s3: S3, tmp_path: Path) -> None:
    """With the store in a bucket two processes come to the same files, and no record lies in the home."""
    study.environment.update(s3.variables(), SWE_ASSETS_STORE=f"s3://records/{tmp_path.name}")
    study.run()
    assert study.files() == alone.files()
    assert not (study.path / "store").exists() and not (study.path / "blobs").exists()
    assert "everything is current" in study.run().stderr


def test_no_scheduler(study: SmallStudy) -> None:
    """A scheduler that is not there is said with its address and how to start one."""
    address = f"tcp://127.0.0.1:{free_port()}"
    study.environment.update(SWE_ASSETS_EXECUTOR="dask", SWE_ASSETS_DASK_ADDRESS=address)
    said = study.run(expected=2).stderr
    assert address in said and "dask scheduler" in said


def test_worker_in_another_place(study: SmallStudy, tmp_path: Path) -> None:
    """A worker that sees another home or store refuses its chunks and says what differs; nothing is made."""
    elsewhere = {**study.variables(), "SWE_ASSETS_STORE": str(tmp_path / "elsewhere")}
    with dask_cluster(tmp_path / "cluster", elsewhere, ("lost",)) as cluster:
        study.environment.update(cluster.variables())
        said = study.run(expected=2).stderr
    assert "another store" in said and "SWE_ASSETS_STORE" in said
    assert not (tmp_path / "elsewhere").exists()


def test_orphaned_chunk_stops(study: SmallStudy, alone: SmallStudy, tmp_path: Path) -> None:
    """What a killed command line left running on a cluster ends when the next run begins."""
    with dask_cluster(tmp_path / "cluster", study.variables()) as cluster:
        study.environment.update(cluster.variables())
        running = started(study)
        wait_for_records(study, running, COUNT + 3)
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        time.sleep(0.5)
        study.run()
    assert study.files() == alone.files()


def test_no_call_is_paid_twice_on_s3(tmp_path: Path, sample: Sample, s3: S3) -> None:
    """Our run beside a stock one on the judged stage, with the store in a bucket: one call an instance."""
    (tmp_path / "sitecustomize.py").write_text(COUNTING, encoding="utf-8")
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    bucket = {**s3.variables(), "SWE_ASSETS_STORE": f"s3://records/{tmp_path.name}", "PYTHONPATH": path}
    judged = pin(tmp_path / "home", sample, "paid", f"--judge=counting:{tmp_path / 'calls'}", **bucket)
    for stage in ("patches", "evaluation_payload"):
        judged.run("--only", stage)
    everything = f"{judged.instances[0]}...{judged.instances[-1]}"
    stock = stock_command(judged, "evaluation_results", "--partition-range", everything)
    ours = judged.command("run", judged.name, "--only", "evaluation_results")
    together((ours, judged), (stock, judged))
    calls = Counter((tmp_path / "calls").read_text(encoding="utf-8").split())
    assert len(calls) == len(judged.instances)
    assert set(calls.values()) == {1}
