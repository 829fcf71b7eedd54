"""Where records are kept is chosen in one order, shown without secrets, and turned only by a person."""

import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError, StoreError
from swe_assets.services.postgres import PostgresServer
from swe_assets.storage import place
from swe_assets.storage.place import VARIABLE, checked_url, hold_place, records_place, safe_url

URL = "postgresql://me:s%65cret@db.example:5433/records?sslmode=require&password=other"


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a home of its own with no setting of the machine's."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path))
    monkeypatch.delenv(VARIABLE, raising=False)
    yield tmp_path


def test_default_is_sqlite(at_home: Path) -> None:
    """Where nobody asked for Postgres, records are in SQLite, and the sentence says so."""
    found = records_place()
    assert found.url is None
    assert found.sentence == f"Dagster's records: SQLite in {at_home}/.dagster_home/storage (the default)"


def test_environment_comes_before_the_file(at_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable is read from .env too, and the environment's holds where both are set."""
    (at_home / ".env").write_text(f"{VARIABLE}=postgresql://a:b@file/x\n")
    assert (records_place().url, records_place().shown) == (
        "postgresql://a:b@file/x",
        "postgresql://a@file/x",
    )
    monkeypatch.setenv(VARIABLE, URL)
    found = records_place()
    assert (found.url, found.source) == (URL, f"{VARIABLE} in the environment")


def test_no_secret_is_shown(at_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the place's text form nor the URL that is shown holds a password or a part of a query."""
    monkeypatch.setenv(VARIABLE, URL)
    found = records_place()
    assert safe_url(URL) == found.shown == "postgresql://me@db.example:5433/records"
    for text in (repr(found), found.sentence):
        assert "cret" not in text and "other" not in text


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg2"])
def test_the_usual_schemes_are_one(scheme: str) -> None:
    """The three names of the scheme that are about all give the one that both libraries take."""
    assert checked_url(f"{scheme}://u:p@h/d") == "postgresql://u:p@h/d"


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("mysql://u:topsecret@h/d", "begins with 'mysql'"),
        ("postgresql://u:topsecret@h", "names no database"),
        ("postgresql://u:topsecret@h:abc/d", "port"),
        ("postgresql://u:topsecret/x@h/d", "as %XX"),
        ("postgresql://u:12/topsecret@h/d", "as %XX"),
        ("postgresql://u:12@topsecret@h/d", "as %XX"),
        ("postgresql://u:topsecret[x@h/d", "as %XX"),
        ("postgresql://u:topsecret\u2100x@h/d", "as %XX"),
        ("topsecret", "begins with ''"),
    ],
)
def test_other_urls_are_refused(url: str, says: str) -> None:
    """A URL that is none of Postgres's is refused with the form to give, and is not shown."""
    with pytest.raises(ConfigurationError, match=says) as refused:
        checked_url(url)
    assert "topsecret" not in "".join(traceback.format_exception(refused.value))


def test_turned_there_and_back(at_home: Path) -> None:
    """A home is turned once each way, and asking again changes nothing."""
    server = place.private_server()
    assert not place.is_turned()
    assert (place.turn_to_postgres(server), place.turn_to_postgres(server)) == (True, False)
    assert place.is_turned()
    with pytest.raises(ConfigurationError, match="no Postgres in"):
        records_place()
    assert (place.turn_to_sqlite(), place.turn_to_sqlite()) == (True, False)
    assert records_place().url is None


def test_open_records_are_not_turned(at_home: Path) -> None:
    """While a run or the UI has the records open, turning them is refused; afterwards it is not."""
    place.turn_to_sqlite()
    (at_home / ".dagster_home").mkdir(exist_ok=True)
    held = hold_place()
    assert held is not None
    with pytest.raises(StoreError, match="open in another process"):
        place.turn_to_postgres(place.private_server())
    held.close()
    assert place.turn_to_postgres(place.private_server())


def test_a_server_elsewhere_is_remembered(at_home: Path, tmp_path: Path) -> None:
    """A private server that lies outside the home is found again where it was when the home was turned."""
    elsewhere = PostgresServer(tmp_path / "elsewhere", "dagster")
    place.turn_to_postgres(elsewhere)
    assert place.private_server().folder == elsewhere.folder
