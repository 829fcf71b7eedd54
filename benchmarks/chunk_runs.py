"""What one chunk costs a worker out of 5,000, 50,000 and 500,000 instances.

A worker that makes 500 instances of a study must not pay for the others. Tiny made-up instances, pinned by
the product, each size in a home of its own; the chunks are those of the stage `patches`, done by the function
that workers do. The baseline is the same chunk at the smallest size, so a ratio of 1 means that the others
cost nothing. What the command line itself does over all instances (load, plan a stage) is given beside it.

    python -m benchmarks.chunk_runs [--sizes 5000,50000,500000] [--chunk 500]
"""

import os
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

import click
import dagster as dg

from benchmarks.effort import MIB, Effort, effort, peak_own_mib
from benchmarks.made_up import pin, write_inputs
from benchmarks.table import Cell, print_machine, print_table
from swe_assets.patch_quality import patches
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.run_chunk import TURN_NOTE, Chunk, pin_of, run_chunk
from swe_assets.patch_quality.study import load_study
from swe_assets.storage.instance import open_instance
from swe_assets.storage.stage import plan_stage
from swe_assets.storage.turns import turn

NAME = "many"
CHUNKS = 3


def measure(count: int, chunk: int) -> dict[str, Effort]:
    """Return what each part takes at one number of instances."""
    taken: dict[str, Effort] = {}

    def note(part: str, work: Callable[[], object]) -> None:
        with effort() as found:
            work()
        taken[part] = found

    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        os.environ["SWE_ASSETS_HOME"] = name
        inputs = write_inputs(Path(name) / "inputs", count)
        note("pin the study", lambda: pin(NAME, inputs))
        note("load the study", lambda: load_study(NAME))
        bench = PatchBench.open(NAME)
        note("index of predictions, once", lambda: bench.predictions[bench.instances[0]])
        note("plan a stage over all", lambda: plan_stage(patches.STAGE, bench, bench.instances))
        with open_instance() as instance, turn(instance, NAME) as token:
            bench.store.write_note(TURN_NOTE, token)
            for number in range(CHUNKS):
                ids = bench.instances[number * chunk : (number + 1) * chunk]
                task = Chunk(NAME, "patches", number, ids, frozenset(ids), False, token, pin_of(bench.study))
                note(f"chunk {number + 1}", lambda task=task: run_chunk(task))  # type: ignore[misc]  # a default of a lambda has no type
            note("chunk 3 again", lambda: run_chunk(task))
        log = next(Path(name).rglob("event_log.db"), None)
        size = (log.stat().st_size / MIB) if log else 0.0
        click.echo(f"{count:,}: peak so far {peak_own_mib():,.0f} MiB, event log {size:,.1f} MiB", err=True)
    return taken


def rows(found: dict[int, dict[str, Effort]]) -> list[list[Cell]]:
    """Return each part in seconds of wall and CPU by size, and its CPU at the largest over the smallest."""
    first, last = min(found), max(found)
    table: list[list[Cell]] = []
    for part in found[first]:
        cells = [f"{found[n][part].wall:.3g} / {found[n][part].cpu:.3g}" for n in found]
        growth = found[last][part].cpu / max(found[first][part].cpu, 1e-6)
        table.append([part, *cells, f"{growth:.2f}"])
    return table


@click.command()
@click.option("--sizes", default="5000,50000,500000", show_default=True, help="Numbers of instances.")
@click.option("--chunk", default=500, show_default=True, help="Instances of one chunk.")
def main(sizes: str, chunk: int) -> None:
    """Print what a chunk takes at each size."""
    warnings.filterwarnings("ignore", category=dg.BetaWarning)
    os.environ.pop("DAGSTER_HOME", None)
    print_machine()
    found = {int(size): measure(int(size), chunk) for size in sizes.split(",")}
    columns = ("part", *(f"{size:,}" for size in found), "growth")
    print_table(f"seconds, wall / CPU; chunks of {chunk} instances", columns, rows(found))


if __name__ == "__main__":
    main()
