"""Paid stages: several instances at once, each under its claim, stored by its thread, yielded as they end."""

import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from swe_assets.errors import StoreError
from swe_assets.storage.records import Record
from swe_assets.storage.stage import (
    Failed,
    Made,
    Stage,
    StageStoppedError,
    one_by_one,
    perform,
    plan_stage,
)
from swe_assets_tests.llm.paid_calls import counting, in_threads
from swe_assets_tests.storage.demo import DemoBench

Make = Callable[[DemoBench, str], Made | Failed]


def bench_of(folder: Path, count: int) -> DemoBench:
    """Return a bench of so many instances."""
    return DemoBench(folder, tuple(f"d-{number}" for number in range(count)))


def paid(make: Make, at_once: int, **more: Any) -> Stage[DemoBench]:
    """Return a paid stage that makes so many instances at once."""
    return Stage("paid", "1", one_by_one(make), paid=True, concurrency=lambda _bench: at_once, **more)


def results(stage: Stage[DemoBench], bench: DemoBench) -> Iterator[Record | Failed]:
    """Plan the stage and perform it."""
    return perform(stage, bench, plan_stage(stage, bench, bench.instances), bench.instances)


def made(_bench: DemoBench, instance_id: str) -> Made:
    """Make an instance of nothing."""
    return Made(instance_id, {})


def test_as_many_at_once_as_the_stage_says(tmp_path: Path) -> None:
    """Four instances that wait for each other are all made, which fewer threads could not do."""
    meeting = threading.Barrier(4, timeout=30)

    def meet(bench: DemoBench, instance_id: str) -> Made:
        meeting.wait()
        return made(bench, instance_id)

    found = list(results(paid(meet, 4), bench_of(tmp_path, 8)))
    assert [type(result) for result in found] == [Record] * 8


def test_results_come_in_order_of_completion(tmp_path: Path) -> None:
    """The second instance is yielded, stored and logged while the first is still being made."""
    second_came = threading.Event()

    def first_waits(bench: DemoBench, instance_id: str) -> Made:
        assert instance_id != "d-0" or second_came.wait(30)
        return made(bench, instance_id)

    bench, order = bench_of(tmp_path, 2), list[str]()
    for result in results(paid(first_waits, 2), bench):
        assert bench.store.read("paid", result.instance_id) == result
        order.append(result.instance_id)
        second_came.set()
    assert order == ["d-1", "d-0"]


@pytest.mark.parametrize("stop", [StageStoppedError("key refused"), StoreError("disk full")])
def test_a_stop_keeps_what_is_under_way(tmp_path: Path, stop: Exception) -> None:
    """After a stop the others end early, what they made is stored and yielded, the rest was not tried."""
    halted = threading.Event()

    def one_stops(bench: DemoBench, instance_id: str) -> Made:
        if instance_id == "d-1":
            raise stop
        assert halted.wait(30)
        return made(bench, instance_id)

    bench = bench_of(tmp_path, 20)
    stage = paid(one_stops, 3, cancel=lambda _bench: halted.set())
    found = {result.instance_id: result for result in results(stage, bench)}
    kept = [i for i, result in found.items() if isinstance(result, Record)]
    assert 1 <= len(kept) <= 2 and set(kept) <= {"d-0", "d-2"} and bench.store.ids("paid") == sorted(kept)
    left = [result for result in found.values() if isinstance(result, Failed)]
    assert len(left) == 20 - len(kept) and all(one.stopped and str(stop) in one.reason for one in left)


def test_a_closed_iterator_keeps_what_is_under_way(tmp_path: Path) -> None:
    """Where the reader leaves off no further instance is begun, and those begun are stored."""
    begun: list[str] = []

    def slow(bench: DemoBench, instance_id: str) -> Made:
        begun.append(instance_id)
        time.sleep(0.05)
        return made(bench, instance_id)

    bench = bench_of(tmp_path, 100)
    going = perform(paid(slow, 4), bench, plan_stage(paid(slow, 4), bench, bench.instances), bench.instances)
    next(going)
    going.close()
    assert sorted(begun) == bench.store.ids("paid") and 4 <= len(begun) <= 9


def test_one_fault_leaves_the_others(tmp_path: Path) -> None:
    """An instance whose make raises fails alone, and is noted with its reason."""

    def odd(bench: DemoBench, instance_id: str) -> Made:
        if instance_id == "d-7":
            raise ValueError("odd")
        return made(bench, instance_id)

    bench = bench_of(tmp_path, 20)
    found = [result.instance_id for result in results(paid(odd, 6), bench) if isinstance(result, Failed)]
    assert found == ["d-7"]
    assert bench.store.failure("paid", "d-7") == "unexpected ValueError: odd"


