"""A real start that is interrupted or cannot succeed ends with its cause, and leaves nothing behind."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from swe_assets.errors import ServiceError
from swe_assets.services.accounts import service_account
from swe_assets.sonarqube import properties
from swe_assets.sonarqube.leftovers import processes
from swe_assets.sonarqube.places import ServerPlaces
from swe_assets.sonarqube.server import SonarServer
from swe_assets.sonarqube.standing import standing
from swe_assets.sonarqube.state import load_state


@pytest.fixture
def places(sonar_places: ServerPlaces) -> Iterator[ServerPlaces]:
    """Give places of another server, whose distribution is linked from the session's."""
    state = load_state(sonar_places)
    assert state is not None
    cache = Path(tempfile.mkdtemp(prefix="swe-sonar-start-"))
    made = ServerPlaces(cache / "sonarqube")
    cache.chmod(0o711)
    made.folder.mkdir(mode=0o711)
    home = made.folder / Path(state.home).name
    shutil.copytree(state.home, home, copy_function=os.link)
    yield made
    SonarServer(made).down()
    shutil.rmtree(cache)


def command(places: ServerPlaces, *words: str) -> "subprocess.Popen[str]":
    """Run `swe-assets sonar` on these places in a process of its own."""
    said = [sys.executable, "-m", "swe_assets", "sonar", *words]
    environ = os.environ | {"SWE_ASSETS_CACHE": str(places.folder.parent)}
    return subprocess.Popen(said, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_interrupted(places: ServerPlaces) -> None:
    """Ctrl-C while the server starts stops all that was started, and the exit code is 130."""
    process = command(places, "up", "--database", "h2")
    assert process.stderr
    while "is starting at" not in (line := process.stderr.readline()):
        assert line, process.wait()
    assert standing(places).state == "starting"
    process.send_signal(signal.SIGINT)
    _, words = process.communicate()
    assert (process.returncode, "stopping what was started" in words) == (130, True)
    assert processes(places, service_account()) == {}
    assert standing(places).state == "down"


def test_too_little_memory(places: ServerPlaces, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that gets no memory ends the start with the words of the right file, and all is stopped."""
    monkeypatch.setitem(properties.HEAPS, "search", "-Xms8m -Xmx8m")
    with pytest.raises(ServiceError, match=r"did not start.*server\.out' says: .*memory is short"):
        SonarServer(places).up(database="h2")
    assert processes(places, service_account()) == {}


def test_a_port_that_was_taken_meanwhile(places: ServerPlaces, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ports that others took since the last start are not used again."""
    monkeypatch.setitem(properties.HEAPS, "search", "-Xms8m -Xmx8m")
    with pytest.raises(ServiceError):
        SonarServer(places).up(database="h2")
    before = load_state(places)
    assert before is not None
    with socket.create_server(("127.0.0.1", before.ports.web)), pytest.raises(ServiceError):
        SonarServer(places).up()
    after = load_state(places)
    assert after is not None
    assert before.ports.web not in after.ports.all()


def test_status_of_a_server_that_never_ran(tmp_path: Path) -> None:
    """Before the first start `status` says so on stdout as JSON and ends with 1; `down` has nothing to do."""
    places = ServerPlaces(tmp_path / "sonarqube")
    process = command(places, "status", "--json")
    said = json.loads(process.communicate()[0])
    assert (process.returncode, said["state"], said["kind"]) == (1, "down", "none")
    down = command(places, "down")
    assert ("it was not running" in down.communicate()[1], down.returncode) == (True, 0)
    assert not places.folder.exists()
