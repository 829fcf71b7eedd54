"""How long `swe-assets run` takes from an empty store with the rehearsal judge, and how much is Dagster's.

The study is pinned by `study add` (not counted) in a home of its own, then run as a process with a clock read
around each part (benchmarks/timed_run.py). "dagster" is all that passes inside Dagster's own code and
storage: planning and running a run, its events and ours, asking for records. Baseline, beside it in the same
call: the same stages, exports, gates and reports in a process that keeps no records of Dagster's. The
difference of the two is a second measure of Dagster's part. The ratio is of CPU time, since the run that
comes second may wait for the disk to write what the first one left.

    python -m benchmarks.whole_run --predictions P --results R --results-key K --dataset D --mirrors DIR \
        --mirror django/django=PATH …
"""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from benchmarks.effort import Effort, effort
from benchmarks.inputs import DATASET, MIRROR, MIRRORS, PREDICTIONS, with_options
from benchmarks.study_home import python, swe_assets
from benchmarks.table import Cell, against, print_machine, print_table, ratio
from swe_assets.errors import SweAssetsError

NAME = "bench"
PARTS = ("make, store", "dagster", "plan", "exports", "gates", "reports", "import", "program")

Timed = tuple[Effort, list[dict[str, Any]], str]


def pin(home: Path, options: Sequence[str]) -> int:
    """Pin the study in a new home; return how many instances it holds."""
    home.mkdir()
    swe_assets(home, "study", "add", NAME, *options)
    return len((home / "studies" / NAME / "instances.txt").read_text("utf-8").splitlines())


def run(home: Path, *options: str) -> Timed:
    """Run the study in a process; return its effort from outside, its split, and what it said."""
    out = home / "split.json"
    with effort() as taken:
        done = python(home, "-m", "benchmarks.timed_run", str(out), NAME, *options)
    if not out.is_file():
        raise SweAssetsError(f"the run ended with {done.returncode} and no figures: {done.stderr[-2000:]}")
    said = [line for line in done.stderr.splitlines() if line and "inst/s" not in line and "?it" not in line]
    return taken, json.loads(out.read_bytes()), f"exit code {done.returncode}\n" + "\n".join(said[-40:])


def total(split: Sequence[dict[str, Any]], **wanted: str) -> Effort:
    """Return the effort of the rows whose stage or part is as wanted."""
    rows = [row for row in split if all(row[key] == value for key, value in wanted.items())]
    return Effort(sum(row["wall"] for row in rows), sum(row["cpu"] for row in rows))


def stage_rows(whole: Sequence[dict[str, Any]], bare: Sequence[dict[str, Any]]) -> list[list[Cell]]:
    """Return one row a stage: with Dagster, of which Dagster's own, without, and the ratio."""
    rows: list[list[Cell]] = []
    for stage in dict.fromkeys(row["stage"] for row in whole):
        both, own = total(whole, stage=stage), total(whole, stage=stage, part="dagster")
        alone = total(bare, stage=stage)
        shown = [both.wall, both.cpu, own.wall, own.cpu, alone.wall, alone.cpu]
        rows.append([stage, *shown, ratio(both.cpu, alone.cpu)])
    return rows


def report(whole: Timed, bare: Timed, count: int) -> None:
    """Print the run by stage and by part, and the figures against their targets."""
    (taken, split, _said), (alone, bare_split, _) = whole, bare
    own = total(split, part="dagster")
    columns = ("with s", "CPU s", "dagster's s", "CPU s", "without s", "CPU s", "CPU ratio")
    last: list[Cell] = ["whole process", taken.wall, taken.cpu, own.wall, own.cpu, alone.wall, alone.cpu]
    rows = [*stage_rows(split, bare_split), [*last, ratio(taken.cpu, alone.cpu)]]
    print_table(f"{count} instances from an empty store, with Dagster and without", ("stage", *columns), rows)
    parts: list[list[Cell]] = []
    for part in PARTS:
        left, right = total(split, part=part), total(bare_split, part=part)
        parts.append([part, left.wall, left.cpu, right.wall, right.cpu])
    print_table("by part", ("part", "with s", "CPU s", "without s", "CPU s"), parts)
    difference = taken - alone
    print_table(
        "against the targets",
        ("figure", "found", "target", ""),
        [
            against("whole run, wall s", taken.wall, 360, "s"),
            against("Dagster's own, wall s (timers)", own.wall, 180, "s"),
            ["Dagster's own, CPU s (timers)", own.cpu, "", ""],
            ["… by difference of the two runs, wall s", difference.wall, "", ""],
            ["… by difference of the two runs, CPU s", difference.cpu, "", ""],
        ],
    )


@click.command()
@with_options(PREDICTIONS, DATASET, MIRRORS, MIRROR)
@click.option("--results", required=True, help="Results, as `study add` takes them.")
@click.option("--results-key", help="Block of the results.")
@click.option("--show", is_flag=True, help="Also print what the run said.")
def main(
    predictions: str,
    dataset: str,
    mirrors: Path | None,
    mirror: tuple[str, ...],
    results: str,
    results_key: str | None,
    *,
    show: bool,
) -> None:
    """Run a study from an empty store with Dagster and without, and print where the time goes."""
    print_machine()
    given = {"predictions": predictions, "dataset": dataset, "results": results, "results-key": results_key}
    options = [f"--{name}={value}" for name, value in given.items() if value is not None]
    options += [f"--mirrors={mirrors}"] if mirrors else []
    options += [f"--mirror={entry}" for entry in mirror]
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        homes = Path(name) / "with", Path(name) / "without"
        counts = [pin(home, options) for home in homes]
        whole, bare = run(homes[0]), run(homes[1], "--bare")
    if show:
        print(f"\n{whole[2]}\n\nwithout Dagster: {bare[2]}")
    report(whole, bare, counts[0])


if __name__ == "__main__":
    main()
