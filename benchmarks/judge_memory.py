"""Whether memory stays flat over 5,000 model calls, in threads, through the real SDK, each answer kept.

2,500 made-up instances are judged in two passes by the call layer in a process of its own, which prints its
resident set after each hundred. The baseline is its memory after the first tenth of the calls. Then as many
are judged by `swe-assets run`, one paid stage after the other, of which the peak is told.

    python -m benchmarks.judge_memory [--calls 5000] [--latency 0.02]
"""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import click

from benchmarks.judge_stub import stub
from benchmarks.judge_study import NAME, STAGES, pin, write_models
from benchmarks.study_home import environment
from benchmarks.table import Cell, against, print_machine, print_table
from swe_assets.errors import SweAssetsError
from swe_assets.home import CHECKOUT

LIMIT_MIB, GROWTH_LIMIT = 300, 1.15


@dataclass(frozen=True)
class Memory:
    """The resident set in MiB by calls made, and the peak of the process."""

    at: dict[int, float]
    peak_mib: float

    @property
    def growth(self) -> float:
        """Return how many times what it holds after a tenth of the calls it holds at the end."""
        found = list(self.at.values())
        return found[-1] / found[max(0, len(found) // 10 - 1)]


def memory_over(calls: int, concurrency: int, latency_s: float) -> Memory:
    """Return the memory of a process that makes so many calls, two an instance."""
    with stub(latency_s=latency_s) as service, tempfile.TemporaryDirectory(prefix="bench-") as folder:
        options = [f"--count={calls // 2}", f"--concurrency={concurrency}", "--watch"]
        command = [sys.executable, "-m", "benchmarks.judge_layer", service.url, folder, *options]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        assert len(list(Path(folder).glob("*/*.call"))) == service.told().counts.total() == calls
    *watched, last = (json.loads(line) for line in done.stdout.splitlines())
    return Memory({2 * row["done"]: row["mib"] for row in watched}, last["peak_mib"])


def run_peaks(calls: int, concurrency: int, latency_s: float) -> list[float]:
    """Return the peak memory in MiB of `swe-assets run` of each paid stage over half as many instances."""
    with stub(latency_s=latency_s) as service, tempfile.TemporaryDirectory(prefix="bench-") as name:
        home = Path(name) / "home"
        write_models(home, service, concurrency)
        pin(home, calls // 2)
        peaks = [run_peak(home, stage) for stage in STAGES]
        assert service.told().counts.total() == calls
    return peaks


def run_peak(home: Path, stage: str) -> float:
    """Run a stage by the command line; return its peak in MiB, raise SweAssetsError where it failed."""
    command = [sys.executable, "-m", "swe_assets", "run", NAME, f"--only={stage}"]
    quiet = subprocess.DEVNULL
    running = subprocess.Popen(command, cwd=CHECKOUT, env=environment(home), stdout=quiet, stderr=quiet)
    _pid, status, spent = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    if status:
        raise SweAssetsError(f"swe-assets run --only={stage} ended with {running.returncode}")
    return spent.ru_maxrss / 1024


@click.command()
@click.option("--calls", default=5000, show_default=True, help="Calls, two an instance.")
@click.option("--concurrency", default=16, show_default=True, help="Calls under way at once.")
@click.option("--latency", default=0.02, show_default=True, help="Seconds that the service waits.")
def main(calls: int, concurrency: int, latency: float) -> None:
    """Make many calls and print how much memory they need as they go on."""
    print_machine()
    found = memory_over(calls, concurrency, latency)
    steps = list(found.at.items())
    shown: list[list[Cell]] = [[done, mib] for done, mib in steps[:: max(1, len(steps) // 10)]]
    print_table(f"memory over {calls:,} calls", ("calls", "resident MiB"), shown)
    rows = [
        against("peak", found.peak_mib, LIMIT_MIB, "MiB"),
        against("at the end, of what it was after a tenth", found.growth, GROWTH_LIMIT, "x"),
    ]
    peaks = run_peaks(calls, concurrency, latency)
    rows += [
        against(f"peak of swe-assets run, {stage}", peak, LIMIT_MIB, "MiB")
        for stage, peak in zip(STAGES, peaks, strict=True)
    ]
    print_table("against the targets", ("figure", "found", "target", ""), rows)


if __name__ == "__main__":
    main()
