"""Tests of what the speed benchmark counts: a scanner's time, a server's time, sides that were scanned."""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.inputs import Task
from benchmarks.server_cpu import server_cpu, server_process
from benchmarks.sonar_speed import gold, scanned_sides, spread
from benchmarks.timed_scanner import TimedScanner

BURN = """#!/bin/sh
exec {python} -c 'import time
end = time.process_time() + 0.3
while time.process_time() < end: pass'
"""


def test_a_scanner_s_time_is_its_processor_time(tmp_path: Path) -> None:
    """A scanner that computes for 0.3 s and one that fails are both counted, with arguments and exit code."""
    (tmp_path / "real" / "bin").mkdir(parents=True)
    (tmp_path / "real" / "lib").mkdir()
    program = tmp_path / "real" / "bin" / "sonar-scanner"
    program.write_text(BURN.format(python=sys.executable))
    program.chmod(0o755)
    timed = TimedScanner(tmp_path, tmp_path / "real")
    assert timed.runs() == []
    assert subprocess.run([str(timed.home / "bin" / "sonar-scanner"), "-Dx=1"], check=False).returncode == 0
    program.write_text("#!/bin/sh\nexit 7\n")
    assert subprocess.run([str(timed.home / "bin" / "sonar-scanner")], check=False).returncode == 7
    first, second = timed.runs()
    assert 0.3 <= first < 3
    assert second < 0.3


def test_a_server_s_time_is_found_by_its_port() -> None:
    """The process behind a port is found by who listens there; nobody listening is nothing counted."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        assert server_process(url) == os.getppid()
        started = server_cpu(os.getpid())
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
        assert 0.1 <= server_cpu(os.getpid()) - started < 2
    assert server_process("http://127.0.0.1:1") is None
    assert server_cpu(None) == 0.0


def test_the_dataset_s_own_patches_as_a_submission(tmp_path: Path) -> None:
    """Only the instances asked for, each resolved by its own patch."""
    dataset = tmp_path / "d.jsonl"
    rows = [{"instance_id": i, "patch": f"patch of {i}"} for i in ("a-1", "b-2")]
    dataset.write_text("".join(json.dumps(row) + "\n" for row in rows))
    predictions, results = (Path(o.partition("=")[2]) for o in gold(dataset, ["b-2"], tmp_path))
    assert json.loads(predictions.read_text()) == {"instance_id": "b-2", "model_patch": "patch of b-2"}
    assert json.loads(results.read_text()) == {"resolved_ids": ["b-2"]}


def test_sides_that_were_scanned(tmp_path: Path) -> None:
    """A kept side and one without files were not."""
    place = tmp_path / "studies" / "s" / "results" / "progresso_sonar.json"
    place.parent.mkdir(parents=True)
    sides = {"base": {"kept": True}, "patched": {"task": "T"}}
    told = {"a": {"receipts": sides}, "b": {"receipts": {"base": {}}}, "c": {}}
    place.write_text(json.dumps(told))
    assert scanned_sides(tmp_path, "s") == 1


def test_instances_from_all_over() -> None:
    """Three of nine are every third, and more than there are is all of them."""
    tasks = [Task(str(n), "r", "c", None) for n in range(9)]
    assert [task.instance_id for task in spread(tasks, 3)] == ["0", "3", "6"]
    assert spread(tasks, 20) == tasks
