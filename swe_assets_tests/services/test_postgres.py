"""A private Postgres server starts, survives, recovers and says what is wrong."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg2
import pytest

from swe_assets.errors import ConfigurationError, ServiceError
from swe_assets.services.postgres import PostgresServer
from swe_assets.services.postgres_probe import connect
from swe_assets.services.processes import mark_of, wait_for_end
from swe_assets_tests.postgres_case import ask, open_folder, private_postgres


@pytest.fixture
def own() -> Iterator[PostgresServer]:
    """Give a server of the test's own, which it may stop, kill or break."""
    with open_folder() as folder, private_postgres(folder / "postgres", "mine") as server:
        yield server


def pid_of(server: PostgresServer) -> int:
    """Return the number of the server's process."""
    pid = server.status().pid
    assert pid is not None
    return pid


def kill(server: PostgresServer) -> None:
    """Kill the server's main process as a crash would, and wait until it is gone."""
    mark = mark_of(pid_of(server))
    os.kill(pid_of(server), signal.SIGKILL)
    assert wait_for_end(mark, seconds=30)


def test_up_twice_is_one_server(postgres: PostgresServer) -> None:
    """A second `up` gives the same address and leaves the process as it is."""
    pid = pid_of(postgres)
    assert postgres.up() == postgres.up() == postgres.address()
    assert pid_of(postgres) == pid
    assert postgres.status().state == "up"


def test_the_password_is_private(postgres: PostgresServer) -> None:
    """The password is in a file for us alone and neither on a command line, in a log nor in a text form."""
    address = postgres.address()
    held = postgres.folder / "password"
    assert (held.stat().st_mode & 0o777, held.stat().st_uid) == (0o600, os.geteuid())
    lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if _readable(path)]
    seen = [
        b" ".join(lines).decode(errors="replace"),
        postgres.log.read_text(),
        repr(address),
        address.safe_url,
    ]
    assert not any(address.password in text for text in seen)


def _readable(path: Path) -> bool:
    try:
        return bool(path.read_bytes())
    except OSError:
        return False


def test_only_the_right_password_opens_it(postgres: PostgresServer) -> None:
    """The role signs in by SCRAM-SHA-256, and another password is refused."""
    assert ask(postgres.address(), "SHOW password_encryption") == [("scram-sha-256",)]
    with pytest.raises(psycopg2.OperationalError, match="password authentication failed"):
        connect(replace(postgres.address(), password="another"))


def test_it_listens_on_loopback_alone(postgres: PostgresServer) -> None:
    """It listens on 127.0.0.1 and nowhere else, on no socket file either."""
    address = postgres.address()
    assert ask(address, "SHOW listen_addresses") == [("127.0.0.1",)]
    assert ask(address, "SHOW unix_socket_directories") == [("",)]
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.2", address.port)) != 0


def test_it_does_not_run_as_root(postgres: PostgresServer) -> None:
    """Process and data belong to an account that is not root."""
    assert Path(f"/proc/{pid_of(postgres)}").stat().st_uid == postgres.data.stat().st_uid != 0


def test_two_at_once_make_one(own: PostgresServer) -> None:
    """Two commands that start it at the same moment end with one server and the same address."""
    own.down()
    code = (
        "import pathlib, sys\nfrom swe_assets.services.postgres import PostgresServer\n"
        "print(PostgresServer(pathlib.Path(sys.argv[1]), 'mine').up().safe_url)"
    )
    command = [sys.executable, "-c", code, str(own.folder)]
    pair = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = {process.communicate(timeout=120)[0] for process in pair}
    assert [process.returncode for process in pair] == [0, 0]
    assert said == {own.address().safe_url + "\n"}


def test_down_waits_and_says_whether_it_ran(own: PostgresServer) -> None:
    """`down` ends the process before it returns; a second one finds nothing; the data stay."""
    ask(own.address(), "CREATE TABLE kept AS SELECT 7 AS number")
    pid = pid_of(own)
    assert own.down() is True
    assert not Path(f"/proc/{pid}").exists()
    assert own.down() is False
    assert own.status().state == "down"
    assert ask(own.up(), "SELECT number FROM kept") == [(7,)]


def test_a_killed_server_recovers(own: PostgresServer) -> None:
    """After kill -9 `up` at once gives the same address, and what was committed is there."""
    ask(own.address(), "CREATE TABLE kept AS SELECT 7 AS number")
    before = own.address()
    os.kill(pid_of(own), signal.SIGKILL)
    assert own.up() == before
    assert ask(before, "SELECT number FROM kept") == [(7,)]


