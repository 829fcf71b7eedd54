"""One real SonarQube server for a whole test session, shared by all of its workers."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.services.postgres_binaries import find_binaries
from swe_assets.services.processes import is_alive, mark_of
from swe_assets.sonarqube.connection import SonarConnection
from swe_assets.sonarqube.distribution import SERVER
from swe_assets.sonarqube.java import find_java, server_java
from swe_assets.sonarqube.places import ServerPlaces
from swe_assets.sonarqube.server import SonarServer
from swe_assets.sonarqube.state import Database
from swe_assets.storage.locks import locked

PREFIX = "swe-sonar-"
START_SECONDS = 1500
"""A test that starts the server, or waits for another worker that does, may take so long."""


def session_places() -> ServerPlaces:
    """Return the places of this session's server, the same in each worker.

    With SWE_SONAR_KEEP=1 they outlive the session and so does the server, for who writes tests.
    """
    kept = os.environ.get("SWE_SONAR_KEEP") == "1"
    session = "kept" if kept else os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    return ServerPlaces(Path(tempfile.gettempdir()) / f"{PREFIX}{session}" / "sonarqube")


@pytest.fixture(scope="session")
def sonar_places() -> Iterator[ServerPlaces]:
    """Give the places of the session's server, started through `SonarServer.up`; the last worker stops it."""
    sweep()
    require_tools()
    places = session_places()
    places.folder.parent.mkdir(mode=0o711, exist_ok=True)
    users = places.folder.parent / "users"
    try:
        with locked(places.folder.parent / "lock"):
            users.mkdir(exist_ok=True)
            (users / mark_of(os.getpid())).touch()
            SonarServer(places, say=print).up(database=database(), seconds=START_SECONDS)
        yield places
    finally:
        with locked(places.folder.parent / "lock"):
            (users / mark_of(os.getpid())).unlink(missing_ok=True)
            if os.environ.get("SWE_SONAR_KEEP") != "1":
                end(places.folder.parent)


@pytest.fixture(scope="session")
def sonar_server(sonar_places: ServerPlaces) -> SonarConnection:
    """Give the connection to the session's server; it is up whenever a test that asks for it runs."""
    with locked(sonar_places.folder.parent / "lock"):
        return SonarServer(sonar_places, say=print).up(seconds=START_SECONDS)


@pytest.fixture
def sonar_alone(sonar_places: ServerPlaces) -> Iterator[ServerPlaces]:
    """Give the places of the session's server to a test that may kill it: no other test uses it meanwhile.

    The server is up again before another test goes on.
    """
    yield sonar_places
    SonarServer(sonar_places, say=print).up(seconds=START_SECONDS)


@contextmanager
def turn(fixtures: Container[str]) -> Iterator[None]:
    """Hold the session's server for a test that asks for these fixtures, alone or together with others."""
    if "sonar_places" not in fixtures:
        yield
        return
    folder = session_places().folder.parent
    file = folder.with_suffix(".turn")
    handle = os.open(file, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if "sonar_alone" in fixtures else fcntl.LOCK_SH)
        yield
    finally:
        if not folder.exists():
            file.unlink(missing_ok=True)
        os.close(handle)


def database() -> Database:
    """Return the product's default where Postgres is installed, else the embedded database."""
    try:
        find_binaries()
    except ConfigurationError:
        return "h2"
    return "postgres"


def require_tools() -> None:
    """Skip where no server can be started: no fitting Java, or no Maven and nothing fetched yet."""
    try:
        find_java(server_java(SERVER.version), what="SonarQube")
    except ConfigurationError as lacking:
        pytest.skip(str(lacking))
    home = session_places().folder / f"sonarqube-{SERVER.version}"
    if shutil.which("mvn") is None and not home.is_dir():
        pytest.skip("no mvn on PATH: SonarQube comes through Maven")


def end(folder: Path) -> None:
    """Stop the server of a session's folder and remove it, unless a process of the session still lives."""
    if any(is_alive(user.name) for user in (folder / "users").glob("*")):
        return
    SonarServer(ServerPlaces(folder / "sonarqube")).down()
    shutil.rmtree(folder, ignore_errors=True)
    folder.with_suffix(".turn").unlink(missing_ok=True)


def sweep() -> None:
    """End what sessions that were killed left."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        if folder.name != f"{PREFIX}kept" and (folder / "users").is_dir() and folder.owner() == me():
            with locked(folder / "lock"):
                end(folder)


def me() -> str:
    """Return this user's name, as files say it."""
    return Path(f"/proc/{os.getpid()}").owner()
