"""`make up` and `make down` make the passwords once, call docker compose, and explain its lack."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from swe_assets.home import CHECKOUT
from swe_assets_tests.docker.composed import document

STAND_IN = """#!/bin/sh
echo "$(pwd): docker $*" >> "$CALLS"
[ "$*" != "compose version" ] || [ -z "${WITHOUT_COMPOSE:-}" ]
"""
"""Stands in for docker, whose engine no test can count on: it notes how it was called."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Lay what `make up` reads into a folder with a space in its name, beside a docker that notes calls."""
    root = tmp_path / "a checkout"
    for name in ("scripts", "docker"):
        shutil.copytree(CHECKOUT / name, root / name, ignore=shutil.ignore_patterns("secrets", "inputs"))
    shutil.copy(CHECKOUT / "Makefile", root)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "docker").write_text(STAND_IN, encoding="utf-8")
    (tmp_path / "bin" / "docker").chmod(0o755)
    return root


def make(root: Path, target: str, **settings: str) -> "subprocess.CompletedProcess[str]":
    """Run make with the docker that stands in, or without any where PATH is given."""
    path = f"{root.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": path, "CALLS": str(root.parent / "calls"), **settings}
    program = shutil.which("make") or "make"
    return subprocess.run(
        [program, target], cwd=root, env=environment, capture_output=True, text=True, check=False
    )


def calls(root: Path) -> list[str]:
    """Return how docker was called, and where."""
    return (root.parent / "calls").read_text(encoding="utf-8").splitlines()


def test_up(checkout: Path) -> None:
    """`make up` builds, then starts, from docker/, and says where to look."""
    done = make(checkout, "up")
    assert done.returncode == 0, done.stderr
    here = f"{checkout / 'docker'}: docker compose"
    file = "--file compose.yaml"
    assert calls(checkout) == [f"{here} version", f"{here} {file} build", f"{here} {file} up --detach"]
    assert "http://localhost:3000" in done.stderr


def test_passwords_are_made_once(checkout: Path) -> None:
    """The first `up` makes a password for each secret of compose.yaml, a second one leaves them."""
    make(checkout, "up")
    folder = checkout / "docker" / "secrets"
    first = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert first.keys() == document()["secrets"].keys()
    assert len(set(first.values())) == 3
    assert {len(password) for password in first.values()} == {48}
    make(checkout, "up")
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == first


def test_passwords_are_kept_from_others(checkout: Path) -> None:
    """Other users cannot enter the secrets' folder; in it the containers' own users can read."""
    make(checkout, "up")
    folder = checkout / "docker" / "secrets"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o444}


def test_no_password_is_shown(checkout: Path) -> None:
    """No password is on docker's command line or in what make prints."""
    done = make(checkout, "up")
    shown = done.stdout + done.stderr + "".join(calls(checkout))
    for path in (checkout / "docker" / "secrets").iterdir():
        assert path.read_text(encoding="utf-8") not in shown


def test_down(checkout: Path) -> None:
    """`make down` stops the containers, keeps the volumes and says how to remove them."""
    done = make(checkout, "down")
    assert done.returncode == 0, done.stderr
    assert calls(checkout)[-1].endswith("docker compose --file compose.yaml down --remove-orphans")
    assert "--volumes" in done.stderr
    assert not (checkout / "docker" / "secrets").exists()


@pytest.mark.parametrize("target", ["up", "down"])
def test_without_the_plugin(checkout: Path, target: str) -> None:
    """Where docker has no compose, make fails, says what to install, and makes nothing."""
    done = make(checkout, target, WITHOUT_COMPOSE="1")
    assert done.returncode != 0
    assert "this docker has no compose plugin" in done.stderr
    assert "docker-compose-plugin" in done.stderr
    assert not (checkout / "docker" / "secrets").exists()


def test_without_docker(checkout: Path, tmp_path: Path) -> None:
    """Where there is no docker at all, make fails, says so, and names what works without it."""
    bare = tmp_path / "bare"
    bare.mkdir()
    for name in ("sh", "dirname"):
        (bare / name).symlink_to(shutil.which(name) or name)
    done = make(checkout, "up", PATH=str(bare))
    assert done.returncode != 0
    assert "no docker on PATH" in done.stderr
    assert "make study" in done.stderr
