"""How long a study's instances take from patches to the matrix on a SonarQube server that is up.

Ours: `swe-assets run` with the analyser sonarqube in batch mode and the rehearsal judge, from an empty store,
as a process of its own; then a second submission on the same dataset, whose base measures are kept: the
dataset's own patches (so --dataset is a file of JSON lines that has them, gzipped or not).

Baseline, in the same call: for ten instances a full checkout, and a scanner of its own for each side. The
scanner's processor time is what the shell's `times` says of each run; the server's is read from /proc.

    python -m benchmarks.sonar_speed --predictions P --results R --results-key K --dataset D --mirrors DIR \
        --mirror django/django=PATH … [--instances 500] [--naive 10]
"""

import gzip
import json
import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from benchmarks.effort import Effort, TreeMemory, effort
from benchmarks.inputs import (
    DATASET,
    INSTANCES,
    MIRROR,
    MIRRORS,
    PREDICTIONS,
    Task,
    mirror_settings,
    read_tasks,
    with_options,
)
from benchmarks.naive_scans import Naive, NaiveScans
from benchmarks.server_cpu import server_cpu, server_process
from benchmarks.study_home import swe_assets
from benchmarks.table import Cell, against, at_least, print_machine, print_table, ratio
from benchmarks.timed_scanner import TimedScanner
from swe_assets.errors import InputError
from swe_assets.sonarqube.connection import SonarConnection, find_connection
from swe_assets.sonarqube.distribution import scanner_home

PUBLISHED_HOURS = 125
PUBLISHED_INSTANCES = 500
EVERYTHING = 1_000_000
SEED = 20240402
COLUMNS = (
    "run",
    "wall s",
    "scanner CPU s",
    "scans",
    "sides",
    "server CPU s",
    "other CPU s",
    "peak MiB",
    "rows",
)


@dataclass(frozen=True)
class Submission:
    """One run of a study: what it took as a whole, its scanners, the server, and the peak of memory."""

    taken: Effort
    scanners: list[float]
    server: float
    memory_mib: float
    rows: int
    sides: int

    @property
    def scanner_cpu(self) -> float:
        """Return the processor seconds of all its scanners."""
        return sum(self.scanners)

    def cells(self) -> list[Cell]:
        """Return the figures as they stand in the table."""
        scans, other = len(self.scanners), self.taken.cpu - self.scanner_cpu
        counted = [scans, self.sides, self.server, other, self.memory_mib, self.rows]
        return [self.taken.wall, self.scanner_cpu, *counted]


def run_study(
    home: Path, name: str, options: Sequence[str], scanner: TimedScanner, server: int | None
) -> Submission:
    """Pin a study, which is not counted, run it to its matrix and return what that took."""
    home.mkdir(exist_ok=True)
    swe_assets(home, "study", "add", name, *options)
    before, served = len(scanner.runs()), server_cpu(server)
    with TreeMemory() as memory, effort() as taken:
        swe_assets(home, "run", name)
    matrix = (home / "studies" / name / "results" / "matriz_consolidada.csv").read_text("utf-8")
    scanners = scanner.runs()[before:]
    spent = server_cpu(server) - served
    rows = len(matrix.splitlines()) - 1
    return Submission(taken, scanners, spent, memory.resident, rows, scanned_sides(home, name))


def scanned_sides(home: Path, name: str) -> int:
    """Return how many sides of a study's instances were scanned, not taken from what was kept."""
    told = json.loads((home / "studies" / name / "results" / "progresso_sonar.json").read_bytes())
    receipts = [one for row in told.values() for one in row.get("receipts", {}).values()]
    return sum(bool(one) and not one.get("kept") for one in receipts)


def gold(dataset: Path, ids: Sequence[str], folder: Path) -> list[str]:
    """Write the dataset's own patches of some instances as a submission; return the options that name it."""
    wanted = set(ids)
    rows = [row for row in dataset_rows(dataset) if row["instance_id"] in wanted]
    if not rows or "patch" not in rows[0]:
        raise InputError(f"{str(dataset)!r} has no rows with a column 'patch', which the second run needs")
    predictions, results = folder / "gold.jsonl", folder / "gold-results.json"
    lines = ({"instance_id": row["instance_id"], "model_patch": row["patch"]} for row in rows)
    predictions.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    results.write_text(json.dumps({"resolved_ids": [row["instance_id"] for row in rows]}), encoding="utf-8")
    return [f"--predictions={predictions}", f"--results={results}"]


