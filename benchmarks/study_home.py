"""A SWE_ASSETS_HOME of a benchmark's own, and the command line run in it."""

import os
import subprocess
import sys
from pathlib import Path

from swe_assets.errors import SweAssetsError
from swe_assets.home import CHECKOUT


def environment(home: Path) -> dict[str, str]:
    """Return this process's environment with a home of its own and none of Dagster's settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DAGSTER_")}
    return {**kept, "SWE_ASSETS_HOME": str(home)}


def python(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run this Python in the home, from the checkout, and return what came of it."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=CHECKOUT,
        env=environment(home),
        capture_output=True,
        text=True,
        check=False,
    )


def swe_assets(home: Path, *arguments: str) -> str:
    """Run the command line in the home; return its standard output, raise SweAssetsError where it failed."""
    done = python(home, "-m", "swe_assets", *arguments)
    if done.returncode:
        raise SweAssetsError(f"swe-assets {arguments[0]} ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout
