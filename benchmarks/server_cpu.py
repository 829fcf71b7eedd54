"""What a server on this machine spends: the processes behind the port it listens on (Linux)."""

from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.effort import spent_by

_LISTENING = "0A"


def server_process(url: str) -> int | None:
    """Return the process that started the one which listens on a URL's port; None where it is not seen."""
    inodes = _listening_inodes(urlsplit(url).port or 80)
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if any(str(fd.readlink()) in inodes for fd in (entry / "fd").iterdir()):
                return int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    return None


def server_cpu(process: int | None) -> float:
    """Return the processor seconds of a server's processes so far, 0.0 where they are not seen."""
    return spent_by(process) if process is not None else 0.0


def _listening_inodes(port: int) -> set[str]:
    found = set()
    for table in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in Path("/proc/net", table).read_text(encoding="ascii").splitlines()[1:]:
                words = line.split()
                if words[3] == _LISTENING and int(words[1].rpartition(":")[2], 16) == port:
                    found.add(f"socket:[{words[9]}]")
    return found
