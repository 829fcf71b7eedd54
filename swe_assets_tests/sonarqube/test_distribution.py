"""Distributions come from an archive or through the user's Maven, and are unpacked once."""

import json
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError, InputError
from swe_assets.sonarqube.distribution import (
    SCANNER,
    Distribution,
    recorded,
    scanner_home,
    server_distribution,
)
from swe_assets.sonarqube.maven import Artifact, fetch
from swe_assets.sonarqube.places import ServerPlaces

needs_maven = pytest.mark.skipif(shutil.which("mvn") is None, reason="no mvn on PATH")


def silent(_words: str) -> None:
    """Say nothing."""


def server_zip(path: Path, version: str = "25.12.0.1", more: str = "") -> Path:
    """Write an archive with the files by which a server is known, and nothing that could be started."""
    with zipfile.ZipFile(path, "w") as made:
        for name in (f"lib/sonar-application-{version}.jar", "elasticsearch/lib/x.jar", "conf/x"):
            made.writestr(f"sonarqube-{version}/{name}", more)
    return path


def scanner(home: Path, version: str = "7.3.0.5189") -> Path:
    """Make a folder with the files by which a scanner is known."""
    (home / "lib").mkdir(parents=True)
    (home / "bin").mkdir()
    (home / "lib" / f"sonar-scanner-cli-{version}.jar").touch()
    (home / "bin" / "sonar-scanner").write_text("#!/bin/sh\n")
    (home / "bin" / "sonar-scanner").chmod(0o755)
    return home


def test_an_archive_is_unpacked_once(tmp_path: Path) -> None:
    """An archive named twice is unpacked once, known by its digest, whatever it is called then."""
    places = ServerPlaces(tmp_path / "sonarqube")
    first = server_distribution(places, server_zip(tmp_path / "a.zip"), silent)
    (first.home / "mark").touch()
    shutil.copy(tmp_path / "a.zip", tmp_path / "b.zip")
    assert server_distribution(places, tmp_path / "b.zip", silent) == first
    assert (first.home / "mark").exists()
    assert (first.version, first.home.name) == ("25.12.0.1", "sonarqube-25.12.0.1")


def test_another_archive_of_the_same_version(tmp_path: Path) -> None:
    """Another build of the same version takes the first one's place."""
    places = ServerPlaces(tmp_path / "sonarqube")
    first = server_distribution(places, server_zip(tmp_path / "a.zip"), silent)
    second = server_distribution(places, server_zip(tmp_path / "b.zip", more="other"), silent)
    assert first.home == second.home
    assert recorded(first.home) == second != first


def test_a_scanner_is_no_server(tmp_path: Path) -> None:
    """An archive of something else is refused with what is missing in it, and leaves nothing."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as made:
        made.writestr("sonar-scanner-7.3/lib/sonar-scanner-cli-7.3.jar", "")
    places = ServerPlaces(tmp_path / "sonarqube")
    with pytest.raises(InputError, match=r"no SonarQube server .*sonar-application"):
        server_distribution(places, tmp_path / "a.zip", silent)
    assert [path.name for path in places.folder.iterdir()] == ["unpacking.lock"]


def test_what_a_killed_unpacking_left(tmp_path: Path) -> None:
    """A half unpacked folder is swept, and a folder without its record does not count."""
    places = ServerPlaces(tmp_path / "sonarqube")
    (places.folder / ".part-killed" / "sonarqube-1").mkdir(parents=True)
    (places.folder / "sonarqube-25.12.0.1" / "lib").mkdir(parents=True)
    assert recorded(places.folder / "sonarqube-25.12.0.1") is None
    made = server_distribution(places, server_zip(tmp_path / "a.zip"), silent)
    assert recorded(made.home) == made
    assert not (places.folder / ".part-killed").exists()


def test_the_digest_is_recorded(tmp_path: Path) -> None:
    """The record beside the files holds version and SHA-256 of the archive."""
    made = server_distribution(ServerPlaces(tmp_path), server_zip(tmp_path / "a.zip"), silent)
    record = json.loads((made.home / "swe-assets.json").read_text())
    assert record == {"home": None, "version": "25.12.0.1", "sha256": made.sha256}
    assert isinstance(made, Distribution)


def test_the_named_scanner_comes_first(tmp_path: Path) -> None:
    """SONAR_SCANNER_HOME wins over the scanner on PATH."""
    named, on_path = scanner(tmp_path / "named"), scanner(tmp_path / "path")
    environ = {"SONAR_SCANNER_HOME": str(named), "PATH": str(on_path / "bin")}
    assert scanner_home(environ, places=ServerPlaces(tmp_path)) == named
    assert scanner_home({"PATH": str(on_path / "bin")}, places=ServerPlaces(tmp_path)) == on_path


def test_a_link_on_path_is_followed(tmp_path: Path) -> None:
    """A link to the scanner in a folder of PATH leads to the scanner's own folder."""
    home = scanner(tmp_path / "home")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "sonar-scanner").symlink_to(home / "bin" / "sonar-scanner")
    assert scanner_home({"PATH": str(tmp_path / "bin")}, places=ServerPlaces(tmp_path)) == home


@pytest.mark.parametrize(("version", "error"), [("5.0.1.3006", ConfigurationError), ("", InputError)])
def test_a_named_scanner_that_does_not_fit(tmp_path: Path, version: str, error: type[Exception]) -> None:
    """A scanner that is too old, or none, is an error where the user named it."""
    home = scanner(tmp_path / "named", version)
    with pytest.raises(error, match=str(home)):
        scanner_home({"SONAR_SCANNER_HOME": str(home)}, places=ServerPlaces(tmp_path))


@needs_maven
def test_the_scanner_comes_through_maven(tmp_path: Path) -> None:
    """Without any scanner 7.3 is fetched once, and an old one on PATH is no obstacle."""
    old = scanner(tmp_path / "old", "4.8.0.2856")
    places, said = ServerPlaces(tmp_path / "sonarqube"), list[str]()
    environ = {"PATH": str(old / "bin")}
    home = scanner_home(environ, places=places, say=said.append)
    assert (home / "lib" / f"sonar-scanner-cli-{SCANNER.version}.jar").is_file()
    assert os.access(home / "bin" / "sonar-scanner", os.X_OK)
    assert any("through Maven" in words for words in said)
    said.clear()
    assert (scanner_home(environ, places=places, say=said.append), said) == (home, [])


@needs_maven
def test_what_maven_does_not_have(tmp_path: Path) -> None:
    """Where Maven has no such artifact its own words are in the message, with the way out."""
    artifact = Artifact(SCANNER.group, SCANNER.name, "0.0.1")
    with pytest.raises(ConfigurationError, match=r"(?s)sonar-scanner-cli:0\.0\.1:zip: .*--archive FILE"):
        fetch(artifact, tmp_path, silent)


def test_without_maven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no Maven the message names it and the other way."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigurationError, match=r"apt-get install maven.*--archive FILE"):
        fetch(SCANNER, tmp_path, silent)
