"""A real Postgres server for the tests: one a session, a database of its own for each test that asks."""

import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.services.postgres import PostgresServer
from swe_assets.services.postgres_address import PostgresAddress
from swe_assets.services.postgres_binaries import find_binaries
from swe_assets.services.postgres_probe import connect, make_database

_numbers = itertools.count(1)


@contextmanager
def open_folder() -> Iterator[Path]:
    """Give a new folder that the account of servers can enter, unlike pytest's own, and remove it."""
    folder = Path(tempfile.mkdtemp(prefix="swe-assets-test-", dir="/var/tmp"))
    folder.chmod(0o711 if os.geteuid() == 0 else 0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def private_postgres(folder: Path, database: str = "tests") -> Iterator[PostgresServer]:
    """Give a server that is up, and stop it; the test is skipped where no Postgres is installed."""
    try:
        find_binaries()
    except ConfigurationError as lack:
        pytest.skip(str(lack))
    server = PostgresServer(folder, database)
    server.up()
    try:
        yield server
    finally:
        server.down(seconds=10)


def fresh_database(server: PostgresServer) -> PostgresAddress:
    """Return the address of a new, empty database on the server."""
    address = replace(server.address(), database=f"fresh_{os.getpid()}_{next(_numbers)}")
    make_database(address)
    return address


def ask(address: PostgresAddress, query: str) -> list[tuple[object, ...]]:
    """Run one statement and return its rows, none where it gives none."""
    connection = connect(address)
    connection.autocommit = True
    try:
        with connection.cursor() as cursor:
            cursor.execute(query)
            return list(cursor.fetchall()) if cursor.description else []
    finally:
        connection.close()
