"""Tests of a stage as one Dagster step on the tuned SQLite records."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.definitions.data_version import CachingStaleStatusResolver, StaleStatus
from dagster._core.instance.ref import InstanceRef
from dagster._core.loader import LoadingContextForTest

from swe_assets.home import CHECKOUT
from swe_assets.storage.events import SELECTION_TAG, event_batches, recorded_versions
from swe_assets.storage.runner import selection_digest
from swe_assets.storage.sqlite import TunedSqliteEventLogStorage
from swe_assets_tests.storage.demo import DemoBench, demo_assets

IDS = ("d-1", "d-2", "d-3")
FIRST_KEY = dg.AssetKey(["demo", "first"])
SECOND_KEY = dg.AssetKey(["demo", "second"])


@pytest.fixture
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dg.DagsterInstance]:
    """Give a Dagster instance on our own configuration in an empty home."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    reference = InstanceRef.from_dir(str(tmp_path / "home"), config_dir=str(CHECKOUT))
    with dg.DagsterInstance.from_ref(reference) as opened:
        yield opened


def run(
    instance: dg.DagsterInstance,
    bench: DemoBench,
    names: list[str],
    order: tuple[str, ...] = IDS,
    last: str | None = None,
    tags: dict[str, str] | None = None,
) -> dg.ExecuteInProcessResult:
    """Run assets of the demo over the range from the first id of order to last."""
    span = {
        "dagster/asset_partition_range_start": order[0],
        "dagster/asset_partition_range_end": last or order[-1],
    }
    keys = [dg.AssetKey(["demo", name]) for name in names]
    with event_batches():
        return dg.materialize(
            demo_assets(bench, order),
            selection=dg.AssetSelection.assets(*keys),
            instance=instance,
            raise_on_error=False,
            tags={**span, **(tags or {})},
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
        )


def statuses(instance: dg.DagsterInstance, key: dg.AssetKey) -> dict[str, str]:
    """Return the status of each partition as the UI shows it."""
    partitions = dg.StaticPartitionsDefinition(list(IDS))
    found = instance.get_status_by_partition(key, list(IDS), partitions) or {}
    return {i: status.value for i, status in found.items() if status is not None}


def test_records_lie_in_the_tuned_storage(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    """The checkout's dagster.yaml gives the tuned storage, under SWE_ASSETS_HOME."""
    assert isinstance(instance.event_log_storage, TunedSqliteEventLogStorage)
    assert (tmp_path / "home" / ".dagster_home" / "storage" / "history" / "events").is_dir()


def test_bad_instances_fail_and_good_ones_are_materialised(
    instance: dg.DagsterInstance, tmp_path: Path
) -> None:
    """In one run the good partitions are MATERIALIZED, the bad one FAILED, and the failure names it."""
    bench = DemoBench(tmp_path / "s", faults={"d-2": ValueError("odd")})
    result = run(instance, bench, ["first"])
    assert not result.success
    assert statuses(instance, FIRST_KEY) == {"d-1": "MATERIALIZED", "d-2": "FAILED", "d-3": "MATERIALIZED"}
    failure = next(e for e in result.all_events if e.is_step_failure).step_failure_data
    assert "d-2: unexpected ValueError: odd" in str(failure.user_failure_data)


def test_retry_repairs_the_failed_one(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    """A run over just the failed instance turns it to MATERIALIZED and makes nothing else."""
    bench = DemoBench(tmp_path / "s", faults={"d-2": ValueError("odd")})
    run(instance, bench, ["first"])
    bench.faults.clear()
    bench.made.clear()
    assert run(instance, bench, ["first"], ("d-2", "d-1", "d-3"), "d-2").success
    assert bench.made == ["d-2"]
    assert set(statuses(instance, FIRST_KEY).values()) == {"MATERIALIZED"}


def test_chain_in_one_run_reaches_downstream(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    """Both stages selected in one run both run, with one materialisation a partition and asset."""
    result = run(instance, DemoBench(tmp_path / "s"), ["first", "second"])
    assert result.success
    for key in (FIRST_KEY, SECOND_KEY):
        records = instance.fetch_materializations(key, limit=100).records
        assert sorted(str(record.partition_key) for record in records) == list(IDS)


def test_arbitrary_list_is_one_run(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    """A list that is no range of the pinned order runs when its ids are put first."""
    run(instance, DemoBench(tmp_path / "s"), ["first"], ("d-3", "d-1", "d-2"), "d-1")
    assert statuses(instance, FIRST_KEY) == {"d-1": "MATERIALIZED", "d-3": "MATERIALIZED"}


def test_wrong_range_is_refused(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    """A re-execution whose range means other instances fails before it makes any."""
    bench = DemoBench(tmp_path / "s")
    tags = {SELECTION_TAG: selection_digest(["d-3", "d-1"])}
    result = run(instance, bench, ["first"], tags=tags)
    assert not result.success
    assert bench.made == []


def test_stale_status_works_by_partition(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    """After one source changed and its stage ran, Dagster marks just that partition downstream stale."""
    bench = DemoBench(tmp_path / "s")
    run(instance, bench, ["first"])
    run(instance, bench, ["second"])
    bench.sources["d-2"] = "longer text"
    run(instance, bench, ["first"], ("d-2", "d-1", "d-3"), "d-2")
    graph = dg.Definitions(assets=demo_assets(bench, IDS)).resolve_asset_graph()
    resolver = CachingStaleStatusResolver(instance, graph, LoadingContextForTest(instance))
    stale = {i for i in IDS if resolver.get_status(SECOND_KEY, i) != StaleStatus.FRESH}
    assert stale == {"d-2"}


def test_current_records_are_recorded_without_work(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    """What is stored but unknown to Dagster is recorded with its data version and not made again."""
    bench = DemoBench(tmp_path / "s")
    run(instance, bench, ["first"])
    bench.made.clear()
    instance.wipe_assets([FIRST_KEY])
    run(instance, bench, ["first"])
    assert bench.made == []
    headers = bench.store.headers("first", IDS)
    assert recorded_versions(instance, FIRST_KEY) == {i: h.data_version for i, h in headers.items()}


def test_files_are_exported_once_a_change(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    """The stage's files are written after a change and left alone when nothing changed."""
    bench = DemoBench(tmp_path / "s")
    run(instance, bench, ["first"])
    run(instance, bench, ["first"])
    assert bench.exports == 1
