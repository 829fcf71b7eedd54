"""Stages: what is current, what must be made and why, and the loop that makes it, without Dagster."""

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from swe_assets.errors import StoreError, SweAssetsError, WaitEndedError
from swe_assets.storage.crew import Crew
from swe_assets.storage.records import EXCLUDED, OK, Basis, Header, InstanceStore, Record
from swe_assets.storage.stops import forget_stop, note_stop


class Bench(Protocol):
    """What a stage works with: the study's store and its pinned ids, besides the floor's own services."""

    @property
    def store(self) -> InstanceStore:
        """Return the study's store."""

    @property
    def instances(self) -> tuple[str, ...]:
        """Return the pinned ids in their fixed order."""

    @property
    def results(self) -> Path:
        """Return the folder of files written for people and other tools."""


B = TypeVar("B", bound=Bench)


@dataclass(frozen=True)
class Made:
    """What a stage made of one instance: ok, or excluded with a reason.

    ``told`` is shown of this making of it and not stored, such as whether it was paid for.
    """

    instance_id: str
    payload: Mapping[str, Any]
    status: str = OK
    reason: str = ""
    told: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Failed:
    """An instance that a stage could not make, with the reason; it is tried again on the next run."""

    instance_id: str
    reason: str
    stopped: bool = False


Results: TypeAlias = Generator[Record | Failed, None, None]
"""Records as they are stored, and instances that failed; closing it ends the work in good order."""


class StageStoppedError(SweAssetsError):
    """Going on would be useless or costly: the instances not yet tried are left for the next run."""


@dataclass(frozen=True)
class Stage(Generic[B]):
    """One partitioned asset: its upstream stages and how its records are made.

    ``make`` gets the ids whose upstream records are all there and not excluded; it yields one Made or
    Failed each, in any order. ``settings`` and ``source`` name whatever else shapes a record, so that
    exactly the touched records become stale.
    """

    name: str
    code: str
    make: Callable[[B, Sequence[str]], Iterator[Made | Failed]]
    upstream: tuple[str, ...] = ()
    settings: Callable[[B], str] = lambda _bench: ""
    source: Callable[[B, str], str] = lambda _bench, _id: ""
    export: Callable[[B], None] = lambda _bench: None
    files: tuple[str, ...] = ()
    show: Callable[[Record], Mapping[str, Any]] = lambda _record: {}
    paid: bool = False
    concurrency: Callable[[B], int] = lambda _bench: 1
    """How many instances of a paid stage are made at once, in threads; what they share must be safe so."""
    cancel: Callable[[B], None] = lambda _bench: None
    """Ends the waits of a paid stage's make, called when the stage stops or is interrupted."""
    chunk: int = 100
    whole: bool = False
    """Whether ``make`` gets all ids at once and cuts them itself; records are then logged by `chunk`."""


@dataclass
class Plan:
    """The instances of one stage by what is to be done with them."""

    current: dict[str, Header] = field(default_factory=dict)
    todo: dict[str, list[str]] = field(default_factory=dict)
    waiting: dict[str, str] = field(default_factory=dict)
    bases: dict[str, Basis] = field(default_factory=dict)
    exclusions: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    forced: bool = False


class Known(Generic[B]):
    """Headers and failures of a bench, each asset read once for as long as one plan is made."""

    def __init__(self, bench: B, ids: Sequence[str]) -> None:
        self.bench = bench
        self.ids = ids
        self._headers: dict[str, dict[str, Header]] = {}
        self._failures: dict[str, dict[str, str]] = {}

    def headers(self, asset: str) -> dict[str, Header]:
        """Return the headers of an asset's records by instance id."""
        if asset not in self._headers:
            self._headers[asset] = self.bench.store.headers(asset, self.ids)
        return self._headers[asset]

    def failures(self, asset: str) -> dict[str, str]:
        """Return the reasons of an asset's noted failures by instance id."""
        if asset not in self._failures:
            self._failures[asset] = self.bench.store.failures(asset, self.ids)
        return self._failures[asset]