def test_a_number_given_to_another_process_does_not_stop_it(own: PostgresServer) -> None:
    """A pid file whose number is another process's by now, as after a reboot, is not taken for a server."""
    kill(own)
    stale = own.data / "postmaster.pid"
    lines = stale.read_text().splitlines()
    with subprocess.Popen(["sleep", "60"]) as other:
        stale.write_text("\n".join([str(other.pid), *lines[1:]]) + "\n")
        state = own.status().state
        own.up()
        survived = other.poll() is None
        other.kill()
    assert (state, survived) == ("down", True)


def test_a_server_that_is_not_remembered_is_found(own: PostgresServer) -> None:
    """Without the note of process and port the running server is still found, and stopped."""
    address = own.address()
    (own.folder / "state.json").write_text("{torn")
    assert own.up() == address
    assert own.down() is True


def test_a_port_taken_meanwhile_is_left(own: PostgresServer) -> None:
    """Where another program took the port, the server comes up on a new one."""
    before = own.address()
    own.down()
    with socket.socket() as foreign:
        foreign.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        foreign.bind(("127.0.0.1", before.port))
        foreign.listen()
        after = own.up()
    assert after.port != before.port
    assert ask(after, "SELECT 1") == [(1,)]


def test_a_failing_start_shows_its_own_log(own: PostgresServer) -> None:
    """A setting that Postgres refuses is told in its own words, and mending it is enough."""
    own.down()
    settings = own.data / "postgresql.conf"
    text = settings.read_text()
    settings.write_text(text + "no_such_setting = 1\n")
    with pytest.raises(ServiceError, match='unrecognized configuration parameter "no_such_setting"'):
        own.up()
    assert own.status().state == "down"
    settings.write_text(text)
    own.up()


def test_data_of_another_version_are_refused(own: PostgresServer) -> None:
    """Data of a Postgres that is not installed are left alone, with what to do."""
    own.down()
    (own.data / "PG_VERSION").write_text("9\n")
    with pytest.raises(ConfigurationError, match=r"made by Postgres 9.*pg_upgrade"):
        own.up()


def test_data_without_their_password_are_refused(own: PostgresServer) -> None:
    """Without the password file status is broken and `up` says which file to put back."""
    (own.folder / "password").unlink()
    assert own.status().state == "broken"
    with pytest.raises(ConfigurationError, match="password' is missing"):
        own.up()


def test_a_changed_password_is_said(own: PostgresServer) -> None:
    """A password that the server does not know is an error with the server's words, in `status` too."""
    right = (own.folder / "password").read_text()
    (own.folder / "password").write_text("another")
    assert own.status().state == "broken"
    with pytest.raises(ServiceError, match="password authentication failed"):
        own.up()
    (own.folder / "password").write_text(right)


def test_an_interrupted_first_start_is_begun_anew() -> None:
    """What an interrupted initdb left is removed, and the server comes up."""
    with open_folder() as folder:
        (folder / "postgres" / "data.new" / "base").mkdir(parents=True)
        with private_postgres(folder / "postgres") as server:
            assert server.status().state == "up"
            assert {path.name for path in server.folder.iterdir()} == {
                "data", "lock", "password", "server.log", "state.json"
            }  # fmt: skip


def test_a_folder_that_is_no_data_is_said() -> None:
    """A data folder that Postgres did not make is not touched, and named."""
    with open_folder() as folder:
        (folder / "postgres" / "data").mkdir(parents=True)
        with pytest.raises(ServiceError, match="no data folder of Postgres"):
            PostgresServer(folder / "postgres", "mine").up()


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone mounts")
def test_a_full_disk_is_said() -> None:
    """A disk too small for the data is told in initdb's words, and a larger one is enough."""
    with open_folder() as folder, _mounted(folder, "8m") as mounted:
        server = PostgresServer(folder / "postgres", "mine")
        if not mounted:
            pytest.skip("mounting a small file system is not allowed here")
        with pytest.raises(ServiceError, match=r"(?i)no space left"):
            server.up()
        subprocess.run(["mount", "-o", "remount,size=400m", str(folder)], check=True)
        server.up()
        server.down()


@contextmanager
def _mounted(folder: Path, size: str) -> Iterator[bool]:
    command = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0711", "tmpfs", str(folder)]
    done = subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        yield done
    finally:
        if done:
            subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_foreign_answer_on_the_port_is_not_ours(own: PostgresServer) -> None:
    """A server that is down is down, whoever listens on its port now."""
    port = own.address().port
    own.down()
    with socket.socket() as foreign:
        foreign.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        foreign.bind(("127.0.0.1", port))
        foreign.listen()
        assert own.status().state == "down"


def test_never_started_says_so(tmp_path: Path) -> None:
    """A server that was never started is down, makes nothing by being asked, and has no address."""
    server = PostgresServer(tmp_path / "none", "mine")
    assert (server.status().state, server.down()) == ("down", False)
    with pytest.raises(ConfigurationError, match="start it with `up`"):
        server.address()
    assert not (tmp_path / "none").exists()
