"""Java is found where it is, tried, and its lack explained."""

import os
import shutil
from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.services.accounts import service_account
from swe_assets.sonarqube.java import Java, candidates, find_java, probe, server_java


def fake(folder: Path, version: str) -> Path:
    """Make a program that says it is a Java of some version."""
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho '    java.version = {version}' >&2\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(
    ("server", "majors"),
    [
        ("9.9.8.1", {17}),
        ("10.7.0.1", {17}),
        ("25.11.0.114957", {17, 21}),
        ("2025.4", {17, 21}),
        ("26.1.0.1", {21, 25}),
    ],
)
def test_each_server_version_has_its_javas(server: str, majors: set[int]) -> None:
    """Versions up to 10 want Java 17, 25 takes 17 or 21, 26 takes 21 or 25."""
    assert server_java(server) == majors


def test_java_home_comes_first(tmp_path: Path) -> None:
    """JAVA_HOME wins over PATH, and PATH over the usual folders."""
    homes = {name: fake(tmp_path / name, "17.0.1") for name in ("named", "path", "jvm/a")}
    environ = {"JAVA_HOME": str(tmp_path / "named"), "PATH": str(homes["path"].parent)}
    assert list(candidates(environ, [tmp_path / "jvm"])) == list(homes.values())


def test_one_that_does_not_fit_is_passed_over(tmp_path: Path) -> None:
    """A JAVA_HOME of the wrong version is no obstacle where another fits."""
    fake(tmp_path / "jvm" / "new", "25.0.3")
    right = fake(tmp_path / "jvm" / "right", "17.0.15")
    environ = {"JAVA_HOME": str(tmp_path / "jvm" / "new"), "PATH": ""}
    found = find_java({17, 21}, what="it", environ=environ, folders=[tmp_path / "jvm"])
    assert found == Java(right, 17, "17.0.15")


def test_the_lack_lists_what_was_found(tmp_path: Path) -> None:
    """The message names what needs Java, which versions, what was found and how to mend."""
    fake(tmp_path / "jvm" / "a", "25.0.3")
    fake(tmp_path / "jvm" / "b", "1.8.0_292")
    with pytest.raises(ConfigurationError) as wrong:
        find_java({17, 21}, what="SonarQube 25.11", environ={"PATH": ""}, folders=[tmp_path / "jvm"])
    for said in (
        "SonarQube 25.11 needs Java 17 or 21",
        "25.0.3",
        "1.8.0_292",
        "openjdk-17-jdk-headless",
        "JAVA_HOME",
    ):
        assert said in str(wrong.value)


def test_none_at_all() -> None:
    """Where there is no Java the message says so."""
    with pytest.raises(ConfigurationError, match=r"found: none"):
        find_java({17}, what="it", environ={"PATH": ""}, folders=[])


def test_one_that_cannot_run_is_said(tmp_path: Path) -> None:
    """A program that ends without saying a version is no Java."""
    program = tmp_path / "java"
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o755)
    assert probe(program) == "ended with 3"


@pytest.mark.skipif(os.getuid() != 0, reason="only root runs servers as another account")
def test_one_that_the_account_cannot_reach(tmp_path: Path) -> None:
    """A Java below a folder that the service account cannot enter is not taken for the server."""
    hidden = fake(tmp_path, "17.0.1")
    tmp_path.chmod(0o700)
    account = service_account()
    assert account is not None
    assert isinstance(probe(hidden), Java)
    assert probe(hidden, account) == f"the account {account.name!r} may not run it"


@pytest.mark.skipif(shutil.which("java") is None, reason="no java on PATH")
def test_the_real_one() -> None:
    """The java on PATH says its version."""
    found = probe(Path(shutil.which("java") or ""))
    assert isinstance(found, Java)
    assert found.version.startswith(str(found.major))
