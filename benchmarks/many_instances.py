"""Whether planning, storing and recording stay linear up to 50,000 instances, and what breaks where.

Tiny made-up instances, pinned by the product; each size in a home of its own. Every part is given as time
an instance; the baseline is the same part at the smallest size that the clock can tell, so a ratio of 1 means
linear and 2 that an instance takes twice as long as there. The parts without Dagster work on the stage
`patches`; then `patches` and `resultados_testes` run through Dagster (`run …: dagster` is Dagster's own, the
rest ours), up to the size that is to be recorded; last, one instance of all is made again, which shows what a
run costs by itself.

    python -m benchmarks.many_instances [--sizes 5000,10000,20000,50000] [--recorded 50000]
"""

import os
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click
import dagster as dg

from benchmarks.effort import MIB, Effort, effort, peak_own_mib
from benchmarks.made_up import pin, write_inputs
from benchmarks.split import Split
from benchmarks.table import Cell, print_machine, print_table
from benchmarks.timed_run import time_parts
from swe_assets.patch_quality import patches
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.run import StudyRun
from swe_assets.patch_quality.run_plan import RunOptions, chosen_instances
from swe_assets.patch_quality.stage_asset import asset_key
from swe_assets.patch_quality.study import load_study
from swe_assets.patch_quality.study_assets import study_definitions, study_partitions
from swe_assets.storage.exports import export_if_changed
from swe_assets.storage.instance import open_instance
from swe_assets.storage.records import InstanceStore, Record
from swe_assets.storage.stage import perform, plan_stage

NAME = "many"
STEEP = 1.5
LEAST_SECONDS = 0.1
ONE_AGAIN = "run one of all again"


@dataclass
class Size:
    """What each part took at one number of instances, the memory needed and the size of the event log."""

    count: int
    taken: dict[str, Effort] = field(default_factory=dict)
    peak_mib: float = 0.0
    log_mib: float = 0.0

    def note(self, part: str, work: Callable[[], object]) -> None:
        """Do the work and note what it took."""
        with effort() as taken:
            work()
        self.add(part, taken)

    def add(self, part: str, taken: Effort) -> None:
        """Count effort for a part."""
        self.taken[part] = self.taken.get(part, Effort()) + taken


def without_dagster(size: Size, folder: Path) -> None:
    """Pin, load, plan, make, read, export and write again, all of the stage `patches`."""
    inputs = write_inputs(folder / "inputs", size.count)
    size.note("pin the study", lambda: pin(NAME, inputs))
    size.note("load the study", lambda: load_study(NAME))
    study = load_study(NAME)
    size.note("Dagster's set of partitions", lambda: study_partitions(study.instances).get_partition_keys())
    size.note("Dagster's definitions", lambda: study_definitions(study).get_repository_def())
    bench, stage = PatchBench(study), patches.STAGE
    size.note("read the predictions", lambda: bench.predictions)
    everything = RunOptions(instances=tuple(reversed(study.instances)))
    size.note("choose all by a list", lambda: chosen_instances(bench, everything))
    size.note("plan, nothing stored", lambda: plan_stage(stage, bench, bench.instances))
    plan = plan_stage(stage, bench, bench.instances)
    size.note("make and store", lambda: list(perform(stage, bench, plan, bench.instances)))
    size.note("read headers", lambda: bench.store.headers(stage.name, bench.instances))
    size.note("read records", lambda: list(bench.store.records(stage.name, bench.instances)))
    size.note("plan, all current", lambda: plan_stage(stage, bench, bench.instances))
    size.note("export", lambda: export_if_changed(stage, bench))
    records = list(bench.store.records(stage.name, bench.instances))
    copy = InstanceStore(folder / "copy")
    size.note("write records", lambda: _write_all(copy, records))


def _write_all(store: InstanceStore, records: Sequence[Record]) -> None:
    for record in records:
        store.write(record)


