"""The services of compose.yaml, started without an engine by their exact commands, on a real Postgres.

What differs from containers is where things are: names of hosts, ports and folders are replaced in one place.
"""

import os
import re
import secrets
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from swe_assets.services.postgres import PostgresServer
from swe_assets_tests.dagster_ui.graphql import Ui
from swe_assets_tests.dagster_ui.services import HASTE, free_port, running
from swe_assets_tests.docker.composed import FOLDER, Service, document, services

HEALTHY_SECONDS = 240.0
NOTICED_SECONDS = 150.0
BACKFILL_SECONDS = 1200.0
UNNOTICED = "existed at storage-time, but no longer does"
SONARQUBE = "http://sonarqube:9000"
PIN = """
import subprocess, sys
from swe_assets.cli.sample import study_add
from swe_assets.home import studies_dir
from swe_assets.patch_quality.sample import build
asked = study_add(build(studies_dir() / ".sample-input"))
sys.exit(subprocess.call([sys.executable, "-m", "swe_assets", *asked]))
"""
"""Pins the whole sample as a study, as a person would in the container of the code server."""


@dataclass
class Place:
    """The folders and ports of one stack."""

    folder: Path
    sonarqube: str = SONARQUBE
    ports: dict[str, int] = field(
        default_factory=lambda: {name: free_port() for name in ("3000", "4000", "5432")}
    )

    def __post_init__(self) -> None:
        for name in ("home", "home/cache_repos_mirror", "cache", "secrets", "haste", "scratch"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "haste" / "sitecustomize.py").write_text(HASTE, encoding="utf-8")
        for name in document()["secrets"]:
            (self.folder / "secrets" / name).write_text(secrets.token_hex(24), encoding="utf-8")
        self.write("workspace.yaml")

    def addressed(self, text: str) -> str:
        """Return a text with the hosts and ports of containers replaced by those of this machine."""
        text = text.replace(SONARQUBE, self.sonarqube)
        text = text.replace("@postgres:5432", f"@127.0.0.1:{self.ports['5432']}")
        text = re.sub(r"host: \w+", "host: 127.0.0.1", text)
        return re.sub(r"\b(3000|4000)\b", lambda found: str(self.ports[found[1]]), text)

    def write(self, name: str) -> Path:
        """Write a file of docker/ with its addresses replaced, and return where."""
        path = self.folder / name
        path.write_text(self.addressed((FOLDER / name).read_text(encoding="utf-8")), encoding="utf-8")
        return path

    def secret(self, name: str) -> str:
        """Return a password."""
        return (self.folder / "secrets" / name).read_text(encoding="utf-8")


class Launcher(Protocol):
    """How a command of compose.yaml becomes a process here."""

    def words(self, command: list[str], environment: Mapping[str, str], *, entered: bool) -> list[str]:
        """Return the words to run; with `entered` without the image's entrypoint, as health checks are."""

    @property
    def variables(self) -> dict[str, str]:
        """Return the environment of those words' process."""

    def end(self) -> None:
        """End what is left of all processes that were started."""


@contextmanager
def database(place: Place) -> Iterator[None]:
    """Serve a Postgres with the roles and databases that docker/postgres/10-databases.sql makes."""
    server = PostgresServer(place.folder / "postgres", "postgres")
    address = server.up()
    place.ports["5432"] = address.port
    try:
        script = (FOLDER / "postgres" / "10-databases.sql").read_text(encoding="utf-8")
        psql = ["psql", "-X", "-h", address.host, "-p", str(address.port), "-U", address.user, "postgres"]
        done = subprocess.run(
            psql,
            input=script.replace("/run/secrets", str(place.folder / "secrets")),
            env={**os.environ, "PGPASSWORD": address.password},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        yield
    finally:
        server.down()


class Stack:
    """The services of ours, started in the order in which they wait for each other."""

    def __init__(self, place: Place, launcher: Launcher, held: ExitStack) -> None:
        self.place, self.launcher, self.held = place, launcher, held
        self.begun: set[str] = set()

    def environment(self, service: Service) -> dict[str, str]:
        """Return a service's variables as they are here."""
        return {name: self.place.addressed(value) for name, value in service.environment.items()}

    def run(
        self, service: Service, command: list[str], *, entered: bool = False
    ) -> "subprocess.CompletedProcess[str]":
        """Run one command with a service's settings to its end."""
        asked = self.launcher.words(
            [self.place.addressed(word) for word in command], self.environment(service), entered=entered
        )
        return subprocess.run(
            asked,
            env=self.launcher.variables,
            cwd=self.place.folder,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def start(self, name: str) -> None:
        """Start a service after all that it waits for, and wait until it is healthy or has ended well."""
        service = services()[name]
        if name in self.begun or not service.is_ours:
            return
        for earlier in service.settings.get("depends_on", {}):
            self.start(earlier)
        self.begun.add(name)
        if service.ends:
            done = self.run(service, service.command)
            assert done.returncode == 0, done.stdout + done.stderr
            return
        command = [self.place.addressed(word) for word in service.command]
        asked = self.launcher.words(command, self.environment(service), entered=False)
        log = self.log(name)
        process = self.held.enter_context(running(asked, self.launcher.variables, log, cwd=self.place.folder))
        self.wait(service, process)

    def log(self, name: str) -> Path:
        """Return where a service's output goes."""
        return self.place.folder / f"{name}.log"

    def wait(self, service: Service, process: "subprocess.Popen[bytes]") -> None:
        """Wait until a service's own health check says that it is healthy."""
        end = time.monotonic() + HEALTHY_SECONDS
        while (checked := self.run(service, service.check, entered=True)).returncode:
            written = self.log(service.name).read_text(encoding="utf-8", errors="replace")[-3000:]
            assert process.poll() is None, f"{service.name} ended: {written}"
            assert time.monotonic() < end, f"{service.name}: {checked.stdout}{checked.stderr}\n{written}"
            time.sleep(1)

    def backfill(self, study: str, assets: Sequence[str]) -> tuple[str, str]:
        """Backfill all partitions of a new study and return the backfill's id and how it ended.

        The daemon looks for new assets once a minute, and a backfill that was started before it did fails.
        """
        end = time.monotonic() + NOTICED_SECONDS
        while True:
            started = self.ui.backfill(study, assets, None)
            ended = self.ui.backfilled(started, BACKFILL_SECONDS)
            if UNNOTICED not in ended or time.monotonic() > end:
                return started, ended
            time.sleep(5)

    @property
    def ui(self) -> Ui:
        """Return the web server as the browser's code speaks to it."""
        return Ui(f"http://127.0.0.1:{self.place.ports['3000']}")


@contextmanager
def started(place: Place, launcher: Launcher) -> Iterator[Stack]:
    """Start Postgres and every service of ours that does without SonarQube, and end them all."""
    with database(place), ExitStack() as held:
        stack = Stack(place, launcher, held)
        held.callback(launcher.end)
        for name, service in services().items():
            if "sonarqube" not in service.settings.get("depends_on", {}):
                stack.start(name)
        yield stack
