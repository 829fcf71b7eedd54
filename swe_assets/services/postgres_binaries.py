"""Postgres's own programs on this machine, of the version that a data folder needs."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from swe_assets.errors import ConfigurationError

PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin")


@dataclass(frozen=True)
class Binaries:
    """A folder that holds `initdb` and `postgres`, and their major version."""

    folder: Path
    major: int

    @property
    def initdb(self) -> str:
        """Return the program that makes a data folder."""
        return str(self.folder / "initdb")

    @property
    def postgres(self) -> str:
        """Return the server itself."""
        return str(self.folder / "postgres")


def find_binaries(major: int | None = None) -> Binaries:
    """Return the newest Postgres here, or the one of a major version; PATH's comes first.

    Raises ConfigurationError where there is none, or none of that version.
    """
    found = list(dict.fromkeys(installed()))
    for binaries in found:
        if major is None or binaries.major == major:
            return binaries
    if not found:
        raise ConfigurationError(
            "no Postgres server (initdb, postgres) on PATH or in "
            f"{' or '.join(PLACES[:2])}: install it, for example `apt-get install postgresql`"
        )
    versions = ", ".join(str(binaries.major) for binaries in found)
    raise ConfigurationError(
        f"this data was made by Postgres {major}, and here is only {versions}: install Postgres {major} "
        f"(`apt-get install postgresql-{major}`), or move the data with pg_upgrade"
    )


def installed() -> list[Binaries]:
    """Return every Postgres server found: PATH's, then those of the usual places, newest first."""
    folders = []
    program = shutil.which("initdb")
    if program is not None:
        folders.append(Path(program).resolve().parent)
    placed = [folder for place in PLACES for folder in Path("/").glob(place[1:])]
    folders += sorted(placed, key=lambda folder: _numbers(str(folder)), reverse=True)
    usable = [folder for folder in folders if os.access(folder / "postgres", os.X_OK)]
    return [Binaries(folder, major_version(folder)) for folder in usable]


def _numbers(text: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", text)]


@cache
def major_version(folder: Path) -> int:
    """Return the major version that the server in a folder says it is; ConfigurationError if it says none."""
    program = str(folder / "postgres")
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    numbers = _numbers(done.stdout)
    if done.returncode or not numbers:
        raise ConfigurationError(
            f"{program!r} --version gave {done.stdout or done.stderr!r}: mend its install"
        )
    return numbers[0]
