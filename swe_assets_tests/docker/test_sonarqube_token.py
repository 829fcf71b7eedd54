"""The service that sets SonarQube up leaves a token that the code servers find and the server takes."""

import shutil
from contextlib import ExitStack
from pathlib import Path

from swe_assets.sonarqube.client import SonarClient
from swe_assets.sonarqube.connection import SonarConnection, find_connection
from swe_assets.sonarqube.places import ServerPlaces
from swe_assets_tests.docker.composed import floors, services
from swe_assets_tests.docker.native import Native
from swe_assets_tests.docker.stack import Place, Stack


def test_token_is_made(open_folder: Path, sonar_places: ServerPlaces, sonar_server: SonarConnection) -> None:
    """On a real server a token is made and kept where the code servers look, and shown to nobody."""
    place = Place(open_folder / "stack", sonar_server.url)
    ours = ServerPlaces(place.folder / "cache" / "sonarqube")
    ours.secrets.mkdir(parents=True)
    shutil.copy(sonar_places.password, ours.password)  # this server's first password is changed already
    service = services()["sonarqube_token"]
    stack = Stack(place, Native(place), ExitStack())
    for _ in range(2):
        done = stack.run(service, service.command)
        assert done.returncode == 0, done.stderr
    (floor,) = floors().values()
    found = find_connection(stack.environment(floor), places=ours)
    assert SonarClient(found).signed_in()
    assert found.token != sonar_server.token
    assert found.token not in done.stdout + done.stderr
    assert ours.named_token.stat().st_mode & 0o077 == 0
