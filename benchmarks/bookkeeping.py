"""What Dagster's own records cost a partition: its default SQLite storage against ours.

One asset over N partitions in one run, whose work is nothing, so that all that is left is bookkeeping.
Baseline: the storage Dagster makes in an empty home, and `context.log_event` once a partition. Ours: the
storage of our dagster.yaml and `log_materialisations`, a batch of 100 a transaction, the same metadata
and tags on both sides. "Planned" is from the start of the run to the first line of the asset (a run over
one partition taken off), "logged" is the materialisations, with the lineage tags that staleness needs.

    python -m benchmarks.bookkeeping [--partitions 250] [--runs 3]
"""

import os
import statistics
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import click
import dagster as dg
from dagster._core.instance.ref import InstanceRef
from dagster._core.storage.tags import ASSET_PARTITION_RANGE_END_TAG, ASSET_PARTITION_RANGE_START_TAG

from benchmarks.effort import Effort, now
from benchmarks.table import Cell, print_machine, print_table, ratio
from swe_assets.home import CHECKOUT
from swe_assets.patch_quality.run import QUIET
from swe_assets.storage.events import event_batches, log_materialisations, silent_output
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
    with dg.DagsterInstance.from_ref(reference) as instance:
        yield instance


def run_once(instance: dg.DagsterInstance, ids: Sequence[str], log: Log) -> Marks:
    """Run the asset over ids and note the clocks."""
    marks = Marks()

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


def cost(
    count: int, opened: Callable[[Path], AbstractContextManager[dg.DagsterInstance]], log: Log, runs: int
) -> dict[str, Effort]:
    """Return the median cost a partition of planning and of logging, over fresh homes."""
    found: dict[str, list[Effort]] = {"planned": [], "logged": []}
    ids = [f"b-{number}" for number in range(1, count + 1)]
    for _ in range(runs):
        with (
            tempfile.TemporaryDirectory(prefix="bench-") as name,
            opened(Path(name) / "home") as instance,
        ):
            small = run_once(instance, ["b-0"], log)
            large = run_once(instance, ids, log)
            check_recorded(instance, ids)
        found["planned"].append(((large.begun - large.start) - (small.begun - small.start)).each(count - 1))
        found["logged"].append((large.logged - large.begun).each(count))
    return {name: _median(taken) for name, taken in found.items()}


def _median(taken: Sequence[Effort]) -> Effort:
    return Effort(statistics.median(t.wall for t in taken), statistics.median(t.cpu for t in taken))


def rows(theirs: dict[str, Effort], ours: dict[str, Effort]) -> Iterator[list[Cell]]:
    """Yield the table's rows: each part and their sum, in milliseconds a partition."""
    for name in (*theirs, "sum"):
        left = theirs[name] if name in theirs else sum(theirs.values(), Effort())
        right = ours[name] if name in ours else sum(ours.values(), Effort())
        yield [
            name,
            *(1000 * value for value in (left.wall, left.cpu, right.wall, right.cpu)),
            ratio(left.wall, right.wall),
            ratio(left.cpu, right.cpu),
        ]


@click.command()
@click.option("--partitions", type=click.IntRange(2), default=250, show_default=True, help="How many.")
@click.option("--runs", type=click.IntRange(1), default=3, show_default=True, help="Medians of so many.")
def main(partitions: int, runs: int) -> None:
    """Print what a partition's records cost in Dagster's default SQLite storage and in ours."""
    warnings.filterwarnings("ignore", category=dg.BetaWarning)
    print_machine()
    theirs = cost(partitions, default_instance, one_by_one, runs)
    with event_batches():
        ours = cost(partitions, our_instance, in_batches, runs)
    print_table(
        f"bookkeeping of {partitions} partitions, one asset, one run, ms a partition (median of {runs})",
        ("part", "default wall", "default CPU", "ours wall", "ours CPU", "ratio wall", "ratio CPU"),
        list(rows(theirs, ours)),
    )


if __name__ == "__main__":
    main()
