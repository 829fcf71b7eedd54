"""A real Dask scheduler and its workers on the loopback interface, each a process of its own."""

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from swe_assets.home import CHECKOUT
from swe_assets_tests.dagster_ui.services import free_port

START_SECONDS = 60.0


@dataclass
class DaskCluster:
    """The scheduler's address and the processes of its workers by name."""

    address: str
    folder: Path
    environment: Mapping[str, str]
    workers: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, name: str, **more: str) -> subprocess.Popen[bytes]:
        """Start a worker with one thread and no nanny, so that a kill is final."""
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", name]
        place = ["--host", "127.0.0.1", "--local-directory", str(self.folder / name)]
        started = process(
            ["worker", self.address, *options, *place], {**self.environment, **more}, self.log(name)
        )
        self.workers[name] = started
        wait_for(self.log(name), "Registered to", started)
        return started

    def log(self, name: str) -> Path:
        """Return the file that a worker writes to."""
        return self.folder / f"{name}.log"

    def variables(self) -> dict[str, str]:
        """Return the settings by which the product works on this cluster."""
        return {"SWE_ASSETS_EXECUTOR": "dask", "SWE_ASSETS_DASK_ADDRESS": self.address}


def process(arguments: list[str], environment: Mapping[str, str], log: Path) -> subprocess.Popen[bytes]:
    """Start a command of Dask's from the checkout."""
    with log.open("wb") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments],
            cwd=CHECKOUT,
            env={**environment, "DASK_TEMPORARY_DIRECTORY": str(log.parent)},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def wait_for(log: Path, words: str, started: subprocess.Popen[bytes]) -> None:
    """Wait until a log holds some words; AssertionError with the log where it does not come to that."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and started.poll() is None:
        if words in log.read_text(encoding="utf-8", errors="replace"):
            return
        time.sleep(0.1)
    raise AssertionError(f"{log.name} never said {words!r}: {log.read_text(errors='replace')[-3000:]}")


@contextmanager
def dask_cluster(
    folder: Path, environment: Mapping[str, str], names: tuple[str, ...] = ("ana", "bia")
) -> Iterator[DaskCluster]:
    """Run a scheduler and named workers, and end them all."""
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    log = folder / "scheduler.log"
    place = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--dashboard-address", ":0"]
    scheduler = process(["scheduler", *place], environment, log)
    cluster = DaskCluster(f"tcp://127.0.0.1:{port}", folder, environment)
    try:
        wait_for(log, "Scheduler at", scheduler)
        for name in names:
            cluster.start(name)
        yield cluster
    finally:
        for running in (*cluster.workers.values(), scheduler):
            running.kill()
            running.wait()
