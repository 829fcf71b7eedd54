"""Events on a real Postgres: whole batches, in the order of commits, once each, whatever the server does."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import sqlalchemy as db
from sqlalchemy.exc import OperationalError

from swe_assets.home import CHECKOUT
from swe_assets.services.postgres import PostgresServer
from swe_assets.storage.postgres import PostgresHomeStorage, TunedPostgresEventLogStorage
from swe_assets_tests.postgres_case import ask, fresh_database, open_folder, private_postgres
from swe_assets_tests.storage.postgres_home import KEY, event_log, instance_on, materialised

NAMES = [f"p-{number}" for number in range(250)]


@pytest.fixture
def instance(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dg.DagsterInstance]:
    """Open an instance on an empty database."""
    with instance_on(fresh_database(postgres), tmp_path, monkeypatch) as opened:
        yield opened


def partitions_in_order(instance: dg.DagsterInstance, key: dg.AssetKey = KEY) -> list[str | None]:
    """Return the partitions of all materialisations by id."""
    found = instance.fetch_materializations(key, limit=5000, ascending=True).records
    return [record.partition_key for record in found]


def test_a_batch_is_stored_in_its_order(instance: dg.DagsterInstance) -> None:
    """Each event of a batch has its id in the batch's order, its tag, and the last one is the latest."""
    log = event_log(instance)
    log.store_event_batch(materialised(NAMES, "run-1"))
    assert partitions_in_order(instance) == NAMES
    tags = log.get_latest_tags_by_partition(
        KEY, dg.DagsterEventType.ASSET_MATERIALIZATION, ["dagster/data_version"]
    )
    assert {name: found["dagster/data_version"] for name, found in tags.items()} == {
        name: f"v-{name}" for name in NAMES
    }
    latest = instance.get_latest_materialization_event(KEY)
    assert latest is not None and latest.asset_materialization is not None
    assert latest.asset_materialization.partition == NAMES[-1]


