"""Where servers keep their data, and whether the account that runs them gets there."""

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from swe_assets.errors import ConfigurationError

if TYPE_CHECKING:
    from swe_assets.services.accounts import Account

ROOT_CACHE = Path("/var/cache/swe-assets")


def cache_dir() -> Path:
    """Return the user's cache: SWE_ASSETS_CACHE, as root /var/cache/swe-assets, else XDG's.

    XDG's is $XDG_CACHE_HOME/swe-assets, else ~/.cache/swe-assets
    (https://specifications.freedesktop.org/basedir-spec/latest/). Root's lies outside /root, which other
    accounts cannot enter. Raises ConfigurationError where the path named is not absolute.
    """
    named = os.environ.get("SWE_ASSETS_CACHE", "").strip()
    if named:
        path = Path(named)
        if not path.is_absolute():
            raise ConfigurationError(f"SWE_ASSETS_CACHE is {named!r}: give an absolute path")
        return path
    if os.geteuid() == 0:
        return ROOT_CACHE
    base = Path(os.environ.get("XDG_CACHE_HOME", "").strip() or "~/.cache").expanduser()
    return (base if base.is_absolute() else Path.home() / ".cache") / "swe-assets"


def make_folder(folder: Path, *, mode: int, account: "Account | None" = None) -> Path:
    """Make a folder and its parents, itself with that mode and owner; ConfigurationError where impossible.

    Parents that are made anew can be entered by everybody as root, and by the user alone otherwise.
    """
    try:
        for parent in reversed(folder.parents):
            if not parent.is_dir():
                parent.mkdir(exist_ok=True)
                parent.chmod(0o711 if os.geteuid() == 0 else 0o700)
        folder.mkdir(exist_ok=True)
        folder.chmod(mode)
        if account is not None:
            os.chown(folder, account.uid, account.gid)
    except OSError as wrong:
        raise ConfigurationError(
            f"cannot make the folder {str(folder)!r}: {wrong.strerror or wrong}; "
            "make it writable, free space there, or name another with SWE_ASSETS_CACHE"
        ) from wrong
    return folder


def require_entry(folder: Path, account: "Account | None") -> None:
    """Raise ConfigurationError where a parent of the folder cannot be entered by the account."""
    if account is None:
        return
    for parent in reversed((folder, *folder.parents)):
        if parent.exists() and not _enters(parent, account):
            raise ConfigurationError(
                f"the account {account.name!r}, which runs servers since this is root, cannot enter "
                f"{str(parent)!r}, a parent of {str(folder)!r}: name a folder outside it "
                f"(SWE_ASSETS_CACHE, by default {str(ROOT_CACHE)!r})"
            )


def _enters(folder: Path, account: "Account") -> bool:
    found = folder.stat()
    if found.st_uid == account.uid:
        return bool(found.st_mode & stat.S_IXUSR)
    if found.st_gid == account.gid:
        return bool(found.st_mode & stat.S_IXGRP)
    return bool(found.st_mode & stat.S_IXOTH)
