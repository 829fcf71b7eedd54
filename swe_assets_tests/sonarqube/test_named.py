"""A server of the user's own is checked and remembered; nothing is started or changed there."""

import json
import stat
from pathlib import Path

import pytest

from swe_assets.errors import SonarReplyError, SonarRightsError, SonarServerError
from swe_assets.services.processes import free_port
from swe_assets.sonarqube.connection import find_connection
from swe_assets.sonarqube.named import forget, remember
from swe_assets.sonarqube.places import ServerPlaces
from swe_assets.sonarqube.standing import standing
from swe_assets_tests.http_stub import Asked, Served, serving

PLANTED = "squ_planted00112233445566778899aabbccddeeff00"


def server(asked: Asked) -> Served:
    """Answer as a server of version 25.11 that knows any token."""
    if asked.path.strip("/") == "api/authentication/validate":
        return Served(body={"valid": "authorization" in asked.headers})
    return Served(body={"status": "UP", "version": "25.11.0.114957"})


def test_one_that_is_well(tmp_path: Path) -> None:
    """It is found again with its token, which lies in a file of mode 0600, and only reading was asked."""
    places = ServerPlaces(tmp_path / "sonarqube")
    with serving(server) as (url, asked):
        made = remember(url, PLANTED, places)
        assert standing(places).state == "up"
    assert find_connection({}, places=places) == made
    assert stat.S_IMODE(places.named_token.stat().st_mode) == 0o600
    assert {one.method for one in asked} == {"GET"}
    assert PLANTED not in json.dumps(standing(places).record()) + places.named.read_text()


def test_forgotten(tmp_path: Path) -> None:
    """Once forgotten neither address nor token is kept here."""
    places = ServerPlaces(tmp_path / "sonarqube")
    with serving(server) as (url, _):
        remember(url, PLANTED, places)
    assert (forget(places), forget(places)) == (True, False)
    assert standing(places).kind == "none"
    assert list(places.secrets.iterdir()) == []


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        (Served(body={"status": "STARTING", "version": "25.11"}), SonarServerError, "try again in a minute"),
        (Served(body={"status": "DOWN"}), SonarServerError, "administrator"),
        (Served(body={"status": "DB_MIGRATION_NEEDED"}), SonarServerError, "migrate"),
        (Served(503, "busy"), SonarServerError, "try again in a minute"),
        (Served(200, "<html>nginx</html>"), SonarReplyError, "not a SonarQube server"),
    ],
)
def test_one_that_is_not_well(tmp_path: Path, status: Served, error: type[Exception], words: str) -> None:
    """A server that is not up, or none at all, is not remembered, and the message says what to do."""
    places = ServerPlaces(tmp_path / "sonarqube")
    with serving(lambda _asked: status) as (url, _), pytest.raises(error, match=words):
        remember(url, PLANTED, places)
    assert not places.named.exists()


def test_one_that_is_not_there(tmp_path: Path) -> None:
    """An address where nobody listens is named with what to check."""
    with pytest.raises(SonarServerError, match=r"nothing|ConnectError.*start it, or check"):
        remember(f"http://127.0.0.1:{free_port()}", PLANTED, ServerPlaces(tmp_path))


def test_a_token_that_is_refused(tmp_path: Path) -> None:
    """A token that the server does not know is refused without being shown."""

    def unknown(asked: Asked) -> Served:
        if "validate" in asked.path:
            return Served(body={"valid": False})
        return server(asked)

    with serving(unknown) as (url, _), pytest.raises(SonarRightsError, match="User Token") as wrong:
        remember(url, PLANTED, ServerPlaces(tmp_path))
    assert PLANTED not in str(wrong.value)
