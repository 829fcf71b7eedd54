"""Processes that are killed or run beside each other never pay twice for an answer that was kept."""

import random
import subprocess
import sys
import time
from pathlib import Path

from swe_assets.llm.call_store import CallStore
from swe_assets_tests.llm.paid_calls import Service, counting

NAMES = [f"q{number}" for number in range(120)]


def started(service: Service, folder: Path) -> subprocess.Popen[str]:
    """Start a process that asks all questions in eight threads."""
    module = "swe_assets_tests.llm.calling_process"
    command = [sys.executable, "-m", module, service.url, str(folder), ",".join(NAMES), "8"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def kept(folder: Path) -> set[str]:
    """Return the questions whose answers are kept whole."""
    return {str(answer.request["user"]) for answer in CallStore(folder).answers()}


def wait_for(folder: Path, count: int, running: subprocess.Popen[str]) -> None:
    """Wait until so many answers are kept, or the process is over."""
    until = time.monotonic() + 60
    while len(CallStore(folder).keys()) < count and running.poll() is None and time.monotonic() < until:
        time.sleep(0.005)


def test_a_killed_process_loses_no_answer_that_was_kept(tmp_path: Path) -> None:
    """After kill -9 at five random moments no kept answer was asked for again, and all came at last."""
    dice = random.Random(11)
    with counting(latency_s=0.05) as service:
        for _ in range(5):
            running = started(service, tmp_path)
            wait_for(tmp_path, len(kept(tmp_path)) + dice.randint(1, 25), running)
            running.kill()
            running.wait()
            before, there = service.counts.copy(), kept(tmp_path)
            assert there
            again = started(service, tmp_path)
            wait_for(tmp_path, len(there) + 3, again)
            again.kill()
            again.wait()
            assert {name: service.counts[name] for name in there} == {name: before[name] for name in there}
        said, _ = started(service, tmp_path).communicate(timeout=120)
    assert kept(tmp_path) == set(NAMES)
    assert len(said.splitlines()) == len(NAMES)


def test_two_processes_at_once_pay_once(tmp_path: Path) -> None:
    """Two processes that ask the same questions at the same time make one call for each."""
    with counting(latency_s=0.02) as service:
        both = [started(service, tmp_path) for _ in range(2)]
        said = [process.communicate(timeout=120)[0].splitlines() for process in both]
    assert set(service.counts.values()) == {1}
    assert len(service.counts) == len(NAMES)
    assert said[0] == said[1] and len(said[0]) == len(NAMES)
