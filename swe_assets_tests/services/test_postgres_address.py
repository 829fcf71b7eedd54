"""Addresses and programs of Postgres: quoting, secrecy and what is said where nothing is installed."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import make_url

from swe_assets.errors import ConfigurationError
from swe_assets.services import postgres_binaries
from swe_assets.services.postgres_address import PostgresAddress
from swe_assets.services.postgres_log import cause
from swe_assets.services.postgres_probe import Answer, probe_url

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=12)


@given(user=TEXT, password=TEXT, database=TEXT)
def test_any_name_and_password_survive_the_url(user: str, password: str, database: str) -> None:
    """SQLAlchemy reads back from the URL just what went into the address."""
    address = PostgresAddress("127.0.0.1", 5433, database, user, password)
    read = make_url(address.url)
    assert (read.username, read.password, read.host, read.port) == (user, password, "127.0.0.1", 5433)


@pytest.mark.parametrize("url", ["postgresql://u:%zz-topsecret@h/d", "postgresql://u@h/d?topsecret=1"])
def test_what_libpq_cannot_read_is_not_repeated(url: str) -> None:
    """A URL that libpq refuses, quoting the part at fault, is refused without that part."""
    found = probe_url(url)
    assert found.answer is Answer.REFUSED and "%XX" in found.words
    assert "topsecret" not in found.words


def test_shown_forms() -> None:
    """The URL to show and Java's hold no password, and an IPv6 host is in brackets."""
    address = PostgresAddress("::1", 5433, "d b", "me", "secret")
    assert address.safe_url == "postgresql://me@[::1]:5433/d%20b"
    assert address.jdbc_url == "jdbc:postgresql://[::1]:5433/d%20b"
    assert "secret" not in repr(address)


def test_nothing_installed_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where no Postgres is found the message names the package."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(postgres_binaries, "PLACES", (str(tmp_path / "*"), str(tmp_path / "x*")))
    with pytest.raises(ConfigurationError, match="apt-get install postgresql"):
        postgres_binaries.find_binaries()


def test_a_server_of_the_wanted_version_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of several versions that of the data is taken, whatever comes first; the newest where none is asked."""
    for major in (14, 9, 16):
        folder = tmp_path / str(major) / "bin"
        folder.mkdir(parents=True)
        for name in ("postgres", "initdb"):
            (folder / name).write_text(f"#!/bin/sh\necho 'postgres (PostgreSQL) {major}.3'\n")
            (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(postgres_binaries, "PLACES", (str(tmp_path / "*" / "bin"),))
    assert postgres_binaries.find_binaries().major == 16
    assert postgres_binaries.find_binaries(14).folder == tmp_path / "14" / "bin"


def test_the_cause_is_what_was_written_since(tmp_path: Path) -> None:
    """Of a log the telling lines after a start are quoted, not those of an earlier one, nor the noise."""
    log = tmp_path / "log"
    old = "FATAL:  an older fault\n"
    log.write_text(old + "LOG:  starting\nFATAL:  could not map memory\nLOG:  database system is shut down\n")
    assert cause(log, since=len(old)) == "FATAL:  could not map memory"
    assert "no log" in cause(tmp_path / "none", since=0)
