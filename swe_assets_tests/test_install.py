"""`make install` ends with a whole .venv from any state, or with an error that names the mend."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
BACKEND = """
import base64, zipfile
def build_editable(folder, config_settings=None, metadata_directory=None):
    name = "tiny-1-py3-none-any.whl"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.writestr("tiny_marker.py", "")
        info = "tiny-1.dist-info"
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1\\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        listed = ["tiny_marker.py", f"{info}/METADATA", f"{info}/WHEEL", f"{info}/RECORD"]
        wheel.writestr(f"{info}/RECORD", "".join(f"{path},,\\n" for path in listed))
    return name
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """Lay our Makefile and scripts around a project of one file, with nothing to fetch."""
    root = tmp_path / "a tiny project"
    shutil.copytree(CHECKOUT / "scripts", root / "scripts")
    shutil.copy(CHECKOUT / "Makefile", root)
    (root / "backend.py").write_text(BACKEND)
    (root / "requirements.lock").write_text("# nothing\n")
    system = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    (root / "pyproject.toml").write_text(f'{system}[project]\nname = "tiny"\nversion = "1"\n')
    return root


def install(root: Path, **settings: str) -> "subprocess.CompletedProcess[str]":
    """Run make install in an empty HOME with this Python."""
    home = root.parent / "home"
    home.mkdir(exist_ok=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHON": sys.executable} | settings
    make = [shutil.which("make") or "make", "install"]
    return subprocess.run(make, cwd=root, env=environment, capture_output=True, text=True, check=False)


def has_marker(root: Path) -> bool:
    """Say whether the project can be imported from its .venv."""
    asked = [str(root / ".venv/bin/python"), "-c", "import tiny_marker"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def test_install_and_again(tiny: Path) -> None:
    """An install makes a .venv that imports the project, and a second one has nothing to do."""
    first = install(tiny)
    assert first.returncode == 0, first.stderr
    assert has_marker(tiny)
    second = install(tiny)
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")


@pytest.mark.parametrize("changed", ["requirements.lock", "pyproject.toml"])
def test_installs_again_after_a_change(tiny: Path, changed: str) -> None:
    """A change of the lock or of pyproject.toml is installed by the next call."""
    install(tiny)
    with (tiny / changed).open("a") as file:
        file.write("# changed\n")
    assert "done" in install(tiny).stderr
    assert install(tiny).stderr == ""


def test_recovers_from_a_killed_install(tiny: Path) -> None:
    """A .venv that an install left half made is built anew."""
    install(tiny)
    (tiny / ".venv/.installed").unlink()
    (tiny / ".venv/.installing").touch()
    (tiny / ".venv/left.txt").touch()
    assert "building it anew" in install(tiny).stderr
    assert has_marker(tiny)
    assert not (tiny / ".venv/left.txt").exists()


def test_recovers_from_a_lost_python(tiny: Path) -> None:
    """A .venv whose Python went away, or that never had one, is built anew."""
    (tiny / ".venv/bin").mkdir(parents=True)
    (tiny / ".venv/bin/python").symlink_to("/nowhere/python3")
    assert install(tiny).returncode == 0
    assert has_marker(tiny)


def test_names_the_mend_for_a_wrong_python(tiny: Path) -> None:
    """A PYTHON that is not supported is refused with what it is and what to do; no .venv is begun."""
    fake = tiny / "python2"
    fake.write_text('#!/bin/sh\necho Python 2.7.18\n[ "$1" = --version ]\n')
    fake.chmod(0o755)
    done = install(tiny, PYTHON="./python2")
    assert done.returncode != 0
    assert "PYTHON=./python2 is not a Python from 3.11 to 3.14: Python 2.7.18" in done.stderr
    assert "mend: make install PYTHON=" in done.stderr
    assert not (tiny / ".venv").exists()


def test_names_the_mend_where_there_is_no_python(tiny: Path) -> None:
    """Without any Python on PATH the error says which versions will do and how to get one."""
    tools = tiny.parent / "tools"
    tools.mkdir()
    for name in ("sh", "cat", "cksum", "dirname", "rm", "mkdir"):
        (tools / name).symlink_to(shutil.which(name) or name)
    done = install(tiny, PATH=str(tools), PYTHON="")
    assert done.returncode != 0
    assert "no Python from 3.11 to 3.14 on PATH" in done.stderr
    assert "apt-get install python3 python3-venv" in done.stderr


def test_help_is_the_default(tiny: Path) -> None:
    """Plain `make` lists every target with what it does."""
    done = subprocess.run(["make"], cwd=tiny, capture_output=True, text=True, check=True)
    for target in ("install", "study", "test", "lint", "ui", "lock", "clean"):
        assert f"make {target} " in done.stdout