def plan_stage(
    stage: Stage[B], bench: B, ids: Iterable[str], *, force: bool = False, known: Known[B] | None = None
) -> Plan:
    """Compare each stored record with what it would be made from now; reads headers only, linear in ids."""
    wanted = list(ids)
    read = known or Known(bench, wanted)
    settings = stage.settings(bench)
    failures, stored = read.failures(stage.name), read.headers(stage.name)
    plan = Plan(forced=force)
    for instance_id in wanted:
        waits = _waits(stage, read, instance_id)
        if waits:
            plan.waiting[instance_id] = f"waits for {', '.join(waits)}"
            continue
        inputs = {name: read.headers(name)[instance_id] for name in stage.upstream}
        versions = {name: header.data_version for name, header in inputs.items()}
        basis = Basis(stage.code, settings, stage.source(bench, instance_id), versions)
        plan.bases[instance_id] = basis
        excluded = [h.reason for h in inputs.values() if h.status == EXCLUDED]
        if excluded:
            plan.exclusions[instance_id] = excluded[0]
        _sort_into(plan, basis, stored.get(instance_id), instance_id, force=force)
        if instance_id in failures:
            plan.current.pop(instance_id, None)
            plan.failed[instance_id] = failures[instance_id]
            plan.todo[instance_id] = [f"failed before: {failures[instance_id]}"]
    return plan


def _waits(stage: Stage[B], read: Known[B], instance_id: str) -> list[str]:
    missing = [name for name in stage.upstream if instance_id not in read.headers(name)]
    failed = [name for name in stage.upstream if instance_id in read.failures(name)]
    return [*missing, *(f"{name}, which failed" for name in failed if name not in missing)]


def plan_chain(stages: Sequence[Stage[B]], bench: B, ids: Sequence[str]) -> dict[str, Plan]:
    """Plan all stages in order; what is not current in one stage is not current in any stage below it."""
    plans: dict[str, Plan] = {}
    known = Known(bench, ids)
    for stage in stages:
        plan = plan_stage(stage, bench, ids, known=known)
        for name in stage.upstream:
            for instance_id in [i for i in (*plan.current, *plan.todo) if i not in plans[name].current]:
                plan.current.pop(instance_id, None)
                plan.todo.pop(instance_id, None)
                plan.waiting[instance_id] = f"waits for {name}, which is not current"
        plans[stage.name] = plan
    return plans


def _sort_into(plan: Plan, basis: Basis, header: Header | None, instance_id: str, *, force: bool) -> None:
    if header is None:
        plan.todo[instance_id] = ["missing"]
    elif force:
        plan.todo[instance_id] = ["forced"]
    elif header.basis != basis:
        plan.todo[instance_id] = basis.differences(header.basis)
    else:
        plan.current[instance_id] = header


@dataclass
class Progress:
    """Counts of one stage as it goes on; ``report`` is called after each change."""

    stage: str
    total: int
    done: int = 0
    excluded: int = 0
    failed: int = 0
    stop: str = ""
    report: Callable[["Progress"], None] = lambda _progress: None

    def count(self, result: Record | Failed) -> None:
        """Add one result."""
        if isinstance(result, Failed):
            self.failed += 1
            self.stop = result.reason if result.stopped else self.stop
        elif result.status == EXCLUDED:
            self.excluded += 1
        else:
            self.done += 1
        self.report(self)


def perform(stage: Stage[B], bench: B, plan: Plan, ids: Sequence[str]) -> Results:
    """Make what the plan says, store each record before it is yielded, and yield in order of completion.

    A paid stage stores what is under way also where the iterator is closed or its thread interrupted.
    A StoreError or StageStoppedError ends the work: what is stored stays, the rest comes out as Failed, and
    the reason is noted beside the records, where no record and no failure of theirs is.
    """
    pending = [i for i in ids if i in plan.todo]
    left = dict.fromkeys(pending)
    work = _paid if stage.paid else _unpaid
    try:
        if pending:
            forget_stop(bench.store, stage.name, pending)
        with closing(work(stage, bench, plan, pending)) as results:
            for result in results:
                if result.instance_id in left:
                    del left[result.instance_id]
                    yield result
    except (StoreError, StageStoppedError) as stop:
        reason = f"not tried, the stage stopped: {stop}"
        with suppress(StoreError):  # the stop itself may be that nothing can be written
            note_stop(bench.store, stage.name, left, reason)
        yield from (Failed(instance_id, reason, stopped=True) for instance_id in left)
        return
    for instance_id in left:
        reason = f"{stage.name} gave no result for it: a fault of the program"
        yield _keep(stage, bench, plan, Failed(instance_id, reason))


