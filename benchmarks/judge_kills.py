"""What kill -9 in the middle of judging costs: nothing that was answered and kept.

`swe-assets run` of the first pass over 500 made-up instances, 16 calls at once, is killed with its children
at ten random moments and begun again each time; then both passes are made to their end. The stub counts
each question. The baseline is a run that is never killed, which asks each question once.
A question may be asked more than once only where no kept answer was there when the run was killed, which is
at most as many a kill as calls may be under way.

    python -m benchmarks.judge_kills [--count 500] [--kills 10] [--seed 7]
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from benchmarks.judge_stages import made_stages
from benchmarks.judge_stub import Stub, fingerprint, stub
from benchmarks.judge_study import NAME, STAGES, judging, pin, write_models
from benchmarks.study_home import environment
from benchmarks.table import Cell, against, print_machine, print_table
from swe_assets.home import CHECKOUT
from swe_assets.llm.call_store import CallStore


@dataclass
class Tally:
    """What the kills came to: kept answers at each, questions asked again, and what was lost at the end."""

    kept: list[int] = field(default_factory=list)
    paid_twice: int = 0
    again: int = 0
    lost: int = 0


def kept_answers(home: Path) -> set[str]:
    """Return the fingerprints of the questions whose answers are kept whole."""
    store = CallStore(home / "calls" / "answers")
    return {fingerprint(str(answer.request["user"])) for answer in store.answers()}


RUN = ("-m", "swe_assets", "run", NAME, f"--only={STAGES[0]}")
BARE = ("-m", "benchmarks.judge_stages", NAME, STAGES[0])
"""The run that is killed, and the same stage without Dagster."""


def killed_run(home: Path, command: Sequence[str], more: int, pause_s: float) -> None:
    """Start a run; kill it and its children a moment after so many more answers are kept."""
    running = subprocess.Popen(
        [sys.executable, *command],
        cwd=CHECKOUT,
        env=environment(home),
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    store = CallStore(home / "calls" / "answers")
    wanted = len(store.keys()) + more
    while running.poll() is None and len(store.keys()) < wanted:
        time.sleep(0.01)
    time.sleep(pause_s)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()


def kill_and_resume(
    service: Stub, home: Path, count: int, moments: Sequence[float], command: Sequence[str]
) -> Tally:
    """Kill runs, each so many kept answers on, then judge to the end; return what it cost."""
    tally, settled = Tally(), dict[str, int]()
    for more in moments:
        killed_run(home, command, int(more), more % 1 / 5)
        time.sleep(0.5)  # what the service still answers into the void is counted by then
        counts, kept = service.told().counts, kept_answers(home)
        tally.kept.append(len(kept))
        settled |= {question: counts[question] for question in kept if question not in settled}
    for stage in STAGES:
        judging(home, stage)
    counts = service.told().counts
    tally.paid_twice = sum(counts[question] - times for question, times in settled.items())
    tally.again = again(counts)
    tally.lost = 2 * count - made_stages(home)
    return tally


def again(counts: Counter[str]) -> int:
    """Return how many questions more were asked than there are."""
    return counts.total() - len(counts)


@click.command()
@click.option("--count", default=500, show_default=True, help="Instances.")
@click.option("--kills", default=10, show_default=True, help="How often the run is killed.")
@click.option("--concurrency", default=16, show_default=True, help="Calls under way at once.")
@click.option("--seed", default=7, show_default=True, help="Seed of the moments.")
def main(count: int, kills: int, concurrency: int, seed: int) -> None:
    """Kill a judging run again and again and print what was paid twice and what was lost."""
    print_machine()
    with stub() as service, tempfile.TemporaryDirectory(prefix="bench-") as name:
        home = Path(name) / "home"
        write_models(home, service, concurrency)
        pin(home, count)
        dice = random.Random(seed)  # noqa: S311 - moments to be repeated, no secret
        moments = [dice.uniform(1, count / (kills + 4)) for _ in range(kills)]
        tally = kill_and_resume(service, home, count, moments, RUN)
    print(f"\nanswers kept at each kill: {', '.join(map(str, tally.kept))}")
    rows: list[list[Cell]] = [
        against("kept answers paid for again", tally.paid_twice, 0, "calls"),
        against("lost", tally.lost, 0, "records"),
        against("cut off on the way and asked again", tally.again, kills * concurrency, "calls"),
        ["… of all calls of a run never killed", f"{tally.again / (2 * count):.3f}x", "", ""],
    ]
    print_table("against the targets", ("figure", "found", "target", ""), rows)


if __name__ == "__main__":
    main()
