"""Detached processes live on, are told apart from later ones, and end with all they started."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from swe_assets.errors import ServiceError
from swe_assets.services.accounts import service_account
from swe_assets.services.processes import (
    free_port,
    is_alive,
    is_free,
    mark_of,
    start_detached,
    stop,
    wait_for_end,
)
from swe_assets_tests.postgres_case import open_folder

ENV = {"PATH": os.defpath, "ONLY": "this"}


def start(folder: Path, script: str) -> str:
    """Start a shell script as ourselves."""
    return start_detached(["sh", "-c", script], log=folder / "log", env=ENV, account=None, cwd=folder)


def until(condition: Path) -> str:
    """Wait until a file is there and hold what it says."""
    limit = time.monotonic() + 20
    while not (condition.exists() and condition.read_text()) and time.monotonic() < limit:
        time.sleep(0.02)
    return condition.read_text()


def test_it_outlives_who_started_it(tmp_path: Path) -> None:
    """A process started by a program that has ended still runs, in a session of its own."""
    code = (
        "import sys, pathlib\nfrom swe_assets.services.processes import start_detached\n"
        f"folder = pathlib.Path({str(tmp_path)!r})\n"
        "print(start_detached(['sleep', '60'], log=folder / 'log', env={'PATH': '/usr/bin:/bin'}, "
        "account=None, cwd=folder))"
    )
    mark = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert is_alive(mark)
    pid = int(mark.partition(":")[0])
    assert os.getsid(pid) == pid
    assert stop(mark, seconds=5)
    assert not is_alive(mark)


def test_output_goes_to_a_log_for_us_alone(tmp_path: Path) -> None:
    """Both outputs are added to a log of mode 0600, and the environment is the one given, nothing else."""
    (tmp_path / "log").touch(0o600)
    (tmp_path / "log").write_text("before\n")
    mark = start(tmp_path, "echo said; echo wrong >&2; env")
    assert wait_for_end(mark, seconds=20)
    text = (tmp_path / "log").read_text()
    assert text.startswith("before\nsaid\nwrong\n")
    assert "ONLY=this" in text and "HOME=" not in text
    assert (tmp_path / "log").stat().st_mode & 0o777 == 0o600


def test_a_log_that_is_a_link_is_refused(tmp_path: Path) -> None:
    """A link in place of the log, which another account may have laid, is not followed."""
    (tmp_path / "log").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ServiceError, match="cannot write the log"):
        start(tmp_path, "echo said")
    assert not (tmp_path / "elsewhere").exists()


def test_what_cannot_be_started_is_said(tmp_path: Path) -> None:
    """A program that is not there is an error that names it."""
    with pytest.raises(ServiceError, match="no-such-program"):
        start_detached(["no-such-program"], log=tmp_path / "log", env=ENV, account=None, cwd=tmp_path)


def test_the_whole_group_ends(tmp_path: Path) -> None:
    """What a process started, and does not listen to the gentle signal, ends with it."""
    mark = start(tmp_path, "sh -c 'trap \"\" TERM; echo $$ > child; sleep 60' & wait")
    child = mark_of(int(until(tmp_path / "child")))
    assert stop(mark, seconds=5)
    assert wait_for_end(child, seconds=5)


def test_one_that_does_not_listen_is_killed(tmp_path: Path) -> None:
    """A process that ignores the gentle signal is killed after the seconds given."""
    mark = start(tmp_path, "trap '' TERM; echo ready > ready; while :; do sleep 1; done")
    until(tmp_path / "ready")
    begun = time.monotonic()
    assert stop(mark, seconds=0.3)
    assert 0.3 <= time.monotonic() - begun < 15
    assert not is_alive(mark)


def test_the_group_of_a_killed_one_ends_too(tmp_path: Path) -> None:
    """Where the process itself was killed, stop still ends those it left."""
    mark = start(tmp_path, "sleep 60 & echo $! > child; wait")
    child = mark_of(int(until(tmp_path / "child")))
    os.kill(int(mark.partition(":")[0]), signal.SIGKILL)
    assert wait_for_end(mark, seconds=5)
    assert is_alive(child)
    assert stop(mark, seconds=1)
    assert wait_for_end(child, seconds=5)


@pytest.mark.parametrize("field", [1, 2])
def test_another_process_of_the_same_number_is_left_alone(field: int) -> None:
    """A mark of another start or of another boot is not alive, and stopping it touches nobody."""
    with subprocess.Popen(["sleep", "60"]) as other:
        parts = mark_of(other.pid).split(":")
        parts[field] = "0"
        mark = ":".join(parts)
        assert not is_alive(mark)
        assert not stop(mark, seconds=0.1)
        assert other.poll() is None
        other.kill()


@pytest.mark.parametrize("mark", ["", "x", "0:0:0", "-1:5", "999999999:1:"])
def test_a_torn_mark_is_nobody(mark: str) -> None:
    """A mark that is empty or torn is no living process."""
    assert not is_alive(mark)
    assert not stop(mark, seconds=0.1)


def test_an_ended_child_is_not_alive(tmp_path: Path) -> None:
    """A child of ours that ended is taken leave of at once, not kept as a zombie."""
    mark = start(tmp_path, "exit 3")
    assert wait_for_end(mark, seconds=10)
    assert not Path(f"/proc/{mark.partition(':')[0]}").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start as another account")
def test_it_runs_as_the_account() -> None:
    """As root the process has the account's numbers and no other groups."""
    account = service_account()
    assert account is not None
    with open_folder() as folder:
        command = ["sh", "-c", "id -u; id -g; id -G"]
        mark = start_detached(command, log=folder / "log", env=ENV, account=account, cwd=Path("/"))
        assert wait_for_end(mark, seconds=20)
        assert (folder / "log").read_text().split() == [str(account.uid), *[str(account.gid)] * 2]


def test_free_ports_are_free() -> None:
    """A port that is found can be listened on, and one that is listened on is not free."""
    import socket

    port = free_port()
    assert is_free(port)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        assert not is_free(port)
