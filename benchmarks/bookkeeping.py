"""What Dagster's own records cost a partition: its default SQLite storage against ours, SQLite and Postgres.

One asset over N partitions in one run, whose work is nothing, so that all that is left is bookkeeping.
Baseline: the storage Dagster makes in an empty home, and `context.log_event` once a partition. Ours: the
storage of our dagster.yaml and `log_materialisations`, a batch of 100 a transaction, the same metadata
and tags on both sides; in SQLite, and in a private Postgres on an empty database each time, started before.
"Planned" is from the start of the run to the first line of the asset (a run over one partition taken off),
"logged" is the materialisations, with the lineage tags that staleness needs. Postgres's processor time
includes the server's. The storages take turns, so that what else the machine does meets them alike.

    python -m benchmarks.bookkeeping [--partitions 500] [--runs 3]
"""

import itertools
import os
import shutil
import statistics
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import click
import dagster as dg
from dagster._core.instance.ref import InstanceRef
from dagster._core.storage.tags import ASSET_PARTITION_RANGE_END_TAG, ASSET_PARTITION_RANGE_START_TAG

from benchmarks.effort import Effort, now, spent_by
from benchmarks.table import Cell, at_least, print_machine, print_table, ratio
from swe_assets.home import CHECKOUT
from swe_assets.patch_quality.stage_run import QUIET
from swe_assets.services.folders import cache_dir
from swe_assets.services.postgres import PostgresServer
from swe_assets.services.postgres_probe import make_database
from swe_assets.storage.events import event_batches, log_materialisations, silent_output
from swe_assets.storage.place import VARIABLE
from swe_assets.storage.records import Basis, Header, digest

KEY = dg.AssetKey(["bench", "asset"])
NOTHING = cast("dg.DagsterType", dg.Nothing)
BATCH = 100
QUIET_YAML = "telemetry: {enabled: false}\nnux: {enabled: false}\n"

Log = Callable[[dg.AssetExecutionContext, Sequence[Header]], None]


@dataclass
class Marks:
    """Both clocks at the points of one run."""

    start: Effort = field(default_factory=Effort)
    begun: Effort = field(default_factory=Effort)
    logged: Effort = field(default_factory=Effort)


def one_by_one(context: dg.AssetExecutionContext, headers: Sequence[Header]) -> None:
    """Log as Dagster's documentation does, one event a partition, with the tags that ours carry."""
    for header in headers:
        tags = {
            "dagster/data_version": header.data_version,
            "dagster/data_version_is_user_provided": "true",
            "dagster/code_version": header.basis.code,
        }
        context.log_event(
            dg.AssetMaterialization(
                KEY, partition=header.instance_id, metadata={"status": header.status}, tags=tags
            )
        )


def in_batches(context: dg.AssetExecutionContext, headers: Sequence[Header]) -> None:
    """Log as the stages do, a batch at a time."""
    for start in range(0, len(headers), BATCH):
        log_materialisations(context, headers[start : start + BATCH], {})


@contextmanager
def default_instance(folder: Path) -> Iterator[dg.DagsterInstance]:
    """Open an instance on the storage that Dagster makes in an empty home, telemetry off."""
    folder.mkdir()
    (folder / "dagster.yaml").write_text(QUIET_YAML, encoding="utf-8")
    with dg.DagsterInstance.from_ref(InstanceRef.from_dir(str(folder))) as instance:
        yield instance


@contextmanager
def our_instance(folder: Path) -> Iterator[dg.DagsterInstance]:
    """Open an instance on the checkout's dagster.yaml, as `swe-assets run` does."""
    folder.mkdir()
    os.environ["SWE_ASSETS_HOME"] = str(folder)
    reference = InstanceRef.from_dir(str(folder), config_dir=str(CHECKOUT))
    with event_batches(), dg.DagsterInstance.from_ref(reference) as instance:
        yield instance


@dataclass(frozen=True)
class Storage:
    """One way to keep records: how its instance is opened, how events are logged, which clocks count."""

    name: str
    opened: Callable[[Path], AbstractContextManager[dg.DagsterInstance]]
    log: Log
    clock: Callable[[], Effort] = now


@contextmanager
def postgres_storage() -> Iterator[Storage]:
    """Give the storage on a private Postgres server, which is started before and removed afterwards."""
    folder = cache_dir() / "bench-postgres"
    server = PostgresServer(folder, "dagster")
    server.up()
    pid = server.status().pid or 0
    numbers = itertools.count(1)

    @contextmanager
    def opened(home: Path) -> Iterator[dg.DagsterInstance]:
        address = replace(server.address(), database=f"bench_{next(numbers)}")
        make_database(address)
        os.environ[VARIABLE] = address.url
        try:
            with our_instance(home) as instance:
                yield instance
        finally:
            del os.environ[VARIABLE]

    try:
        yield Storage("our Postgres", opened, in_batches, lambda: now() + Effort(0, spent_by(pid)))
    finally:
        server.down()
        shutil.rmtree(folder)