def test_a_batch_is_one_transaction(instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the last step of storing fails, nothing of the batch is there."""
    log = event_log(instance)

    def fails(*_arguments: object) -> None:
        raise ValueError("planted")

    monkeypatch.setattr(log, "_store_asset_event", fails)
    with pytest.raises(ValueError, match="planted"):
        log.store_event_batch(materialised(NAMES, "run-1"))
    assert partitions_in_order(instance) == []


def test_writers_take_turns(instance: dg.DagsterInstance) -> None:
    """Six writers of two assets at once lose nothing, do not lock each other out, and no batch is mixed."""
    log = event_log(instance)
    keys = [dg.AssetKey(["a", "one"]), dg.AssetKey(["a", "two"])]

    def write(number: int) -> None:
        for turn in range(5):
            order = keys if number % 2 else keys[::-1]
            names = [f"{number}-{turn}-{part}" for part in range(20)]
            log.store_event_batch([e for key in order for e in materialised(names, f"run-{number}", key)])

    threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for key in keys:
        found = [str(name).rpartition("-")[0] for name in partitions_in_order(instance, key)]
        blocks = [found[start : start + 20] for start in range(0, len(found), 20)]
        assert len(found) == 600
        assert all(len(set(block)) == 1 for block in blocks)


class _CommitLost(TunedPostgresEventLogStorage):
    """An event log whose connection breaks once, just before or just after the commit."""

    stored = False
    broken = 0

    @contextmanager
    def transaction(self) -> Iterator[db.Connection]:
        """Break the first transaction."""
        with super().transaction() as connection:
            yield connection
            if not self.broken and not self.stored:
                self._break()
        if not self.broken:
            self._break()

    def _break(self) -> None:
        self.broken += 1
        raise OperationalError("COMMIT", {}, Exception("planted"), connection_invalidated=True)


@pytest.mark.parametrize("stored", [False, True])
def test_a_lost_commit_is_settled(instance: dg.DagsterInstance, stored: bool) -> None:
    """A batch whose commit was not confirmed is there once, whether the server had stored it or not."""
    log = event_log(instance)
    assert log.place.url is not None
    broken = _CommitLost(log.place, log.place.url, log._engine)
    broken.stored = stored
    broken.store_event_batch(materialised(NAMES, "run-1"))
    assert broken.broken == 1
    assert partitions_in_order(instance) == NAMES


@pytest.mark.parametrize("seconds_away", [0, 14])
def test_a_restarted_server_loses_no_event(
    seconds_away: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Batches written while the server is killed and away, also for long, are all there, each once."""
    with (
        open_folder() as folder,
        private_postgres(folder / "postgres") as server,
        instance_on(fresh_database(server), tmp_path, monkeypatch) as instance,
    ):
        failed: list[BaseException] = []
        thread = threading.Thread(target=write_batches, args=(event_log(instance), failed))
        thread.start()
        while not partitions_in_order(instance):
            time.sleep(0.01)
        os.kill(server.status().pid or 0, signal.SIGKILL)
        time.sleep(seconds_away)
        server.up()
        thread.join()
        assert failed == []
        assert partitions_in_order(instance) == [f"{n}-{i}" for n in range(60) for i in range(20)]


def test_a_connection_lost_before_its_transaction_loses_no_event(
    postgres: PostgresServer, instance: dg.DagsterInstance
) -> None:
    """A backend that ends right after its used connection was found good costs another try and no event."""
    log = event_log(instance)
    ended: list[int] = []

    def end_once(connection: db.Connection) -> None:
        if not ended:
            driver: Any = connection.connection.dbapi_connection
            ended.append(driver.info.backend_pid)
            ask(postgres.address(), f"select pg_terminate_backend({ended[0]}, 5000)")

    for name in NAMES[:10]:  # so that each connection that is kept has been in a transaction
        log.store_event_batch(materialised([name], "run-1"))
    db.event.listen(log._engine, "engine_connect", end_once)
    log.store_event_batch(materialised(NAMES[10:20], "run-1"))
    assert len(ended) == 1
    assert partitions_in_order(instance) == NAMES[:20]


def write_batches(log: TunedPostgresEventLogStorage, failed: list[BaseException]) -> None:
    """Write sixty batches of twenty events, and note what went wrong."""
    try:
        for number in range(60):
            log.store_event_batch(materialised([f"{number}-{i}" for i in range(20)], "run-1"))
    except BaseException as wrong:  # the test tells it
        failed.append(wrong)


def test_connections_are_few_and_kept(instance: dg.DagsterInstance) -> None:
    """Fifty events and as many questions use one or two connections, not one each."""
    log = event_log(instance)
    pids: set[Any] = set()

    def seen(connection: Any, *_rest: Any) -> None:
        pids.add(connection.info.backend_pid)

    db.event.listen(log._engine, "checkout", seen)
    for event in materialised(NAMES[:50], "run-1"):
        log.store_event(event)
        instance.get_latest_materialization_event(KEY)
    assert len(pids) <= 2


def test_a_forked_child_uses_none_of_the_parents_connections(instance: dg.DagsterInstance) -> None:
    """A child that ends does not disturb the parent's connection to the server."""
    log = event_log(instance)
    log.store_event_batch(materialised(NAMES[:3], "run-1"))
    child = os.fork()
    if child == 0:
        try:
            log.store_event_batch(materialised(NAMES[3:6], "run-2"))
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    log.store_event_batch(materialised(NAMES[6:9], "run-1"))
    assert partitions_in_order(instance) == NAMES[:9]


def test_first_opened_by_several_at_once(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four processes that open an empty database at the same moment all get their tables."""
    address = fresh_database(postgres)
    code = (
        "from swe_assets.storage.instance import open_instance\n"
        "with open_instance() as opened: print(opened.get_runs_count())"
    )
    variables = {**os.environ, "SWE_ASSETS_HOME": str(tmp_path), "SWE_ASSETS_POSTGRES_URL": address.url}
    variables.pop("DAGSTER_HOME", None)
    started = [
        subprocess.Popen([sys.executable, "-c", code], env=variables, stdout=subprocess.PIPE, cwd=CHECKOUT)
        for _ in range(4)
    ]
    assert [process.communicate(timeout=200)[0] for process in started] == [b"0\n"] * 4


def test_the_reference_given_to_processes_holds_no_secret(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Dagster hands its processes on a command line opens the same place, and holds no password."""
    address = fresh_database(postgres)
    with instance_on(address, tmp_path, monkeypatch) as instance:
        reference = instance.get_ref()
        assert address.password not in repr(reference.to_dict())
        with dg.DagsterInstance.from_ref(reference) as again:
            assert event_log(again).place.url == address.url


def test_nothing_of_sqlite_is_made(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    """A home on Postgres makes no database file."""
    instance.get_runs_count()
    assert not list(tmp_path.rglob("*.db"))
    assert PostgresHomeStorage.config_type() == {}


def test_an_event_of_every_kind_is_stored(instance: dg.DagsterInstance, postgres: PostgresServer) -> None:
    """A run with a check, an observation and a failed step leaves the events that Dagster's own leaves."""

    @dg.asset
    def sound() -> int:
        return 1

    @dg.asset
    def unsound() -> None:
        raise ValueError("planted")

    @dg.asset_check(asset=sound)
    def positive() -> dg.AssetCheckResult:
        return dg.AssetCheckResult(passed=True)

    kinds = []
    for one in (instance, dg.DagsterInstance.ephemeral()):
        result = dg.materialize([sound, unsound, positive], instance=one, raise_on_error=False)
        found = one.all_logs(result.run_id)
        kinds.append([str(entry.dagster_event_type) for entry in found if entry.dagster_event])
        checks = one.event_log_storage.get_latest_asset_check_execution_by_key(
            [next(iter(positive.check_keys))]
        )
        assert [record.status.value for record in checks.values()] == ["SUCCEEDED"]
    assert kinds[0] == kinds[1]
