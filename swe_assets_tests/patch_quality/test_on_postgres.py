"""A study whose records move to Postgres and back, meet a dead server or a second run, and stay whole."""

import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from swe_assets.patch_quality.report_assets import REPORT_NAMES
from swe_assets.patch_quality.run_plan import UNRECORDED
from swe_assets.patch_quality.sample import Sample
from swe_assets.patch_quality.stages import STAGE_NAMES
from swe_assets.services.postgres import PostgresServer
from swe_assets.services.postgres_address import PostgresAddress
from swe_assets.services.processes import free_port
from swe_assets.storage.place import VARIABLE
from swe_assets_tests.patch_quality.small_study import SmallStudy, small_study
from swe_assets_tests.patch_quality.test_interruptions import started, stored, wait_for_records
from swe_assets_tests.postgres_case import fresh_database, open_folder, private_postgres
from swe_assets_tests.storage.postgres_home import instance_on

pytestmark = pytest.mark.timeout(900)


def on(study: SmallStudy, address: PostgresAddress) -> SmallStudy:
    """Return the study with its records on a database; nothing else differs."""
    return SmallStudy(study.home, study.sample, study.predictions, study.name, {VARIABLE: address.url})


def events(
    study: SmallStudy, address: PostgresAddress, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Counter[str | None]]:
    """Return how often each partition of each stage is recorded as materialised on the database."""
    with instance_on(address, study.home, monkeypatch) as instance:
        return {
            stage: Counter(
                record.partition_key
                for record in instance.fetch_materializations(
                    dg.AssetKey([study.name, stage]), limit=5000
                ).records
            )
            for stage in STAGE_NAMES
        }


def made(study: SmallStudy) -> dict[Path, int]:
    """Return the inode of every instance's record; those of reports, which are computed anew, apart."""
    return {path: inode for path, inode in stored(study).items() if path.parts[-2] != "_"}


def is_current(study: SmallStudy) -> bool:
    """Say whether a dry run finds nothing to do for any asset."""
    lines = study.run("--dry-run").stdout.splitlines()
    return [line.rpartition(": ")[2] for line in lines] == ["current"] * len((*STAGE_NAMES, *REPORT_NAMES))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, sample: Sample) -> SmallStudy:
    """Give the whole sample study, run to its end with its records in SQLite."""
    home: Path = tmp_path_factory.mktemp("whole") / "home"
    (home / "user").mkdir(parents=True)
    study = SmallStudy(home, sample, sample.predictions, "sample")
    study.add()
    study.run()
    return study


@pytest.fixture(scope="module")
def address(postgres: PostgresServer) -> PostgresAddress:
    """Give one empty database for the whole sample."""
    return fresh_database(postgres)


@pytest.fixture
def own() -> Iterator[PostgresServer]:
    """Give a server that the test may kill."""
    with open_folder() as folder, private_postgres(folder / "postgres", "dagster") as server:
        yield server


def test_the_move_there_and_back_is_whole(
    whole: SmallStudy, address: PostgresAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Postgres one run records each instance once a stage, without the work; back, all is current."""
    there, files, records = on(whole, address), whole.files(), made(whole)
    assert UNRECORDED in there.run("--dry-run").stdout
    assert f"Dagster's records: {address.safe_url} ({VARIABLE} in the environment)" in there.run().stderr
    once = Counter(whole.instances)
    assert events(there, address, monkeypatch) == dict.fromkeys(STAGE_NAMES, once)
    assert is_current(there) and is_current(whole)
    assert whole.files() == files
    assert made(whole) == records


def test_an_interrupted_move_is_completed(
    whole: SmallStudy, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed in the middle of recording on Postgres, the next run records what is left, and nothing twice."""
    address, records = fresh_database(postgres), made(whole)
    there = on(whole, address)
    moving = started(there)
    limit = time.monotonic() + 120
    while moving.poll() is None and time.monotonic() < limit:
        seen = events(there, address, monkeypatch)
        if seen["arquivos_reconstruidos"] and not seen["matriz_consolidada"]:
            break
    os.killpg(moving.pid, signal.SIGKILL)
    assert moving.wait() == -signal.SIGKILL
    there.run()
    assert events(there, address, monkeypatch) == {s: Counter(whole.instances) for s in STAGE_NAMES}
    assert made(whole) == records
    assert is_current(there)


def test_a_server_that_is_down_stops_the_run(
    tmp_path: Path, sample: Sample, postgres: PostgresServer
) -> None:
    """Where nobody answers the run ends with code 2 and says what to do, and records nothing anywhere."""
    study = small_study(tmp_path / "home", sample, 4)
    there = on(study, fresh_database(postgres))
    nowhere = SmallStudy(
        there.home,
        sample,
        there.predictions,
        there.name,
        {VARIABLE: f"postgresql://me:hushhush@127.0.0.1:{free_port()}/x"},
    )
    done = nowhere.run(expected=2)
    assert "does not answer: start it" in done.stderr and "to go back to SQLite" in done.stderr
    assert "hushhush" not in done.stderr and "Traceback" not in done.stderr
    assert stored(study) == {}
    assert not list(study.home.rglob("*.db"))


def test_two_studies_at_once(
    tmp_path: Path, sample: Sample, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two runs at the same time on one database both end well, with every instance recorded once."""
    address = fresh_database(postgres)
    pair = [on(small_study(tmp_path / "home", sample, 8, name), address) for name in ("first", "second")]
    running = [
        subprocess.Popen(
            study.command("run", study.name),
            env=study.variables(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for study in pair
    ]
    said = [process.communicate(timeout=600)[1].decode() for process in running]
    assert [process.returncode for process in running] == [0, 0], said
    for study in pair:
        once = Counter(study.instances)
        assert events(study, address, monkeypatch) == dict.fromkeys(STAGE_NAMES, once)


def test_the_server_killed_in_the_middle(
    tmp_path: Path, sample: Sample, own: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server killed and started again in mid-run loses nothing: in the end each is made and told once."""
    address = fresh_database(own)
    study = on(small_study(tmp_path / "home", sample, 24), address)
    running = started(study)
    wait_for_records(study, running, 30)
    pid = own.status().pid
    assert running.poll() is None and pid is not None
    os.kill(pid, signal.SIGKILL)
    assert own.up().port == address.port
    running.wait(timeout=300)
    kept = made(study)
    study.run()
    assert kept.items() <= made(study).items()
    assert events(study, address, monkeypatch) == {s: Counter(study.instances) for s in STAGE_NAMES}
    assert is_current(study)


def test_the_server_stopped_in_the_middle(tmp_path: Path, sample: Sample, own: PostgresServer) -> None:
    """A server that goes away ends the run with an error in words; with it back the next run goes on."""
    study = on(small_study(tmp_path / "home", sample, 24), fresh_database(own))
    running = subprocess.Popen(
        study.command("run", study.name),
        env=study.variables(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    wait_for_records(study, running, 30)
    own.down(seconds=1)
    said = running.communicate(timeout=400)[1].decode()
    assert running.returncode in (1, 2), said[-2000:]
    assert "Traceback" not in said
    assert "server" in said
    assert not list(study.home.rglob("*.db"))
    own.up()
    study.run()
    assert is_current(study)
