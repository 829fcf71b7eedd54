"""Trees of files become a bare git repository whose commit ids are the same on every machine."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from swe_assets.errors import ConfigurationError, RepositoryError
from swe_assets.patch_quality.sample.history import Tree

AUTHOR = "Sample Author <author@swe-sample.invalid>"
FIRST_COMMIT = 1_700_000_000
"""Seconds since 1970 of the first commit; each later one comes a day after."""


def write_bare(folder: Path, trees: Sequence[Tree]) -> list[str]:
    """Write one commit a tree into a new bare repository and return the commit ids.

    Raises ConfigurationError where git is missing, RepositoryError where git fails.
    """
    _git(
        "init",
        "--quiet",
        "--bare",
        "--template=",
        "--object-format=sha1",
        "--initial-branch=main",
        str(folder),
    )
    _git("-C", str(folder), "fast-import", "--quiet", "--date-format=raw", given=_stream(trees))
    listed = _git("-C", str(folder), "rev-list", "--reverse", "main")
    return listed.decode().split()


def _stream(trees: Sequence[Tree]) -> bytes:
    """Write git's fast-import stream: each commit holds its tree whole."""
    parts = []
    for number, tree in enumerate(trees):
        when = f"{AUTHOR} {FIRST_COMMIT + number * 86_400} +0000"
        message = f"Version 0.{number + 1}\n".encode()
        head = f"commit refs/heads/main\nauthor {when}\ncommitter {when}\n"
        parts += [head.encode(), b"data %d\n" % len(message), message, b"deleteall\n"]
        for path, content in sorted(tree.items()):
            parts += [f"M 100644 inline {path}\n".encode(), b"data %d\n" % len(content), content, b"\n"]
    return b"".join([*parts, b"done\n"])


def _git(*arguments: str, given: bytes = b"") -> bytes:
    try:
        done = subprocess.run(
            ["git", *arguments], input=given, capture_output=True, env=_environment(), check=False
        )
    except FileNotFoundError as missing:
        raise ConfigurationError("the sample needs git, which is not on PATH: install git") from missing
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        raise RepositoryError(
            f"git {arguments[0]} ended with {done.returncode} while the sample was built: {said!r}"
        )
    return done.stdout


def _environment() -> dict[str, str]:
    """Return the environment without any git setting of the user's, a hook's or the system's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
