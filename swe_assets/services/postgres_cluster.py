"""The data folder of a Postgres server: made once, whole or not at all."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from swe_assets.errors import ServiceError
from swe_assets.services.accounts import Account
from swe_assets.services.folders import make_folder
from swe_assets.services.postgres_binaries import Binaries
from swe_assets.services.processes import as_account

_SECONDS = 300


def initialise(binaries: Binaries, data: Path, role: str, password: str, account: Account | None) -> None:
    """Make a cluster in `data`, owned by the account, whose one role signs in with the password.

    It is made beside and renamed, so that one that was interrupted is begun anew. The password reaches initdb
    in a file that only the account can read and that is removed. UTF-8, locale C, with data checksums.
    Raises ServiceError with initdb's own words.
    """
    beside = data.with_name(f"{data.name}.new")
    _sweep(beside)
    make_folder(beside, mode=0o700, account=account)
    with _readable_by(password, data.parent, account) as secret:
        command = [
            binaries.initdb,
            f"--pgdata={beside}",
            f"--username={role}",
            f"--pwfile={secret}",
            *("--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--data-checksums"),
        ]
        words = _run(command, account)
    if words:
        _sweep(beside)
        raise ServiceError(f"Postgres's initdb cannot make {str(data)!r}: {words}")
    beside.rename(data)


def _run(command: list[str], account: Account | None) -> str:
    """Run initdb and return what it says where it fails, else an empty text."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
            cwd="/",
            env={"PATH": os.defpath, "LC_ALL": "C"},
            **as_account(account),
        )
    except (OSError, subprocess.SubprocessError) as wrong:
        return str(wrong)
    said = (done.stderr or done.stdout).strip().splitlines() or [f"exit code {done.returncode}"]
    return " | ".join(said[-6:]) if done.returncode else ""


@contextmanager
def _readable_by(secret: str, folder: Path, account: Account | None) -> Iterator[str]:
    """Yield the name of a file with the secret that only the account can read; it is removed afterwards."""
    try:
        handle, name = tempfile.mkstemp(dir=folder, prefix=".part-")
    except OSError as wrong:
        raise ServiceError(
            f"cannot write in {str(folder)!r}: {wrong.strerror}; make it writable or free space"
        ) from wrong
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(secret + "\n")
        if account is not None:
            os.chown(name, account.uid, account.gid)
        yield name
    finally:
        Path(name).unlink(missing_ok=True)


def _sweep(folder: Path) -> None:
    try:
        if folder.exists():
            shutil.rmtree(folder)
    except OSError as wrong:
        raise ServiceError(
            f"cannot remove the unfinished {str(folder)!r}: {wrong}; remove it yourself"
        ) from wrong
