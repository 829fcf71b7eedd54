"""A Postgres that does not take the records is told apart by what to do, and SQLite never steps in."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.services.postgres import PostgresServer
from swe_assets.services.postgres_address import PostgresAddress
from swe_assets.services.processes import free_port
from swe_assets.storage import postgres_check
from swe_assets_tests.postgres_case import ask, fresh_database
from swe_assets_tests.storage.postgres_home import instance_on

OLDER = "7e2f3204cf8e"
"""One of the first revisions of dagster-postgres's tables."""


def wrong_password(address: PostgresAddress) -> PostgresAddress:
    """Return an address with another password."""
    return replace(address, password="not it")


def no_server(address: PostgresAddress) -> PostgresAddress:
    """Return an address on which nobody listens."""
    return replace(address, port=free_port())


def no_database(address: PostgresAddress) -> PostgresAddress:
    """Return an address of a database that was never made."""
    return replace(address, database="never_made")


def no_role(address: PostgresAddress) -> PostgresAddress:
    """Return an address of a role that was never made."""
    return replace(address, user="nobody_known")


def no_rights(address: PostgresAddress) -> PostgresAddress:
    """Return an address of a role that may make no tables."""
    ask(address, "DROP ROLE IF EXISTS weak")
    ask(address, "CREATE ROLE weak LOGIN PASSWORD 'pw-of-it'")
    ask(address, "REVOKE CREATE ON SCHEMA public FROM public")
    return replace(address, user="weak", password="pw-of-it")


def locked_out(address: PostgresAddress) -> PostgresAddress:
    """Return an address of a database that takes no connection."""
    ask(replace(address, database="postgres"), f"ALTER DATABASE {address.database} ALLOW_CONNECTIONS false")
    return address


LACKS: list[tuple[Callable[[PostgresAddress], PostgresAddress], str]] = [
    (wrong_password, "refuses us.*password authentication failed"),
    (no_server, "does not answer.*Connection refused"),
    (no_database, "no such database: make it.*never_made"),
    (no_role, "refuses us.*nobody_known"),
    (no_rights, "GRANT CREATE"),
    (locked_out, "refuses us.*not currently accepting connections"),
]


@pytest.mark.parametrize(("spoilt", "says"), LACKS, ids=lambda part: getattr(part, "__name__", "says"))
def test_each_lack_says_what_to_do(
    spoilt: Callable[[PostgresAddress], PostgresAddress],
    says: str,
    postgres: PostgresServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each way not to be let in names place, source, the server's words and the way back, and no password."""
    monkeypatch.setattr(postgres_check, "_PATIENCE_SECONDS", 0.5)
    address = spoilt(fresh_database(postgres))
    with (
        pytest.raises(ConfigurationError, match=says) as refused,
        instance_on(address, tmp_path, monkeypatch),
    ):
        pass
    said = str(refused.value)
    assert address.safe_url in said and "take SWE_ASSETS_POSTGRES_URL away" in said
    assert address.password not in said
    assert not list(tmp_path.rglob("*.db"))


@pytest.mark.parametrize(
    ("revision", "says"), [(OLDER, "dagster instance migrate"), ("f00000000000", "newer Dagster")]
)
def test_other_tables_are_told(
    revision: str, says: str, postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables of an older or a newer Dagster are refused with the way out, before anything is written."""
    address = fresh_database(postgres)
    with instance_on(address, tmp_path, monkeypatch):
        pass
    ask(address, f"UPDATE alembic_version SET version_num = '{revision}'")  # noqa: S608 - from the list above
    with pytest.raises(ConfigurationError, match=says), instance_on(address, tmp_path, monkeypatch):
        pass
