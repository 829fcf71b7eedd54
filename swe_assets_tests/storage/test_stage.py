"""Tests of planning and performing a stage, without Dagster."""

from dataclasses import replace
from pathlib import Path

import pytest

from swe_assets.errors import JudgeError, StoreError
from swe_assets.storage.records import EXCLUDED, Record
from swe_assets.storage.stage import (
    Failed,
    Made,
    Stage,
    StageStoppedError,
    one_by_one,
    perform,
    plan_chain,
    plan_stage,
)
from swe_assets_tests.storage.demo import FIRST, SECOND, DemoBench


def run(stage: Stage[DemoBench], bench: DemoBench, *, force: bool = False) -> dict[str, Record | Failed]:
    """Plan and perform a stage over all instances of the bench."""
    plan = plan_stage(stage, bench, bench.instances, force=force)
    return {result.instance_id: result for result in perform(stage, bench, plan, bench.instances)}


def test_nothing_current_is_made_again(tmp_path: Path) -> None:
    """A second run over unchanged sources makes nothing."""
    bench = DemoBench(tmp_path)
    run(FIRST, bench)
    bench.made.clear()
    assert run(FIRST, bench) == {}
    assert bench.made == []


def test_changed_source_makes_just_that_instance_stale(tmp_path: Path) -> None:
    """Only the instance whose source changed is planned, and the plan says why, also downstream."""
    bench = DemoBench(tmp_path)
    run(FIRST, bench), run(SECOND, bench)
    bench.sources["d-2"] = "longer text"
    assert plan_stage(FIRST, bench, bench.instances).todo == {"d-2": ["source changed"]}
    run(FIRST, bench)
    assert plan_stage(SECOND, bench, bench.instances).todo == {"d-2": ["first changed"]}


def test_same_result_leaves_downstream_alone(tmp_path: Path) -> None:
    """A stage whose code changed but whose record comes out the same leaves downstream current."""
    bench = DemoBench(tmp_path)
    run(FIRST, bench), run(SECOND, bench)
    run(replace(FIRST, code="2"), bench)
    assert plan_stage(SECOND, bench, bench.instances).todo == {}


def test_exclusion_is_handed_on(tmp_path: Path) -> None:
    """An instance excluded upstream is excluded downstream with the same reason, without being made."""
    bench = DemoBench(tmp_path, sources={"d-1": ""})
    run(FIRST, bench)
    result = run(SECOND, bench)["d-1"]
    assert isinstance(result, Record)
    assert (result.status, result.reason) == (EXCLUDED, "empty")
    assert "second d-1" not in bench.made


def test_missing_upstream_waits(tmp_path: Path) -> None:
    """An instance whose upstream record is missing is not tried and says what it waits for."""
    plan = plan_stage(SECOND, DemoBench(tmp_path), ["d-1"])
    assert plan.waiting == {"d-1": "waits for first"}


@pytest.mark.parametrize("fault", [JudgeError("its own"), ValueError("odd"), RecursionError("deep")])
def test_one_fault_leaves_the_others(tmp_path: Path, fault: Exception) -> None:
    """An error of one instance fails that one, is noted with its reason, and is tried again next time."""
    bench = DemoBench(tmp_path, faults={"d-2": fault})
    results = run(FIRST, bench)
    assert [i for i, r in results.items() if isinstance(r, Failed)] == ["d-2"]
    assert str(fault) in str(bench.store.failure("first", "d-2"))
    bench.faults.clear()
    assert set(run(FIRST, bench)) == {"d-2"}


@pytest.mark.parametrize("stop", [StoreError("disk full"), StageStoppedError("no key")])
def test_stop_leaves_the_rest_untried(tmp_path: Path, stop: Exception) -> None:
    """After an error that would meet every instance no further one is tried, and what was made stays."""
    bench = DemoBench(tmp_path, faults={"d-2": stop})
    results = run(FIRST, bench)
    assert bench.made == ["d-1", "d-2"]
    assert isinstance(results["d-1"], Record)
    assert all(r.stopped and "not tried" in r.reason for r in results.values() if isinstance(r, Failed))


