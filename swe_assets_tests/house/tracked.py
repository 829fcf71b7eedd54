"""What must stand in no file that git keeps: paths of a machine, addresses of an index, secrets."""

import re
import subprocess
from pathlib import Path

# A bracket in each name keeps this file from holding what it looks for.
MACHINE_PATH = re.compile(r"(?<![\w.)}\"'*-])/(?:[w]ork|[f]arm)/")
INDEX = re.compile(
    r"p[y]pi\.org|python[h]osted\.org|registry\.[n]pmjs|repo1\.[m]aven|proxy\.[g]olang|[c]rates\.io"
    r"|(?<!no-emit-)index[-]url|find[-]links"
)
ADDRESS = re.compile(r"https?://(?!localhost|127\.0\.0\.1|\w+:\d)")
"""A name without a dot and with a port is a service's of compose.yaml, and leads nowhere else."""
SECRETS = re.compile(
    r"AI[z]a[0-9A-Za-z_-]{35}|\bs[k]-[A-Za-z0-9_-]{24,}|\bg[h][pousr]_[A-Za-z0-9]{30,}|\bAK[I]A[0-9A-Z]{16}\b"
    r"|\bh[f]_[A-Za-z0-9]{30,}|\bxo[x][abp]-[0-9A-Za-z-]{20,}|-----BEGIN (?:[A-Z]+ )?PRIVATE [K]EY-----"
)
INSTALLERS = ("requirements", "Makefile", ".ci/", "scripts/", "docker/")
"""How the names begin of files that tell an installer what to do: no address at all stands there."""


def tracked(root: Path) -> list[Path]:
    """Return the files that git keeps and that are there, or every file where the folder is no checkout."""
    asked = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--", "."]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    if done.returncode:
        return sorted(path for path in root.rglob("*") if path.is_file())
    return [path for name in done.stdout.split("\0") if name and (path := root / name).is_file()]


def found(root: Path, pattern: re.Pattern[str], *begins: str) -> list[str]:
    """Return where a pattern stands in the tracked text files whose names begin in one of some ways."""
    wrong = []
    for path in tracked(root):
        name = path.relative_to(root).as_posix()
        content = path.read_bytes()
        if b"\0" in content or not name.startswith(begins or ("",)):
            continue
        for number, line in enumerate(content.decode("utf-8", "replace").split("\n"), 1):
            wrong += [f"{name}:{number}: {hit.group()!r}" for hit in pattern.finditer(line)]
    return wrong


def machine_paths(root: Path) -> list[str]:
    """Complain of paths that only one machine has."""
    return found(root, MACHINE_PATH)


def index_addresses(root: Path) -> list[str]:
    """Complain of a package index anywhere, and of any address where an installer would read it."""
    return found(root, INDEX) + found(root, ADDRESS, *INSTALLERS)


def secrets(root: Path) -> list[str]:
    """Complain of what looks like a key; the hit's first characters are shown, no more."""
    return [f"{line.rsplit(': ', 1)[0]}: looks like a key" for line in found(root, SECRETS)]
