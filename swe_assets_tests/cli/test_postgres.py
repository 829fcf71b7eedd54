"""`swe-assets postgres` turns a home to its own server and back, and always says which place is used."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from swe_assets.home import CHECKOUT
from swe_assets.services.postgres import PostgresServer
from swe_assets.storage.place import VARIABLE
from swe_assets_tests.postgres_case import fresh_database, open_folder


def call(home: Path, *arguments: str, **more: str) -> "subprocess.CompletedProcess[str]":
    """Call the command line in a home."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DAGSTER_HOME", VARIABLE)}
    return subprocess.run(
        [sys.executable, "-m", "swe_assets", *arguments],
        env={**kept, "SWE_ASSETS_HOME": str(home), **more},
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )


def reply(home: Path, *arguments: str, expected: int = 0, **more: str) -> dict[str, Any]:
    """Call `swe-assets postgres`, whose exit code is as expected, and return its JSON."""
    done = call(home, "postgres", *arguments, **more)
    assert done.returncode == expected, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def up(postgres: PostgresServer) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Give a home that was turned to its own server, and what that said; the server is stopped at the end."""
    with open_folder() as home:
        try:
            yield home, reply(home, "up")
        finally:
            call(home, "postgres", "down", "--sqlite")


def test_up_turns_the_home(up: tuple[Path, dict[str, Any]]) -> None:
    """`up` starts a server below the home, and the home's records are on it."""
    home, said = up
    assert (said["state"], said["answer"]) == ("up", "it accepts connections")
    assert Path(said["folder"]).is_relative_to(home)
    assert said["records"] == said["detail"] == f"postgresql://dagster@127.0.0.1:{said['port']}/dagster"
    assert said["chosen"] == "by `swe-assets postgres up`"


def test_up_again_changes_nothing(up: tuple[Path, dict[str, Any]]) -> None:
    """A second `up` and `status` give the same reply, and say on stderr where records are."""
    home, said = up
    again = call(home, "postgres", "up")
    assert json.loads(again.stdout) == said == reply(home, "status")
    assert "turned" not in again.stderr
    assert f"Dagster's records: {said['records']}" in again.stderr


def test_doctor_names_the_place(up: tuple[Path, dict[str, Any]]) -> None:
    """The doctor shows the place and no password."""
    home, said = up
    shown = call(home, "doctor", "--offline", "--json").stdout
    (finding,) = [one for one in json.loads(shown) if one["name"] == "Dagster's records"]
    assert finding["state"] == "ok" and said["records"] in finding["value"]
    assert (Path(said["folder"]) / "password").read_text() not in shown


def test_a_url_comes_first(up: tuple[Path, dict[str, Any]], postgres: PostgresServer) -> None:
    """A URL in the environment is used instead, and one that does not answer is exit code 1."""
    home, said = up
    address = fresh_database(postgres)
    other = reply(home, "status", SWE_ASSETS_POSTGRES_URL=address.url)
    assert (other["records"], other["detail"]) == (address.safe_url, said["detail"])
    nowhere = "postgresql://me:hidden@127.0.0.1:1/x"
    lost = reply(home, "status", expected=1, SWE_ASSETS_POSTGRES_URL=nowhere)
    assert "refused" in lost["answer"] and "hidden" not in str(lost)


def test_down_keeps_the_choice_and_sqlite_ends_it(up: tuple[Path, dict[str, Any]]) -> None:
    """After `down` the records stay on the server; `--sqlite` turns back; `up` finds the data again."""
    home, said = up
    stopped = call(home, "postgres", "down")
    assert stopped.returncode == 0
    assert json.loads(stopped.stdout)["records"] == said["records"]
    assert "stay on it" in stopped.stderr
    assert reply(home, "status", expected=1)["state"] == "down"
    assert "SQLite" in reply(home, "down", "--sqlite")["records"]
    assert "SQLite" in reply(home, "status")["records"]
    assert reply(home, "up")["records"] == said["records"]


def test_a_home_that_is_never_turned_loads_no_driver(tmp_path: Path) -> None:
    """With records in SQLite neither the definitions nor the opened records import Postgres's libraries."""
    code = (
        "import sys, swe_assets.cli.run, swe_assets.patch_quality.definitions\n"
        "from swe_assets.storage.instance import open_instance\n"
        "with open_instance(): print({'psycopg2', 'dagster_postgres'} & set(sys.modules))"
    )
    kept = {name: value for name, value in os.environ.items() if name not in ("DAGSTER_HOME", VARIABLE)}
    asked = [sys.executable, "-c", code]
    variables = {**kept, "SWE_ASSETS_HOME": str(tmp_path)}
    done = subprocess.run(asked, env=variables, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
