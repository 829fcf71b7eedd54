"""Where studies, mirrors and Dagster's records live: SWE_ASSETS_HOME, by default the checkout."""

import os
from pathlib import Path

from swe_assets.errors import ConfigurationError

CHECKOUT = Path(__file__).resolve().parent.parent


def home() -> Path:
    """Return SWE_ASSETS_HOME, or the checkout; never the current folder.

    Raises ConfigurationError where it is not absolute, names a user that is not there, or is no folder.
    """
    named = os.environ.get("SWE_ASSETS_HOME", "").strip()
    if not named:
        return CHECKOUT
    try:
        path = Path(named).expanduser()
    except RuntimeError as wrong:
        raise ConfigurationError(f"SWE_ASSETS_HOME is {named!r}: {wrong}; give an absolute path") from wrong
    if not path.is_absolute():
        raise ConfigurationError(f"SWE_ASSETS_HOME is {named!r}: give an absolute path, the same everywhere")
    if path.exists() and not path.is_dir():
        raise ConfigurationError(f"SWE_ASSETS_HOME is {named!r}, which is no folder: name another")
    return path.resolve()


def studies_dir() -> Path:
    """Return the folder that holds one folder a study."""
    return home() / "studies"


def mirrors_dir() -> Path:
    """Return the folder that holds the bare mirrors shared by all studies, or SWE_ASSETS_MIRRORS_CACHE.

    The variable gives a worker a cache of its own where the home lies on a shared path. Raises
    ConfigurationError where it is not absolute.
    """
    named = os.environ.get("SWE_ASSETS_MIRRORS_CACHE", "").strip()
    if not named:
        return home() / "cache_repos_mirror"
    if not Path(named).is_absolute():
        raise ConfigurationError(f"SWE_ASSETS_MIRRORS_CACHE is {named!r}: give an absolute path")
    return Path(named)


def dagster_home() -> Path:
    """Return the folder that holds Dagster's own records."""
    return home() / ".dagster_home"
