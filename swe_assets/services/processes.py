"""Processes that outlive the command that started them, told apart from later ones of the same number."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from swe_assets.errors import ServiceError
from swe_assets.services.accounts import Account

_POLL_SECONDS = 0.05
_started: dict[int, "subprocess.Popen[bytes]"] = {}  # ours, so that an ended one is taken leave of


class RunAs(TypedDict, total=False):
    """The arguments of subprocess that say who a child runs as; none of them: as ourselves."""

    user: int
    group: int
    extra_groups: list[int]


def free_port(host: str = "127.0.0.1") -> int:
    """Return a TCP port that nobody listens on at this moment."""
    with socket.socket() as one:
        one.bind((host, 0))
        port: int = one.getsockname()[1]
        return port


def is_free(port: int, host: str = "127.0.0.1") -> bool:
    """Return whether a TCP port can be listened on at this moment."""
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind((host, port))
        except OSError:
            return False
        return True


def start_detached(
    command: Sequence[str], *, log: Path, env: Mapping[str, str], account: Account | None, cwd: Path
) -> str:
    """Start a process in a session of its own that survives us, and return its mark.

    Its output is added to the log, which only we can read; its input is closed; `env` is its whole
    environment. With an account it runs as that one, without further groups (only root can do that).
    Raises ServiceError where it cannot be started.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
    try:
        output = os.open(log, flags, 0o600)
    except OSError as wrong:
        raise ServiceError(
            f"cannot write the log {str(log)!r}: {wrong.strerror}; make it writable"
        ) from wrong
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=dict(env),
            cwd=cwd,
            start_new_session=True,
            umask=0o077,
            **as_account(account),
        )
    except (OSError, subprocess.SubprocessError) as wrong:
        who = f" as {account.name!r}" if account is not None else ""
        raise ServiceError(f"cannot start {command[0]!r}{who}: {wrong}") from wrong
    finally:
        os.close(output)
    _started[process.pid] = process
    return mark_of(process.pid)


def as_account(account: Account | None) -> RunAs:
    """Return the arguments of subprocess that run a child as the account and with its group alone."""
    if account is None:
        return RunAs()
    return RunAs(user=account.uid, group=account.gid, extra_groups=[])


def mark_of(pid: int) -> str:
    """Return a process's mark: its number, start time in clock ticks, and the machine's boot."""
    return f"{pid}:{_stat(pid)[1]}:{_boot()}"


def is_alive(mark: str) -> bool:
    """Return whether the very process of that mark runs; one that ended but is not waited for does not."""
    pid, ticks, boot = _parts(mark)
    if pid <= 0 or boot != _boot():
        return False
    if pid in _started and _started[pid].poll() is not None:
        del _started[pid]
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    state, now = _stat(pid)
    return state != "Z" and now == ticks


def stop(mark: str, *, seconds: float, gently: signal.Signals = signal.SIGTERM) -> bool:
    """End a process and all of its group, by force after so many seconds; return whether any of it ran.

    The gentle signal goes to the process alone. What is left of the group of one that died is killed too.
    """
    pid, _, boot = _parts(mark)
    if pid <= 0 or boot != _boot():
        return False
    ran = is_alive(mark)
    if ran:
        os.kill(pid, gently)
        wait_for_end(mark, seconds=seconds)
    elif Path(f"/proc/{pid}").exists():
        return False  # another process has this number by now
    return _kill_group(pid, mark) or ran


def wait_for_end(mark: str, *, seconds: float) -> bool:
    """Return whether the process has ended within so many seconds."""
    deadline = time.monotonic() + seconds
    while is_alive(mark):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def _kill_group(pid: int, mark: str) -> bool:
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return False
    wait_for_end(mark, seconds=10)
    return True


def _parts(mark: str) -> tuple[int, str, str]:
    pid, ticks, boot = (*mark.split(":"), "", "", "")[:3]
    return (int(pid) if pid.isdigit() else 0), ticks, boot


def _stat(pid: int) -> tuple[str, str]:
    """Return a process's state letter and start time, both empty where there is no /proc."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "", ""
    fields = text.rpartition(")")[2].split()
    return fields[0], fields[19]


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""
