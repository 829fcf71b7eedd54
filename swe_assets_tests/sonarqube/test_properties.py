"""The private server is told to keep to this machine and to itself."""

import os
import resource
import stat
from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.services.accounts import service_account
from swe_assets.services.postgres_address import PostgresAddress
from swe_assets.sonarqube import properties
from swe_assets.sonarqube.places import ServerPlaces
from swe_assets.sonarqube.properties import Ports, limits_are_low, server_properties, write_properties

PLACES = ServerPlaces(Path("/some where/sonarqube"))
PORTS = Ports(1001, 1002, 1003, 1004)
POSTGRES = PostgresAddress("127.0.0.1", 5433, "sonarqube", "sonar", "plänted\\secret")


def test_it_stays_on_this_machine() -> None:
    """Web and search listen on the loopback address; telemetry and update centre are off."""
    settings = server_properties(PLACES, PORTS, None)
    assert settings["sonar.web.host"] == settings["sonar.search.host"] == "127.0.0.1"
    assert settings["sonar.telemetry.enable"] == settings["sonar.updatecenter.activate"] == "false"
    assert [settings[f"sonar.{name}.port"] for name in ("web", "search", "es", "embeddedDatabase")] == [
        "1001",
        "1002",
        "1003",
        "1004",
    ]


def test_postgres_gets_its_password_apart() -> None:
    """With Postgres its address holds no password, which is a setting of its own."""
    settings = server_properties(PLACES, PORTS, POSTGRES)
    assert settings["sonar.jdbc.url"] == "jdbc:postgresql://127.0.0.1:5433/sonarqube"
    assert settings["sonar.jdbc.password"] == "plänted\\secret"
    assert "sonar.embeddedDatabase.port" not in settings


def test_each_heap_is_bounded() -> None:
    """The three heaps together stay below 2 GiB."""
    settings = server_properties(PLACES, PORTS, None)
    heaps = [settings[f"sonar.{name}.javaOpts"].split("-Xmx")[1].split("m")[0] for name in properties.HEAPS]
    assert sum(map(int, heaps)) < 2048


def test_low_limits_switch_the_checks_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elasticsearch's checks are off just where this process may open fewer files than it wants."""
    for soft, low in ((20_000, True), (131_072, False), (resource.RLIM_INFINITY, False)):
        monkeypatch.setattr(resource, "getrlimit", lambda _name, soft=soft: (soft, soft))
        assert limits_are_low() is low
        assert ("sonar.es.bootstrap.checks.disable" in server_properties(PLACES, PORTS, None)) is low


def test_the_file_is_the_accounts_alone(tmp_path: Path) -> None:
    """The settings hold a password: only the account that runs the server can read the file."""
    path = tmp_path / "sonar.properties"
    account = service_account()
    write_properties(path, {"sonar.jdbc.password": "plänted\\secret"}, account)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.stat().st_uid == (account.uid if account else os.getuid())
    assert path.read_text() == "sonar.jdbc.password=pl\\u00e4nted\\\\secret\n"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """Where the file cannot be written the message names it and no password."""
    with pytest.raises(ConfigurationError, match=r"none/sonar\.properties") as wrong:
        write_properties(tmp_path / "none" / "sonar.properties", {"p": "planted"}, None)
    assert "planted" not in str(wrong.value)


def test_four_ports_differ() -> None:
    """The ports chosen are four different ones that can be listened on."""
    ports = Ports.chosen()
    assert len(set(ports.all())) == 4
