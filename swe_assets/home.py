"""Where studies, mirrors and Dagster's records live: SWE_ASSETS_HOME, by default the checkout."""

import os
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent


def home() -> Path:
    """Return SWE_ASSETS_HOME as an absolute path, or the checkout; never the current folder."""
    named = os.environ.get("SWE_ASSETS_HOME", "").strip()
    return Path(named).expanduser().resolve() if named else CHECKOUT


def studies_dir() -> Path:
    """Return the folder that holds one folder a study."""
    return home() / "studies"


def mirrors_dir() -> Path:
    """Return the folder that holds the bare mirrors shared by all studies."""
    return home() / "cache_repos_mirror"


def dagster_home() -> Path:
    """Return the folder that holds Dagster's own records."""
    return home() / ".dagster_home"