def run_once(instance: dg.DagsterInstance, ids: Sequence[str], storage: Storage) -> Marks:
    """Run the asset over ids and note the clocks."""
    marks, now, log = Marks(), storage.clock, storage.log

    @dg.asset(
        key=KEY,
        partitions_def=dg.StaticPartitionsDefinition(list(ids)),
        backfill_policy=dg.BackfillPolicy.single_run(),
        output_required=False,
        dagster_type=NOTHING,
    )
    def empty_asset(context: dg.AssetExecutionContext) -> Iterator[dg.Output[None]]:
        headers = [Header("asset", i, "ok", "", digest(i), Basis("1")) for i in context.partition_keys]
        marks.begun = now()
        log(context, headers)
        marks.logged = now()
        if log is in_batches:
            yield silent_output()

    tags = {ASSET_PARTITION_RANGE_START_TAG: ids[0], ASSET_PARTITION_RANGE_END_TAG: ids[-1]}
    marks.start = now()
    result = dg.materialize([empty_asset], instance=instance, tags=tags, run_config=QUIET)
    assert result.success
    return marks


def check_recorded(instance: dg.DagsterInstance, ids: Sequence[str]) -> None:
    """Make sure that every partition is materialised, once."""
    partitions = dg.StaticPartitionsDefinition(list(ids))
    found = instance.get_status_by_partition(KEY, list(ids), partitions) or {}
    statuses = [status.value for status in found.values() if status is not None]
    assert statuses == ["MATERIALIZED"] * len(ids)


def one_cost(count: int, storage: Storage) -> dict[str, Effort]:
    """Return the cost a partition of planning and of logging in a fresh home."""
    ids = [f"b-{number}" for number in range(1, count + 1)]
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as name,
        storage.opened(Path(name) / "home") as instance,
    ):
        run_once(instance, ["b-0"], storage)  # what only a first run costs, such as opening connections
        small = run_once(instance, ["b-0"], storage)
        large = run_once(instance, ids, storage)
        check_recorded(instance, ids)
    planned = (large.begun - large.start) - (small.begun - small.start)
    return {"planned": planned.each(count - 1), "logged": (large.logged - large.begun).each(count)}


def costs(count: int, storages: Sequence[Storage], runs: int) -> dict[str, dict[str, Effort]]:
    """Return the median cost of each storage by its name, the storages taking turns."""
    found: dict[str, list[dict[str, Effort]]] = {storage.name: [] for storage in storages}
    for _ in range(runs):
        for storage in storages:
            found[storage.name].append(one_cost(count, storage))
    return {
        name: {part: _median([one[part] for one in taken]) for part in ("planned", "logged")}
        for name, taken in found.items()
    }


def _median(taken: Sequence[Effort]) -> Effort:
    return Effort(statistics.median(t.wall for t in taken), statistics.median(t.cpu for t in taken))


def rows(found: dict[str, dict[str, Effort]]) -> Iterator[list[Cell]]:
    """Yield the table's rows: parts and sum in ms a partition, and how many times the first one's is ours."""
    whole = {name: {**parts, "sum": sum(parts.values(), Effort())} for name, parts in found.items()}
    first = next(iter(whole.values()))
    for name, parts in whole.items():
        for part, taken in parts.items():
            base = first[part]
            ratios = (ratio(base.wall, taken.wall), ratio(base.cpu, taken.cpu))
            yield [name, part, 1000 * taken.wall, 1000 * taken.cpu, *ratios]


def target(found: dict[str, dict[str, Effort]]) -> list[list[Cell]]:
    """Return whether Postgres is at least twice as fast as the default, by both clocks."""
    base, ours = (sum(found[name].values(), Effort()) for name in ("default SQLite", "our Postgres"))
    return [
        at_least("default SQLite / our Postgres, wall", base.wall / ours.wall, 2, "x"),
        at_least("default SQLite / our Postgres, CPU", base.cpu / ours.cpu, 2, "x"),
    ]


@click.command()
@click.option("--partitions", type=click.IntRange(2), default=500, show_default=True, help="How many.")
@click.option("--runs", type=click.IntRange(1), default=3, show_default=True, help="Medians of so many.")
def main(partitions: int, runs: int) -> None:
    """Print what a partition's records cost in Dagster's default SQLite storage, our SQLite and Postgres."""
    warnings.filterwarnings("ignore", category=dg.BetaWarning)
    print_machine()
    default = Storage("default SQLite", default_instance, one_by_one)
    ours = Storage("our SQLite", our_instance, in_batches)
    with postgres_storage() as postgres:
        found = costs(partitions, (default, ours, postgres), runs)
    print_table(
        f"bookkeeping of {partitions} partitions, one asset, one run, ms a partition (median of {runs})",
        ("storage", "part", "wall", "CPU", "ratio wall", "ratio CPU"),
        list(rows(found)),
    )
    print_table("target", ("what", "found", "limit", "result"), target(found))


if __name__ == "__main__":
    main()
