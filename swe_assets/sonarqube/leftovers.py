"""The processes of a private server, found by what their command lines name."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from swe_assets.services.accounts import Account
from swe_assets.sonarqube.places import ServerPlaces

KINDS = {
    "web": "org.sonar.server.app.WebServer",
    "ce": "org.sonar.ce.app.CeServer",
    "search launcher": "org.elasticsearch.launcher.CliToolLauncher",
    "search": "org.elasticsearch.",
    "main": "sonar-application-",
}
"""By what a command line tells which of SonarQube's processes it is; the first that fits."""

_GRACE = 10.0


def processes(places: ServerPlaces, account: Account | None) -> dict[int, str]:
    """Return the number and kind of each process of the server that runs below `places`.

    They belong to the account that runs it, are called java, and their arguments name the server's
    temporary folder or its distribution: a reader of its logs or a scanner does not count.
    """
    owner = account.uid if account is not None else os.getuid()
    marks = (str(places.temp), f"{places.folder}/sonarqube-")
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        words = _command(entry, owner)
        if words and Path(words[0]).name == "java" and any(m in word for word in words[1:] for m in marks):
            found[int(entry.name)] = _kind(" ".join(words))
    return found


def kill_all(places: ServerPlaces, account: Account | None) -> int:
    """Kill what is left of a server and wait until it is gone; return how many processes there were."""
    seen: set[int] = set()
    deadline = time.monotonic() + _GRACE
    while (left := processes(places, account)) and time.monotonic() < deadline:
        seen |= set(left)
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.1)
    return len(seen)


def _command(entry: Path, owner: int) -> list[str]:
    """Return a process's arguments, none where it is another owner's, a zombie, or gone."""
    with suppress(OSError):
        if entry.stat().st_uid == owner:
            return (entry / "cmdline").read_bytes().decode("utf-8", "surrogateescape").split("\0")
    return []


def _kind(command: str) -> str:
    return next((kind for kind, part in KINDS.items() if part in command), "other")
