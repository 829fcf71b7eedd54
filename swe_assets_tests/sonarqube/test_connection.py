"""Which server is asked, and with which token."""

import json
from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.sonarqube.connection import SonarConnection, checked_url, find_connection
from swe_assets.sonarqube.places import ServerPlaces

PLANTED = "squ_planted00112233445566778899aabbccddeeff00"


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ServerPlaces:
    """Give places with nothing in them, and a home without a .env."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path))
    found = ServerPlaces(tmp_path / "sonarqube")
    found.secrets.mkdir(parents=True)
    return found


def remembered(places: ServerPlaces, url: str = "http://127.0.0.1:9001", token: str = PLANTED) -> None:
    """Write what `sonar up` leaves of a private server."""
    places.state.write_text(json.dumps({"url": url}))
    places.token.write_text(token + "\n")


def test_the_environment_comes_first(places: ServerPlaces) -> None:
    """Sonar's own variables win over the remembered server."""
    remembered(places)
    environ = {"SONAR_HOST_URL": "https://sonar.example/ctx/", "SONAR_TOKEN": "sqa_1"}
    found = find_connection(environ, places=places)
    assert (found.url, found.token) == ("https://sonar.example/ctx", "sqa_1")
    assert "environment" in found.source


def test_dotenv_comes_second(places: ServerPlaces, tmp_path: Path) -> None:
    """Lines of SWE_ASSETS_HOME's .env count where the environment says nothing."""
    (tmp_path / ".env").write_text(f"SONAR_HOST_URL=http://10.0.0.1:9000\nSONAR_TOKEN={PLANTED}\n")
    found = find_connection({}, places=places)
    assert (found.url, found.token) == ("http://10.0.0.1:9000", PLANTED)
    assert ".env" in found.source


def test_the_remembered_server_comes_last(places: ServerPlaces) -> None:
    """Without variables it is the server that `sonar up` left."""
    remembered(places)
    assert find_connection({}, places=places) == SonarConnection(
        "http://127.0.0.1:9001", PLANTED, "swe-assets sonar up"
    )


def test_a_named_server_is_remembered_first(places: ServerPlaces) -> None:
    """A server of the user's own wins over the private one that was there before."""
    remembered(places)
    places.named.write_text(json.dumps({"url": "http://named:9000"}))
    places.named_token.write_text("squ_named")
    found = find_connection({}, places=places)
    assert (found.url, found.token) == ("http://named:9000", "squ_named")


def test_the_address_alone_takes_the_remembered_token(places: ServerPlaces) -> None:
    """SONAR_HOST_URL alone is enough where it is the remembered server's."""
    remembered(places)
    environ = {"SONAR_HOST_URL": "http://127.0.0.1:9001/"}
    assert find_connection(environ, places=places).token == PLANTED


def test_the_remembered_token_goes_to_no_other_server(places: ServerPlaces) -> None:
    """Another address without a token is refused; the token of ours is not sent there."""
    remembered(places)
    with pytest.raises(ConfigurationError, match=r"SONAR_TOKEN is not set.*sonar up"):
        find_connection({"SONAR_HOST_URL": "http://127.0.0.1:9002"}, places=places)


def test_nothing_known(places: ServerPlaces) -> None:
    """Without any server the message names the command and the variables."""
    with pytest.raises(ConfigurationError, match=r"sonar up.*SONAR_HOST_URL and SONAR_TOKEN"):
        find_connection({}, places=places)


def test_a_lost_token_says_what_to_do(places: ServerPlaces) -> None:
    """A remembered server whose token file is gone leads to `sonar up`."""
    remembered(places)
    places.token.unlink()
    with pytest.raises(ConfigurationError, match=r"FileNotFoundError.*sonar up"):
        find_connection({}, places=places)


@pytest.mark.parametrize("content", ["{", "[]", "\x00"])
def test_damaged_state(places: ServerPlaces, content: str) -> None:
    """A damaged state file is named, with the way out."""
    places.state.write_text(content)
    with pytest.raises(ConfigurationError, match=r"server\.json.*sonar up"):
        find_connection({}, places=places)


@pytest.mark.parametrize("token", [f"{PLANTED} {PLANTED}", f"{PLANTED}\u00e9", f"{PLANTED}\nX: y"])
def test_a_token_that_is_none_shows_nowhere(places: ServerPlaces, token: str) -> None:
    """The message about an unusable token holds no part of it."""
    with pytest.raises(ConfigurationError) as wrong:
        find_connection({"SONAR_HOST_URL": "http://h:1", "SONAR_TOKEN": token}, places=places)
    assert PLANTED not in str(wrong.value)


def test_the_token_is_not_in_the_text_form() -> None:
    """The text form of a connection holds address and source, not the token."""
    assert PLANTED not in f"{SonarConnection('http://h:1', PLANTED, 'a test')!r}"


@pytest.mark.parametrize(
    "url",
    ["127.0.0.1:9000", "ftp://h", "http://", "http://h:99999", "http://h:1?q=1", "http://h /", "http://h:0x"],
)
def test_addresses_that_are_none(url: str) -> None:
    """What is no http address is refused with an example of one."""
    with pytest.raises(ConfigurationError, match=r"give one like"):
        checked_url(url)


def test_an_address_with_a_password_is_not_repeated() -> None:
    """A user or password in the address is refused and not shown."""
    with pytest.raises(ConfigurationError) as wrong:
        checked_url(f"http://admin:{PLANTED}@h:9000")
    assert PLANTED not in str(wrong.value)
