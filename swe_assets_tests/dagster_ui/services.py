"""Real Dagster services for the tests: stock `dagster dev` from the root, ended whatever happens."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

from swe_assets.home import CHECKOUT

START_SECONDS = 120.0
STOP_SECONDS = 30.0
TICK_SECONDS = 2

HASTE = f"""
import sys
if "dagster._daemon" in sys.orig_argv:
    import dagster._daemon.controller
    dagster._daemon.controller.DEFAULT_DAEMON_INTERVAL_SECONDS = {TICK_SECONDS}
"""
"""Makes the daemon look at backfills each second instead of each half minute; nothing else differs."""


def free_port() -> int:
    """Return a TCP port of the loopback interface that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(
    arguments: list[str], environment: Mapping[str, str], log: Path, cwd: Path = CHECKOUT
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program in a process group of its own; at the end ask it to stop, then kill all."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            arguments,
            cwd=cwd,
            env=dict(environment),
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def dagster_dev(environment: Mapping[str, str], folder: Path) -> Iterator[str]:
    """Run `dagster dev` from the root and give its address once it answers."""
    (folder / "sitecustomize.py").write_text(HASTE, encoding="utf-8")
    port = free_port()
    arguments = [sys.executable, "-m", "dagster", "dev", "--port", str(port), "--log-format", "rich"]
    log = folder / "dagster_dev.log"
    try:
        path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
        with running(arguments, {**environment, "PYTHONPATH": path}, log) as process:
            address = f"http://127.0.0.1:{port}"
            wait_until_up(address, process, log)
            yield address
    finally:
        for left in temporary_homes(log):  # there only where the services had to be killed
            shutil.rmtree(left, ignore_errors=True)


def temporary_homes(log: Path) -> list[Path]:
    """Return the folders that `dagster dev` said it takes as DAGSTER_HOME for its own lifetime."""
    found = re.findall(r"temporary directory (\S+)/\.tmp_dagster_home_(\w+)", log.read_text(errors="replace"))
    return [Path(folder) / f".tmp_dagster_home_{name}" for folder, name in found]


def wait_until_up(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until the web server says its version; AssertionError with the log where it does not."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with suppress(httpx.TransportError):
            if httpx.get(f"{address}/server_info", timeout=10).is_success:
                return
        time.sleep(0.3)
    raise AssertionError(
        f"dagster dev is not up: {log.read_text(encoding='utf-8', errors='replace')[-3000:]}"
    )
