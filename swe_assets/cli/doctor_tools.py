"""What is installed: Python, git, the libraries, and the programs that only some studies need."""

import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from swe_assets.cli.findings import Finding, optional, required

PYTHONS = ((3, 11), (3, 15))
"""The first version that is supported, and the first that no longer is."""

OLDEST_GIT = (2, 34)
OPTIONAL_PROGRAMS = {
    "chromium": "only the browser tests need it: install Chromium",
}


def installed() -> Iterator[Finding]:
    """Yield the findings on this Python, on git, on the libraries and on optional programs."""
    yield python()
    yield git()
    yield libraries()
    yield ruff()
    for name, mend in OPTIONAL_PROGRAMS.items():
        path = shutil.which(name)
        yield optional("installed", name, there=path is not None, value=path or "not on PATH", mend=mend)


def python() -> Finding:
    """Say whether this Python is one that is supported."""
    well = PYTHONS[0] <= sys.version_info[:2] < PYTHONS[1]
    mend = "make install PYTHON=/path/to/python3.11, or another version from 3.11 to 3.14"
    return required("installed", "python", well=well, value=platform.python_version(), mend=mend)


def git() -> Finding:
    """Say whether git is there and new enough."""
    mend = f"install git {'.'.join(map(str, OLDEST_GIT))} or newer"
    path = shutil.which("git")
    if path is None:
        return required("installed", "git", well=False, value="not on PATH", mend=mend)
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    said = done.stdout.strip().removeprefix("git version ")
    numbers = re.match(r"(\d+)\.(\d+)", said)
    well = numbers is not None and (int(numbers[1]), int(numbers[2])) >= OLDEST_GIT
    return required("installed", "git", well=well, value=said or f"ended with {done.returncode}", mend=mend)


def libraries() -> Finding:
    """Say whether each library that this product names is there in a version that it allows."""
    from packaging.requirements import Requirement

    try:
        named = [Requirement(text) for text in metadata.requires("swe-assets") or []]
    except metadata.PackageNotFoundError:
        return required(
            "installed", "libraries", well=False, value="swe-assets itself is not", mend="make install"
        )
    needed = [each for each in named if each.marker is None or each.marker.evaluate({"extra": ""})]
    wrong = []
    for each in needed:
        version = version_of(each.name)
        if version is None or not each.specifier.contains(version, prereleases=True):
            wrong.append(f"{each} (found: {version or 'none'})")
    value = "; ".join(wrong) or f"{len(needed)} as required, dagster {version_of('dagster')}"
    return required("installed", "libraries", well=not wrong, value=value, mend="make install")


def version_of(library: str) -> str | None:
    """Return the installed version of a library, None where it is not installed."""
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return None


def ruff() -> Finding:
    """Say whether Ruff's program lies where its library was installed: the embedded analyser runs it."""
    beside = Path(sys.executable).parent / "ruff"
    path = str(beside) if beside.is_file() else shutil.which("ruff")
    value = f"{version_of('ruff')}, {path}" if path else "not beside this Python, not on PATH"
    return required("installed", "ruff", well=path is not None, value=value, mend="make install")
