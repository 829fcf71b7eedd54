"""How long the judging of 500 instances takes, two calls each, against a service that waits 200 ms.

The baseline is the ideal: calls times latency, divided by how many may be under way at once (16), 12.5 s.
Measured three times: the call layer alone (requests, attempts, pace, budget, call store), the paid stages
with their claims and records but without Dagster, and `swe-assets run` of each paid stage. The span, from a
stage's first call to its last answer, is held against the ideal; the whole is with the processes' start.
Then all once more with a service at which a tenth of the questions fail at first, in five ways.

    python -m benchmarks.judge_calls [--count 500] [--concurrency 16] [--latency 0.2]
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from benchmarks.effort import Effort, effort
from benchmarks.judge_stages import made_stages
from benchmarks.judge_stub import Stub, Told, stub
from benchmarks.judge_study import NAME, STAGES, judging, pin, write_models
from benchmarks.study_home import swe_assets
from benchmarks.table import Cell, against, print_machine, print_table
from swe_assets.errors import SweAssetsError

LIMIT, LIMIT_FAILING, FAIL_SHARE = 1.25, 1.5, 0.1
COLUMNS = ("what", "span s", "of the ideal", "whole s", "CPU s", "calls", "lost")


@dataclass
class Measured:
    """One way of judging: from first call to last answer, the whole, calls, and what is lost."""

    what: str
    span_s: float
    whole: Effort
    calls: int
    failed: int
    lost: int

    def row(self, ideal_s: float) -> list[Cell]:
        """Return its row in the table."""
        of_ideal = f"{self.span_s / ideal_s:.2f}x"
        return [self.what, self.span_s, of_ideal, self.whole.wall, self.whole.cpu, self.calls, self.lost]


def check_bounds(told: Told, concurrency: int) -> None:
    """Raise SweAssetsError where more calls were under way than allowed, which would make the figure void."""
    if told.most > concurrency:
        raise SweAssetsError(f"{told.most} calls were under way at once, {concurrency} are allowed")


def layer(service: Stub, folder: Path, count: int, concurrency: int) -> Measured:
    """Judge by the call layer alone, in a process of its own."""
    options = [f"--count={count}", f"--concurrency={concurrency}"]
    command = [sys.executable, "-m", "benchmarks.judge_layer", service.url, str(folder), *options]
    with effort() as whole:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    told = service.forget()
    check_bounds(told, concurrency)
    kept = len(list(folder.glob("*/*.call")))
    return measured("call layer alone", [told], whole, 2 * count - kept)


def stages(service: Stub, home: Path, count: int, concurrency: int) -> Measured:
    """Judge by the paid stages, in a process without Dagster's records."""
    pin(home, count)
    spans: list[Told] = []
    with effort() as whole:
        for stage in STAGES:
            judging(home, stage)
            spans.append(service.forget())
            check_bounds(spans[-1], concurrency)
    return measured("paid stages, no Dagster", spans, whole, 2 * count - made_stages(home))


def run(service: Stub, home: Path, count: int, concurrency: int) -> Measured:
    """Judge by `swe-assets run`, one paid stage after the other."""
    pin(home, count)
    spans: list[Told] = []
    with effort() as whole:
        for stage in STAGES:
            swe_assets(home, "run", NAME, f"--only={stage}")
            spans.append(service.forget())
            check_bounds(spans[-1], concurrency)
    return measured("swe-assets run", spans, whole, 2 * count - made_stages(home))


def measured(what: str, spans: list[Told], whole: Effort, lost: int) -> Measured:
    """Return what the service counted as one measurement."""
    calls = sum(told.counts.total() for told in spans)
    failed = sum(told.failed for told in spans)
    return Measured(what, sum(told.span_s for told in spans), whole, calls, failed, lost)


@contextmanager
def new_home(service: Stub, concurrency: int) -> Iterator[Path]:
    """Give a home whose models.toml names the service."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        home = Path(name) / "home"
        write_models(home, service, concurrency)
        yield home


def measure(count: int, concurrency: int, latency_s: float, fail_share: float) -> list[Measured]:
    """Judge in all three ways."""
    found = []
    with stub(latency_s=latency_s, fail_share=fail_share) as service:
        for way in (layer, stages, run):
            with new_home(service, concurrency) as home:
                place = home / "calls" if way is layer else home
                found.append(way(service, place, count, concurrency))
    return found


@click.command()
@click.option("--count", default=500, show_default=True, help="Instances, two calls each.")
@click.option("--concurrency", default=16, show_default=True, help="Calls under way at once.")
@click.option("--latency", default=0.2, show_default=True, help="Seconds that the service waits.")
def main(count: int, concurrency: int, latency: float) -> None:
    """Judge made-up instances against a stub and print the time as a ratio to the ideal."""
    print_machine()
    ideal_s = 2 * count * latency / concurrency
    targets = []
    for share, limit in ((0.0, LIMIT), (FAIL_SHARE, LIMIT_FAILING)):
        found = measure(count, concurrency, latency, share)
        title = f"{2 * count} calls of {latency:g} s at {concurrency} at once, ideal {ideal_s:g} s"
        more = f"; {found[0].failed} of them fail at first" if share else ""
        print_table(title + more, COLUMNS, [one.row(ideal_s) for one in found])
        beside = f", {share:.0%} failing once" if share else ""
        targets += [
            against(f"{one.what}{beside}, of the ideal", one.span_s / ideal_s, limit, "x") for one in found
        ]
        targets.append(against(f"lost{beside}", sum(one.lost for one in found), 0, "answers"))
    print_table("against the targets", ("figure", "found", "target", ""), targets)
    print(json.dumps({"load at the end": Path("/proc/loadavg").read_text("ascii").split()[0]}))


if __name__ == "__main__":
    main()