def test_a_fault_of_the_program_is_raised(tmp_path: Path) -> None:
    """What is no fault of an instance, such as a store that breaks, comes out once the threads have ended."""

    def interrupts(_bench: DemoBench, _instance_id: str) -> Made:
        raise SystemExit(3)

    before = threading.active_count()
    with pytest.raises(SystemExit):
        list(results(paid(interrupts, 4), bench_of(tmp_path, 9)))
    assert threading.active_count() == before


def test_two_runs_of_many_threads_make_each_once(tmp_path: Path) -> None:
    """Two runs of 64 threads over 300 instances share claims without a standstill and pay once for each."""
    bench, counts, lock = bench_of(tmp_path, 300), Counter[str](), threading.Lock()

    def count(bench: DemoBench, instance_id: str) -> Made:
        with lock:
            counts[instance_id] += 1
        return made(bench, instance_id)

    stage = paid(count, 64)
    plan = plan_stage(stage, bench, bench.instances)
    both = in_threads(lambda _n: len(list(perform(stage, bench, plan, bench.instances))), 2)
    assert both == [300, 300]
    assert set(counts.values()) == {1} and len(counts) == 300


def test_one_thread_that_waits_for_a_claim_can_be_stopped(tmp_path: Path) -> None:
    """Where another run holds an instance's claim, a stop of this run does not wait for it."""
    bench = bench_of(tmp_path, 2)

    def stops(_bench: DemoBench, _instance_id: str) -> Made:
        raise StageStoppedError("no key")

    with bench.store.claim("paid", "d-0"):
        found = list(results(paid(stops, 2), bench))
    assert [type(result) for result in found] == [Failed, Failed]
    assert all("no key" in result.reason for result in found if isinstance(result, Failed))


def test_threads_see_the_context_of_who_asks(tmp_path: Path) -> None:
    """A context variable set around the stage, such as a meter, is there in each of its threads."""
    variable: ContextVar[str] = ContextVar("variable", default="unset")

    def looks(_bench: DemoBench, instance_id: str) -> Made:
        return Made(instance_id, {"seen": variable.get()})

    variable.set("seen")
    found = list(results(paid(looks, 3), bench_of(tmp_path, 6)))
    assert [r.payload["seen"] for r in found if isinstance(r, Record)] == ["seen"] * 6


def test_one_at_a_time_by_default(tmp_path: Path) -> None:
    """A paid stage that says nothing makes one after the other, in the order given."""
    stage = replace(paid(made, 1), concurrency=Stage("x", "1", one_by_one(made)).concurrency)
    found = list(results(stage, bench_of(tmp_path, 12)))
    assert [result.instance_id for result in found] == [f"d-{number}" for number in range(12)]


def stored(folder: Path) -> list[str]:
    """Return the instances whose record is stored."""
    return bench_of(folder, 0).store.ids("asked")


def started(url: str, folder: Path) -> subprocess.Popen[str]:
    """Start a process that makes a paid stage of sixty instances."""
    command = [sys.executable, "-m", "swe_assets_tests.storage.paid_process", url, str(folder), "60"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def wait_for_records(running: subprocess.Popen[str], folder: Path, count: int) -> None:
    """Wait until so many records are stored."""
    until = time.monotonic() + 60
    while len(stored(folder)) < count and running.poll() is None and time.monotonic() < until:
        time.sleep(0.005)


def test_an_interrupted_process_pays_for_nothing_twice(tmp_path: Path) -> None:
    """After Ctrl-C in mid-run every call that was made is stored; the next run makes just the others."""
    with counting(latency_s=0.1) as service:
        running = started(service.url, tmp_path)
        wait_for_records(running, tmp_path, 10)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=60) == 130
        assert set(service.counts) == set(stored(tmp_path))
        assert started(service.url, tmp_path).wait(timeout=60) == 0
    assert set(service.counts.values()) == {1} and len(service.counts) == 60


def test_a_killed_process_pays_again_for_what_was_under_way_alone(tmp_path: Path) -> None:
    """After kill -9 the next run asks again for at most the four instances that were not stored yet."""
    with counting(latency_s=0.05) as service:
        running = started(service.url, tmp_path)
        wait_for_records(running, tmp_path, 15)
        running.kill()
        running.wait()
        there = stored(tmp_path)
        assert started(service.url, tmp_path).wait(timeout=60) == 0
    assert [service.counts[instance_id] for instance_id in there] == [1] * len(there)
    assert sum(count > 1 for count in service.counts.values()) <= 4 and len(service.counts) == 60
