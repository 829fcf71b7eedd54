"""A judging run that is interrupted keeps every answer that it paid for, and none is paid for twice."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.judge_kills import kept_answers
from benchmarks.judge_stages import made_stages
from benchmarks.judge_stub import stub
from benchmarks.judge_study import NAME, STAGES, judging, pin, write_models
from benchmarks.study_home import environment
from swe_assets.home import CHECKOUT

COUNT = 40


def started(home: Path) -> subprocess.Popen[bytes]:
    """Start the first pass by the command line, five instances at once."""
    command = [sys.executable, "-m", "swe_assets", "run", NAME, f"--only={STAGES[0]}"]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=CHECKOUT, env=environment(home), stdout=quiet, stderr=quiet)


def wait_for_answers(running: subprocess.Popen[bytes], home: Path, count: int) -> None:
    """Wait until so many answers are kept."""
    until = time.monotonic() + 120
    while len(kept_answers(home)) < count and running.poll() is None and time.monotonic() < until:
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_all_that_it_paid_for(tmp_path: Path, number: signal.Signals) -> None:
    """It ends with 130, each question asked has its answer kept, and the next run asks just the others."""
    home = tmp_path / "home"
    with stub(latency_s=0.3) as service:
        write_models(home, service, 4)
        pin(home, COUNT)
        running = started(home)
        wait_for_answers(running, home, 6)
        running.send_signal(number)
        assert running.wait(timeout=120) == 130
        assert set(service.told().counts) == kept_answers(home) and made_stages(home) < COUNT
        judging(home, STAGES[0])
        told = service.told()
    assert (set(told.counts.values()), len(told.counts), made_stages(home)) == ({1}, COUNT, COUNT)
