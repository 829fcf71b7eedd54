"""A server's processes are told from all others by what their command lines name."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from swe_assets.services.accounts import service_account
from swe_assets.services.processes import as_account
from swe_assets.sonarqube.leftovers import kill_all, processes
from swe_assets.sonarqube.places import ServerPlaces


@contextmanager
def running(name: str, *words: str) -> Iterator[int]:
    """Run a process with that name and these words in its command line, as the service account."""
    process = subprocess.Popen(
        [name, "-c", "read word", *words],
        executable="/bin/sh",
        stdin=subprocess.PIPE,
        cwd="/",
        **as_account(service_account()),
    )
    try:
        yield process.pid
    finally:
        process.kill()
        process.communicate()


def test_they_are_found_by_kind(tmp_path: Path) -> None:
    """Java processes that name the temporary folder or the distribution count, each by its kind."""
    places = ServerPlaces(tmp_path)
    with (
        running("java", f"-Djava.io.tmpdir={places.temp}", "org.sonar.ce.app.CeServer") as ce,
        running(
            "java", f"-Des.path.home={tmp_path}/sonarqube-25.11/es", "org.elasticsearch.bootstrap.X"
        ) as es,
        running(
            "/usr/bin/java", "-jar", f"{tmp_path}/sonarqube-25.11/lib/sonar-application-25.11.jar"
        ) as main,
    ):
        assert processes(places, service_account()) == {ce: "ce", es: "search", main: "main"}


def test_others_are_left_alone(tmp_path: Path) -> None:
    """A reader of the logs, a scanner of the same cache and another cache's server are not the server's."""
    places = ServerPlaces(tmp_path / "a")
    with (
        running("tail", "-f", f"{places.temp}/x"),
        running("java", "-jar", f"{places.folder}/sonar-scanner-7.3/lib/sonar-scanner-cli-7.3.jar"),
        running("java", f"-Djava.io.tmpdir={tmp_path}/b/temp"),
    ):
        assert processes(places, service_account()) == {}
        assert kill_all(places, service_account()) == 0


def test_what_is_left_is_killed(tmp_path: Path) -> None:
    """All of a server's processes are gone after kill_all, which says how many there were."""
    places = ServerPlaces(tmp_path)
    with running("java", f"-Dx={places.temp}"), running("java", f"-Dy={places.temp}"):
        assert kill_all(places, service_account()) == 2
        assert processes(places, service_account()) == {}