def dataset_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a dataset in JSON lines, gzipped or not."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def first_predictions(tasks: Sequence[Task], folder: Path) -> str:
    """Write the predictions of the chosen instances to a file and return its path."""
    path = folder / "first.jsonl"
    lines = ({"instance_id": task.instance_id, "model_patch": task.patch} for task in tasks)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def report(first: Submission, second: Submission, naive: Naive, naive_cpu: float, count: int) -> None:
    """Print the runs beside each other and the figures against their targets."""
    print_table(
        f"{count} instances, base and patched, batch mode, patches to matrix",
        COLUMNS,
        [["first submission", *first.cells()], ["second submission", *second.cells()]],
    )
    done = len(naive.instances)
    print_table(
        f"the naive way, {done} instances, {2 * done} scans",
        ("part", "wall s", "CPU s", "CPU s an instance"),
        [
            ["checkouts", naive.checkouts.wall, naive.checkouts.cpu, naive.checkouts.cpu / done],
            ["scans and tasks", naive.scans.wall, naive_cpu, naive_cpu / done],
        ],
    )
    share = count / PUBLISHED_INSTANCES
    hours = PUBLISHED_HOURS * 3600 * share / first.taken.wall
    second_share = 100 * second.scanner_cpu / first.scanner_cpu
    print_table(
        "against the targets",
        ("figure", "found", "target", ""),
        [
            against("scanner CPU, s", first.scanner_cpu, 1400 * share, "s"),
            against("wall, s", first.taken.wall, 900 * share, "s"),
            at_least("scanner CPU, naive / ours", naive_cpu / done / (first.scanner_cpu / count), 6, "x"),
            against("second / first, scanner CPU, %", second_share, 60, "%"),
            ["second / first, sides scanned, %", 100 * second.sides / first.sides, "", ""],
            at_least("published 125 h for 500 / ours", hours, 500, "x"),
            ["wall, naive / ours", ratio(naive.scans.wall / done, first.taken.wall / count), "", ""],
        ],
    )


def settings_of(mirrors: Path | None, mirror: tuple[str, ...]) -> list[str]:
    """Return the options of `study add` that name mirrors."""
    return [*([f"--mirrors={mirrors}"] if mirrors else []), *(f"--mirror={entry}" for entry in mirror)]


@click.command()
@with_options(PREDICTIONS, DATASET, MIRRORS, MIRROR, INSTANCES)
@click.option("--results", required=True, help="Results, as `study add` takes them.")
@click.option("--results-key", default="", help="Block of the results.")
@click.option(
    "--naive", "naive_count", type=int, default=10, show_default=True, help="Instances done naively."
)
def main(
    predictions: str,
    dataset: str,
    mirrors: Path | None,
    mirror: tuple[str, ...],
    instances: int,
    results: str,
    results_key: str,
    naive_count: int,
) -> None:
    """Run two submissions on a server that is up, and some instances the naive way, and print all."""
    print_machine()
    connection: SonarConnection = find_connection()
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        tasks = spread(read_tasks(predictions, dataset, EVERYTHING, folder), instances)
        scanner = TimedScanner(folder, scanner_home())
        named = {"SONAR_SCANNER_HOME": str(scanner.home), "SWE_ASSETS_CACHE": str(folder / "cache")}
        os.environ |= {**named, "SONAR_HOST_URL": connection.url, "SONAR_TOKEN": connection.token}
        shared = [f"--dataset={dataset}", "--analyser=sonarqube", *settings_of(mirrors, mirror)]
        own = [f"--predictions={first_predictions(tasks, folder)}", f"--results={results}"]
        own += [f"--results-key={results_key}"] if results_key else []
        ids = [task.instance_id for task in tasks]
        options = {"first": own, "second": gold(Path(dataset), ids, folder)}
        server = server_process(connection.url)
        runs = [run_study(folder / "home", n, [*o, *shared], scanner, server) for n, o in options.items()]
        before = len(scanner.runs())
        settings = mirror_settings(folder, mirrors, mirror)
        drawn = random.Random(SEED).sample(tasks, len(tasks))  # noqa: S311 - a sample, no secret
        naive = NaiveScans(folder, scanner.home, connection).run(drawn, settings, naive_count)
        report(runs[0], runs[1], naive, sum(scanner.runs()[before:]), len(tasks))


def spread(tasks: Sequence[Task], count: int) -> list[Task]:
    """Return some tasks from all over the dataset, in its order."""
    step = max(1.0, len(tasks) / count)
    return [tasks[int(number * step)] for number in range(min(count, len(tasks)))]


if __name__ == "__main__":
    main()