def test_failed_upstream_is_waited_for(tmp_path: Path) -> None:
    """An older record of an instance whose upstream failed since is not built on."""
    bench = DemoBench(tmp_path)
    run(FIRST, bench), run(SECOND, bench)
    bench.sources["d-2"], bench.faults["d-2"] = "longer text", ValueError("odd")
    run(FIRST, bench)
    plan = plan_stage(SECOND, bench, bench.instances)
    assert plan.waiting == {"d-2": "waits for first, which failed"}


def test_chain_counts_nothing_below_a_stale_record(tmp_path: Path) -> None:
    """Where an instance is stale in one stage, no stage below has it as current."""
    bench = DemoBench(tmp_path)
    run(FIRST, bench), run(SECOND, bench)
    bench.sources["d-2"] = "longer text"
    plans = plan_chain([FIRST, SECOND], bench, bench.instances)
    assert set(plans["second"].current) == {"d-1", "d-3"}
    assert plans["second"].waiting == {"d-2": "waits for first, which is not current"}


def test_torn_record_fails_its_instance_and_is_made_again(tmp_path: Path) -> None:
    """A torn upstream record fails its own instance, is taken away, and comes again on the next run."""
    bench = DemoBench(tmp_path)
    run(FIRST, bench)
    path = bench.store.path("first", "d-2")
    path.write_bytes(path.read_bytes()[:-8])
    failed = [i for i, result in run(SECOND, bench).items() if isinstance(result, Failed)]
    assert failed == ["d-2"]
    run(FIRST, bench)
    assert set(run(SECOND, bench)) == {"d-2"}


def test_stage_that_forgets_an_instance_is_caught(tmp_path: Path) -> None:
    """An instance for which a stage gives no result is failed, never lost."""
    lazy = replace(FIRST, make=lambda _bench, _ids: iter(()))
    results = run(lazy, DemoBench(tmp_path))
    assert all(isinstance(r, Failed) and "no result" in r.reason for r in results.values())
    assert len(results) == 3


def test_force_makes_current_records_again(tmp_path: Path) -> None:
    """With force a current record is made anew."""
    bench = DemoBench(tmp_path)
    run(FIRST, bench)
    assert set(run(FIRST, bench, force=True)) == set(bench.instances)


def test_paid_work_of_another_run_is_taken(tmp_path: Path) -> None:
    """Where another run stored the same work since the plan was made, it is not paid for again."""
    bench = DemoBench(tmp_path)
    paid = replace(FIRST, paid=True)
    plan = plan_stage(paid, bench, bench.instances)
    run(paid, DemoBench(tmp_path))
    results = list(perform(paid, bench, plan, bench.instances))
    assert bench.made == []
    assert len(results) == 3


def test_stored_before_the_next_is_asked_for(tmp_path: Path) -> None:
    """Each record is on disk before the next instance is begun."""
    bench = DemoBench(tmp_path)

    def make(_bench: DemoBench, instance_id: str) -> Made:
        there = bench.store.headers("first", bench.instances)
        return Made(instance_id, {"there": len(there)})

    watching = replace(FIRST, make=one_by_one(make), paid=True)
    results = run(watching, bench)
    assert [r.payload["there"] for r in results.values() if isinstance(r, Record)] == [0, 1, 2]


def test_failed_rerun_of_a_current_record_is_tried_again(tmp_path: Path) -> None:
    """A forced attempt that fails keeps the older record, and the next run tries that instance again."""
    bench = DemoBench(tmp_path)
    run(FIRST, bench)
    bench.faults["d-2"] = ValueError("odd")
    run(FIRST, bench, force=True)
    plan = plan_stage(FIRST, bench, bench.instances)
    assert plan.todo == {"d-2": ["failed before: unexpected ValueError: odd"]}
    assert bench.store.read("first", "d-2") is not None
