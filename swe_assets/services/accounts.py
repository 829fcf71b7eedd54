"""The account that servers run as: ourselves, and where we are root, one without rights."""

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from swe_assets.errors import ConfigurationError
from swe_assets.services.folders import ROOT_CACHE

VARIABLE = "SWE_ASSETS_SERVICE_USER"
DEFAULT_NAME = "swe-assets"


@dataclass(frozen=True)
class Account:
    """An account of this machine: its name, numbers and home."""

    name: str
    uid: int
    gid: int
    home: Path


def service_account() -> Account | None:
    """Return the account to run servers as, or None where they run as ourselves (we are not root).

    As root it is the one that SWE_ASSETS_SERVICE_USER names, else `swe-assets`, made by useradd where it is
    absent: Postgres and SonarQube's search refuse to run as root. Raises ConfigurationError where it cannot
    be made, does not exist though named, or is root itself.
    """
    if os.geteuid() != 0:
        return None
    named = os.environ.get(VARIABLE, "").strip()
    found = _find(named or DEFAULT_NAME)
    if found is None:
        if named:
            raise ConfigurationError(
                f"{VARIABLE} is {named!r}, and there is no such account: make it with `useradd --system "
                f"{named}`, or unset the variable and {DEFAULT_NAME!r} is made"
            )
        found = _make(DEFAULT_NAME)
    if found.uid == 0:
        raise ConfigurationError(f"{VARIABLE} is {named!r}, which is root: servers refuse it; name another")
    return found


def planned_account() -> Account | None:
    """Return the account that `service_account` would, without making it: an absent one has number -1."""
    if os.geteuid() != 0:
        return None
    name = os.environ.get(VARIABLE, "").strip() or DEFAULT_NAME
    return _find(name) or Account(name, -1, -1, ROOT_CACHE)


def _find(name: str) -> Account | None:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid, Path(entry.pw_dir))


def _make(name: str) -> Account:
    useradd = shutil.which("useradd", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")
    if useradd is None:
        raise ConfigurationError(
            f"servers do not run as root, there is no account {name!r} and no useradd to make it: "
            f"make one and name it with {VARIABLE}"
        )
    shell = shutil.which("nologin", path="/usr/sbin:/sbin:/usr/bin") or "/bin/false"
    home = ["--home-dir", str(ROOT_CACHE), "--no-create-home"]
    done = subprocess.run(
        [useradd, "--system", "--user-group", *home, "--shell", shell, name],
        capture_output=True,
        text=True,
        check=False,
    )
    found = _find(name)  # another process may have made it at the same moment
    if found is None:
        raise ConfigurationError(
            f"servers do not run as root, and the account {name!r} cannot be made: "
            f"{done.stderr.strip() or done.returncode}; make one and name it with {VARIABLE}"
        )
    return found