def with_dagster(size: Size, split: Split) -> None:
    """Run two cheap stages through Dagster, then one instance of the first again."""
    with open_instance() as instance:
        for name in ("patches", "resultados_testes"):
            split.reset()
            _run(instance, RunOptions(only=name))
            for row in split.record():
                size.add(f"run {name}: {row['part']}", Effort(row["wall"], row["cpu"]))
        middle = PatchBench.open(NAME).instances[size.count // 2]
        again = RunOptions(instances=(middle,), only="patches", force=True)
        size.note(ONE_AGAIN, lambda: _run(instance, again))
        size.note("Dagster's status of all partitions", lambda: _check_statuses(size, instance))
    log = next(Path(os.environ["SWE_ASSETS_HOME"]).rglob("event_log.db"))
    size.log_mib = log.stat().st_size / MIB


def _check_statuses(size: Size, instance: dg.DagsterInstance) -> None:
    """Ask for each partition's status, as the asset's page in the UI does."""
    study = load_study(NAME)
    partitions = study_partitions(study.instances)
    found = instance.get_status_by_partition(asset_key(NAME, "patches"), study.instances, partitions) or {}
    assert sum(status is not None for status in found.values()) == size.count


def _run(instance: dg.DagsterInstance, options: RunOptions) -> None:
    result = StudyRun(instance, PatchBench.open(NAME)).execute(options)
    assert result.stages and not result.failed


def measure(count: int, split: Split, *, recorded: bool) -> Size:
    """Return what all parts take at one number of instances, in a home of its own."""
    size = Size(count)
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        os.environ["SWE_ASSETS_HOME"] = name
        without_dagster(size, Path(name))
        if recorded:
            with_dagster(size, split)
    size.peak_mib = peak_own_mib()
    return size


def rows(sizes: Sequence[Size]) -> list[list[Cell]]:
    """Return each part's time an instance at each size in microseconds, wall and CPU, and its growth."""
    found: list[list[Cell]] = []
    for part in dict.fromkeys(part for size in sizes for part in size.taken):
        at = [size for size in sizes if part in size.taken]
        each = {size.count: size.taken[part].each(size.count) for size in at}
        cells: list[Cell] = [part]
        for size in sizes:
            taken = each.get(size.count)
            cells.append(f"{taken.wall * 1e6:,.1f} / {taken.cpu * 1e6:,.1f}" if taken else "")
        found.append([*cells, *_growth(at, part)])
    return found


def _growth(at: Sequence[Size], part: str) -> list[Cell]:
    """Return how many times the CPU time an instance takes at the largest size what it took before.

    Before is the smallest size at which the part took long enough for the clock.
    """
    told = [size for size in at if size.taken[part].cpu >= LEAST_SECONDS]
    if len(told) < 2:
        return ["", "too quick to tell"]
    first, last = (size.taken[part].each(size.count).cpu for size in (told[0], told[-1]))
    return [f"{last / first:.2f}", "grows" if last / first > STEEP else "linear"]


@click.command()
@click.option("--sizes", default="5000,10000,20000,50000", show_default=True, help="Numbers of instances.")
@click.option("--recorded", default=50_000, show_default=True, help="Largest size that Dagster records.")
def main(sizes: str, recorded: int) -> None:
    """Print the time an instance of every part at each size, and its growth."""
    warnings.filterwarnings("ignore", category=dg.BetaWarning)
    os.environ.pop("DAGSTER_HOME", None)
    print_machine()
    split = Split()
    time_parts(split)
    counts = [int(size) for size in sizes.split(",")]
    found = [measure(count, split, recorded=count <= recorded) for count in counts]
    print_table(
        "us an instance, wall / CPU, and CPU an instance at the largest size over that at the smallest",
        ("part", *(f"{count:,}" for count in counts), "growth", ""),
        rows(found),
    )
    totals: list[list[Cell]] = []
    for size in found:
        runs = [taken for part, taken in size.taken.items() if part.startswith("run ") and part != ONE_AGAIN]
        whole, one = sum(runs, Effort()), size.taken.get(ONE_AGAIN, Effort())
        totals.append([size.count, whole.wall, whole.cpu, one.wall, one.cpu, size.peak_mib, size.log_mib])
    columns = (
        "instances",
        "two stages, wall s",
        "CPU s",
        "one again, wall s",
        "CPU s",
        "peak so far, MiB",
        "event log, MiB",
    )
    print_table("through Dagster, in whole", columns, totals)


if __name__ == "__main__":
    main()