def _unpaid(stage: Stage[B], bench: B, plan: Plan, pending: list[str]) -> Results:
    yield from _excluded(stage, bench, plan, pending)
    ready = [i for i in pending if i not in plan.exclusions]
    size = max(1, len(ready)) if stage.whole else stage.chunk
    for start in range(0, len(ready), size):
        for made in stage.make(bench, ready[start : start + size]):
            yield _keep(stage, bench, plan, made)


def _paid(stage: Stage[B], bench: B, plan: Plan, pending: list[str]) -> Results:
    """Make instances in threads, each under its claim; what another run paid for meanwhile is taken as it is.

    A record is stored before its thread goes on. Whatever ends the work, what is under way is stored first.
    """
    yield from _excluded(stage, bench, plan, pending)
    ready = [i for i in pending if i not in plan.exclusions]

    def one(instance_id: str, stop: threading.Event) -> Iterator[Record | Failed]:
        with suppress(WaitEndedError), bench.store.claim(stage.name, instance_id, stop):
            there = _settled(stage, bench, plan, instance_id)
            if there is not None:
                yield there
            else:
                yield from (_keep(stage, bench, plan, made) for made in stage.make(bench, [instance_id]))

    if ready:
        count = min(len(ready), stage.concurrency(bench))
        with closing(Crew(one, ready, count, lambda: stage.cancel(bench)).results()) as results:
            yield from results


def _settled(stage: Stage[B], bench: B, plan: Plan, instance_id: str) -> Record | None:
    """Return a stored record that is just what is wanted, unless it is to be made again or failed since."""
    if plan.forced or bench.store.failure(stage.name, instance_id) is not None:
        return None
    there = bench.store.read(stage.name, instance_id)
    return there if there is not None and there.basis == plan.bases[instance_id] else None


def _excluded(stage: Stage[B], bench: B, plan: Plan, pending: list[str]) -> Iterator[Record | Failed]:
    for instance_id in pending:
        if instance_id in plan.exclusions:
            reason = plan.exclusions[instance_id]
            yield _keep(stage, bench, plan, Made(instance_id, {}, EXCLUDED, reason))


def _keep(stage: Stage[B], bench: B, plan: Plan, made: Made | Failed) -> Record | Failed:
    if isinstance(made, Failed):
        bench.store.write_failure(stage.name, made.instance_id, made.reason)
        return made
    basis = plan.bases[made.instance_id]
    record = Record(stage.name, made.instance_id, made.payload, basis, made.status, made.reason, made.told)
    bench.store.write(record, durable=stage.paid)
    return record


def one_by_one(
    make_one: Callable[[B, str], Made | Failed],
) -> Callable[[B, Sequence[str]], Iterator[Made | Failed]]:
    """Turn a function of one instance into a stage's make; one instance's error leaves the others alone."""

    def make(bench: B, ids: Sequence[str]) -> Iterator[Made | Failed]:
        for instance_id in ids:
            yield attempt(make_one, bench, instance_id)

    return make


def attempt(make_one: Callable[[B, str], Made | Failed], bench: B, instance_id: str) -> Made | Failed:
    """Make one instance; its own error becomes Failed, an error of the store or a stop ends the stage."""
    try:
        return make_one(bench, instance_id)
    except (StoreError, StageStoppedError):
        raise
    except SweAssetsError as wrong:
        return Failed(instance_id, str(wrong))
    except Exception as wrong:  # one hostile instance must not end the run for the others
        return Failed(instance_id, f"unexpected {type(wrong).__name__}: {wrong}")
