"""The password is changed, the token made with few rights, and a set-up that was cut off goes on."""

import stat
from pathlib import Path

import pytest

from swe_assets.errors import SonarReplyError, SonarRightsError, SonarServerError
from swe_assets.sonarqube.administration import Account, Administration
from swe_assets.sonarqube.credentials import ROBOT, ensure_token, new_password
from swe_assets.sonarqube.places import ServerPlaces
from swe_assets_tests.http_stub import Served, serving
from swe_assets_tests.sonarqube.account_stub import accounts

PLANTED = "Planted-secret-2026!"


@pytest.fixture
def places(tmp_path: Path) -> ServerPlaces:
    """Give places with nothing in them."""
    return ServerPlaces(tmp_path)


def test_a_new_server(places: ServerPlaces) -> None:
    """The first password is replaced by the one in the file, and the token is the robot's."""
    with accounts() as server:
        token = ensure_token(server.url, places)
    assert server.passwords["admin"] == places.password.read_text() != "admin"
    assert server.tokens == {token: ROBOT}
    assert server.rights == {(ROBOT, "scan"), (ROBOT, "provisioning")}


def test_the_files_are_the_users_alone(places: ServerPlaces) -> None:
    """Password and token lie in files of mode 0600 in a folder of mode 0700."""
    with accounts() as server:
        ensure_token(server.url, places)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (places.secrets, places.password, places.token)]
    assert modes == [0o700, 0o600, 0o600]


def test_twice_is_harmless(places: ServerPlaces) -> None:
    """A token that works is kept, and nothing is asked of the administrator again."""
    with accounts() as server:
        token = ensure_token(server.url, places)
        before = len(server.asked)
        assert ensure_token(server.url, places) == token
    assert [asked.path.strip("/") for asked in server.asked[before:]] == ["api/authentication/validate"]


@pytest.mark.parametrize("lost", ["revoked", "removed"])
def test_a_token_that_is_lost(places: ServerPlaces, lost: str) -> None:
    """A token that the server no longer knows, or whose file is gone, is made anew."""
    with accounts() as server:
        token = ensure_token(server.url, places)
        if lost == "revoked":
            del server.tokens[token]
            server.tokens["another"] = ROBOT
        else:
            places.token.unlink()
        again = ensure_token(server.url, places)
    assert again in server.tokens
    assert places.token.read_text() == again


@pytest.mark.parametrize("cut", ["change_password", "users/create", "add_user", "generate"])
def test_a_set_up_that_was_cut_off(places: ServerPlaces, cut: str) -> None:
    """Wherever the set-up ended, the next one goes on with the password that was written first."""
    with accounts(fail=cut) as server:
        with pytest.raises(SonarServerError):
            ensure_token(server.url, places)
        written = places.password.read_text()
        assert ensure_token(server.url, places) in server.tokens
    assert server.passwords["admin"] == written == places.password.read_text()


def test_a_password_that_somebody_changed(places: ServerPlaces) -> None:
    """Where neither password is right the message says where the right one goes, and holds none."""
    places.secrets.mkdir()
    places.password.write_text(PLANTED)
    with (
        accounts(passwords={"admin": "another-Secret-1!"}) as server,
        pytest.raises(SonarRightsError) as wrong,
    ):
        ensure_token(server.url, places)
    assert str(places.password) in str(wrong.value)
    assert PLANTED not in str(wrong.value)


def test_passwords_are_such_as_the_server_takes() -> None:
    """Each password has 24 characters with an upper, a lower, a digit and a special, and none comes twice."""
    made = [new_password() for _ in range(200)]
    assert len(set(made)) == 200
    for password in made:
        kinds = {
            "upper" * c.isupper() or "lower" * c.islower() or "digit" * c.isdigit() or "special"
            for c in password
        }
        assert (len(password), kinds) == (24, {"upper", "lower", "digit", "special"})


def test_what_the_server_repeats_is_not_shown() -> None:
    """A server that repeats a secret in its error does not bring it into the message."""
    with serving(lambda _asked: Served(400, {"errors": [{"msg": f"bad {PLANTED}"}]})) as (url, _):
        admin = Administration(url.rstrip("/"), Account("admin", PLANTED))
        with pytest.raises(SonarReplyError) as wrong:
            admin.post("api/users/change_password", password=PLANTED)
    assert PLANTED not in str(wrong.value)
    assert PLANTED not in repr(admin.account)


@pytest.mark.parametrize(
    ("served", "error"),
    [
        (Served(200, "<html>"), SonarReplyError),
        (Served(404, "{}"), SonarReplyError),
        (Served(403, ""), SonarRightsError),
        (Served(503, ""), SonarServerError),
        (Served(fault="dropped"), SonarServerError),
    ],
)
def test_other_answers(served: Served, error: type[Exception]) -> None:
    """What is no answer of SonarQube, a refusal and a server that fails are told apart."""
    with serving(lambda _asked: served) as (url, _), pytest.raises(error):
        Administration(url.rstrip("/"), Account("admin", "x")).get("api/users/search")
