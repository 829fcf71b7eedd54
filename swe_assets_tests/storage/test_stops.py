"""Why instances were not tried is noted, and stands in nobody's way."""

from pathlib import Path

import pytest

from swe_assets.errors import StoreError
from swe_assets.storage.stage import StageStoppedError, perform, plan_stage
from swe_assets.storage.stops import forget_stop, note_stop, stops
from swe_assets_tests.storage.demo import FIRST, DemoBench


def run(bench: DemoBench) -> None:
    """Plan the first stage and perform it."""
    list(perform(FIRST, bench, plan_stage(FIRST, bench, bench.instances), bench.instances))


def test_a_stop_is_noted_for_what_was_left_alone(tmp_path: Path) -> None:
    """The instance that met the stop and the one after it say why; the one before it was made."""
    bench = DemoBench(tmp_path, faults={"d-2": StageStoppedError("no key")})
    run(bench)
    said = "not tried, the stage stopped: no key"
    assert stops(bench.store, "first") == {"d-2": said, "d-3": said}
    assert bench.store.failures("first") == {}
    assert plan_stage(FIRST, bench, bench.instances).todo == {"d-2": ["missing"], "d-3": ["missing"]}


def test_the_next_run_replaces_the_note(tmp_path: Path) -> None:
    """Another stop leaves its own reason alone, and a run that goes well leaves no note."""
    bench = DemoBench(tmp_path, faults={"d-1": StageStoppedError("no key")})
    run(bench)
    bench.faults = {"d-3": StageStoppedError("no money")}
    run(bench)
    assert stops(bench.store, "first") == {"d-3": "not tried, the stage stopped: no money"}
    bench.faults = {}
    run(bench)
    assert stops(bench.store, "first") == {}
    assert not list((tmp_path / ".stops").iterdir())


def test_what_is_noted_of_others_stays(tmp_path: Path) -> None:
    """Chunks of one stage note and forget their own instances."""
    store = DemoBench(tmp_path).store
    note_stop(store, "first", ["a", "b"], "x")
    note_stop(store, "first", ["c"], "y")
    forget_stop(store, "first", ["b", "c"])
    assert (stops(store, "first"), stops(store, "second")) == ({"a": "x"}, {})


@pytest.mark.parametrize("content", [b"{", b"[1]", b"\xff", b""])
def test_a_torn_note_counts_as_none(tmp_path: Path, content: bytes) -> None:
    """A note that cannot be read neither ends a run nor says anything."""
    bench = DemoBench(tmp_path, faults={"d-1": StageStoppedError("no key")})
    run(bench)
    (tmp_path / ".stops" / "first.json").write_bytes(content)
    assert stops(bench.store, "first") == {}
    run(bench)
    assert len(stops(bench.store, "first")) == 3


def test_a_stop_that_cannot_be_noted_is_still_told(tmp_path: Path) -> None:
    """Where the note cannot be written the instances come out as not tried all the same."""
    bench = DemoBench(tmp_path, faults={"d-1": StoreError("disk full")})
    (tmp_path / ".stops").write_text("in the way")
    plan = plan_stage(FIRST, bench, bench.instances)
    found = list(perform(FIRST, bench, plan, bench.instances))
    assert [result.instance_id for result in found] == ["d-1", "d-2", "d-3"]
