"""Our call layer beside inspect_ai: the same stub, questions, parameters and calls at once, in one run.

The questions of both passes over 500 made-up instances are asked from a list, by both in turns. inspect_ai,
which is the baseline, runs in an environment of its own that this benchmark makes once in a cache folder
(python -m venv, pip install); nothing of it goes into ours. Both go through the openai SDK to the stub, both
keep each answer: ours durably in the call store before it is used, inspect_ai's in its log.

    python -m benchmarks.judge_beside_inspect [--count 500] [--concurrency 16] [--rounds 3]
"""

import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click

from benchmarks.effort import effort
from benchmarks.judge_stub import Stub, stub
from benchmarks.judge_study import both_passes
from benchmarks.table import Cell, against, print_machine, print_table
from swe_assets.errors import SweAssetsError
from swe_assets.home import CHECKOUT
from swe_assets.llm.object_schema import object_schema

PACKAGES = ("inspect_ai==0.3.285", "openai==3.57.0")
SIDE = Path(__file__).with_name("inspect_side.py")


@dataclass(frozen=True)
class Asked:
    """One round of one side: without imports, the whole process, and from first call to last answer (s)."""

    wall: float
    cpu: float
    whole: float
    span: float


def cache_folder() -> Path:
    """Return where the other environment is kept between runs."""
    kept = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(kept) / "swe-assets-benchmarks" / PACKAGES[0].replace("==", "-")


def environment(folder: Path) -> Path:
    """Return the Python of an environment with inspect_ai, made where it is not there yet."""
    python, ready = folder / "bin" / "python", folder / "ready"
    if not ready.is_file():
        venv.create(folder, clear=True, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        ready.touch()
    return python


def write_questions(path: Path, count: int) -> int:
    """Write both passes' questions, a JSON object a line; return how many."""
    asked = both_passes(count)
    rows = [
        {"system": one.system, "user": one.user, "schema": object_schema(one.schema)}
        for one in asked
        if one.schema is not None
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return len(rows)


def timed(service: Stub, command: Sequence[str | Path], calls: int, concurrency: int) -> Asked:
    """Run one side and return what it took; raise SweAssetsError where it is not the same work."""
    with effort() as whole:
        done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SweAssetsError(f"{command[1]} ended with {done.returncode}: {done.stderr[-2000:]}")
    told, said = service.forget(), json.loads(done.stdout.splitlines()[-1])
    if (told.counts.total(), len(told.counts)) != (calls, calls) or told.most > concurrency:
        raise SweAssetsError(f"{told.counts.total()} calls, {told.most} at once, are not the same work")
    return Asked(said["wall"], said["cpu"], whole.wall, told.span_s)


def rows_of(sides: dict[str, list[Asked]], ideal_s: float) -> list[list[Cell]]:
    """Return a row a side: medians over the rounds."""
    rows: list[list[Cell]] = []
    for name, rounds in sides.items():
        figures = [median(getattr(one, part) for one in rounds) for part in ("span", "wall", "whole", "cpu")]
        rows.append([name, *figures, f"{figures[0] / ideal_s:.2f}x"])
    return rows


def rounds_of(python: Path, count: int, concurrency: int, rounds: int) -> dict[str, list[Asked]]:
    """Ask the questions by both sides in turns."""
    sides: dict[str, list[Asked]] = {"inspect_ai": [], "ours": []}
    with stub() as service, tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        calls = write_questions(folder / "questions.jsonl", count)
        at_once = [str(concurrency), str(concurrency + concurrency // 4)]
        for number in range(rounds):
            theirs: list[str | Path] = [
                python,
                SIDE,
                service.url,
                folder / "questions.jsonl",
                folder / f"logs-{number}",
            ]
            sides["inspect_ai"].append(timed(service, [*theirs, *at_once], calls, concurrency))
            options = ["--apart", f"--count={count}", f"--concurrency={concurrency}"]
            ours: list[str | Path] = [
                sys.executable,
                "-m",
                "benchmarks.judge_layer",
                service.url,
                folder / f"kept-{number}",
            ]
            sides["ours"].append(timed(service, [*ours, *options], calls, concurrency))
    return sides


@click.command()
@click.option("--count", default=500, show_default=True, help="Instances, two questions each.")
@click.option("--concurrency", default=16, show_default=True, help="Calls under way at once.")
@click.option("--rounds", default=3, show_default=True, help="How often each side asks all, in turns.")
def main(count: int, concurrency: int, rounds: int) -> None:
    """Ask the same questions by inspect_ai and by us and print the ratio."""
    print_machine()
    sides = rounds_of(environment(cache_folder()), count, concurrency, rounds)
    ideal_s = 2 * count * 0.2 / concurrency
    columns = (
        "side",
        "first call to last answer s",
        "without imports s",
        "process s",
        "CPU s",
        "of the ideal",
    )
    print_table(
        f"{2 * count} questions, ideal {ideal_s:g} s, medians of {rounds}", columns, rows_of(sides, ideal_s)
    )
    ours, theirs = ([one.span for one in sides[name]] for name in ("ours", "inspect_ai"))
    whole = [median(one.whole for one in sides[name]) for name in ("ours", "inspect_ai")]
    rows = [
        against("ours, of inspect_ai's span", median(ours) / median(theirs), 1.0, "x"),
        against("ours, of inspect_ai's process", whole[0] / whole[1], 1.0, "x"),
    ]
    print_table("against the targets", ("figure", "found", "target", ""), rows)


if __name__ == "__main__":
    main()
