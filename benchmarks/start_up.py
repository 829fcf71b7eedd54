"""How long the command line takes to answer, and Dagster to load the definitions.

Each figure is the median over processes started for it, the kinds in turn. `swe-assets --help` stands beside
`python -c pass`; loading the definitions, with studies of 500 instances pinned, beside `import dagster`.

    python -m benchmarks.start_up [--studies 3] [--instances 500] [--runs 5]
"""

import os
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from benchmarks.effort import Effort, effort
from benchmarks.made_up import pin, write_inputs
from benchmarks.study_home import python
from benchmarks.table import Cell, against, print_machine, print_table, ratio
from swe_assets.errors import SweAssetsError

COMMANDS: dict[str, tuple[str, ...]] = {
    "python -c pass": ("-c", "pass"),
    "swe-assets --help": ("-m", "swe_assets", "--help"),
    "import dagster": ("-c", "import dagster"),
    "load the definitions": (
        "-c",
        "from swe_assets.patch_quality.definitions import defs; defs.get_repository_def()",
    ),
}


def once(home: Path, arguments: Sequence[str]) -> Effort:
    """Return what one process took; raise SweAssetsError where it failed."""
    with effort() as taken:
        done = python(home, *arguments)
    if done.returncode:
        raise SweAssetsError(f"python {' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
    return taken


def medians(home: Path, runs: int) -> dict[str, Effort]:
    """Return the median effort of each command, after one run of each that is not counted."""
    taken: dict[str, list[Effort]] = {name: [] for name in COMMANDS}
    for number in range(runs + 1):
        for name, arguments in COMMANDS.items():
            found = once(home, arguments)
            if number:
                taken[name].append(found)
    return {
        name: Effort(statistics.median(t.wall for t in times), statistics.median(t.cpu for t in times))
        for name, times in taken.items()
    }


def rows(found: dict[str, Effort]) -> list[list[Cell]]:
    """Return each command beside its baseline."""
    help_, nothing = found["swe-assets --help"], found["python -c pass"]
    loaded, dagster = found["load the definitions"], found["import dagster"]
    return [
        ["swe-assets --help", "python -c pass", *_beside(help_, nothing)],
        ["load the definitions", "import dagster", *_beside(loaded, dagster)],
    ]


def _beside(ours: Effort, baseline: Effort) -> list[Cell]:
    return [ours.wall, ours.cpu, baseline.wall, baseline.cpu, ratio(ours.wall, baseline.wall)]


@click.command()
@click.option("--studies", type=click.IntRange(0), default=3, show_default=True, help="Studies pinned.")
@click.option("--instances", type=click.IntRange(1), default=500, show_default=True, help="In each.")
@click.option("--runs", type=click.IntRange(1), default=5, show_default=True, help="Medians of so many.")
def main(studies: int, instances: int, runs: int) -> None:
    """Print how long the command line's help and Dagster's loading of the definitions take."""
    print_machine()
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        home = Path(name)
        os.environ["SWE_ASSETS_HOME"] = name
        inputs = write_inputs(home / "inputs", instances)
        for number in range(studies):
            pin(f"made_up_{number}", inputs)
        found = medians(home, runs)
    print_table(
        f"start-up with {studies} studies of {instances}, s (median of {runs})",
        ("ours", "baseline", "ours wall", "ours CPU", "baseline wall", "baseline CPU", "ours/baseline"),
        rows(found),
    )
    beyond = found["load the definitions"] - found["import dagster"]
    print_table(
        "against the targets",
        ("figure", "found", "target", ""),
        [
            against("swe-assets --help, wall s", found["swe-assets --help"].wall, 0.7, "s"),
            against("definitions beyond import dagster, wall s", beyond.wall, 2.5, "s"),
            ["definitions beyond import dagster, CPU s", beyond.cpu, "", ""],
        ],
    )


if __name__ == "__main__":
    main()
