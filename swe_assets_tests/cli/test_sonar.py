"""`swe-assets sonar` says on the command line what the server's life does, and never a secret."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from swe_assets.sonarqube.connection import SonarConnection
from swe_assets.sonarqube.places import ServerPlaces
from swe_assets_tests.http_stub import Asked, Served, serving
from swe_assets_tests.postgres_case import open_folder

PLANTED = "squ_planted00112233445566778899aabbccddeeff00"


def sonar(cache: Path, *words: str, **more: str) -> "subprocess.CompletedProcess[str]":
    """Run the command with a cache of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SONAR_")}
    environ = kept | {"SWE_ASSETS_CACHE": str(cache)} | more
    asked = [sys.executable, "-m", "swe_assets", "sonar", *words]
    return subprocess.run(asked, env=environ, capture_output=True, text=True, check=False)


def server(asked: Asked) -> Served:
    """Answer as a server of version 25.11 that knows any token."""
    if "validate" in asked.path:
        return Served(body={"valid": "authorization" in asked.headers})
    return Served(body={"status": "UP", "version": "25.11.0.114957"})


@pytest.mark.parametrize("way", ["environment", "file"])
def test_a_server_of_the_users_own(tmp_path: Path, way: str) -> None:
    """A named server is checked, shown and forgotten, with its token from the environment or a file."""
    (tmp_path / "token").write_text(PLANTED + "\n")
    words = ["--token-file", str(tmp_path / "token")] if way == "file" else []
    more = {} if way == "file" else {"SONAR_TOKEN": PLANTED}
    with serving(server) as (url, _):
        up = sonar(tmp_path, "up", "--url", url, *words, **more)
        status = sonar(tmp_path, "status")
    assert (up.returncode, json.loads(up.stdout)["kind"], status.returncode) == (0, "named", 0)
    assert url.rstrip("/") in status.stdout
    down = sonar(tmp_path, "down")
    assert "forgotten" in down.stderr
    assert PLANTED not in "".join(one.stdout + one.stderr for one in (up, status, down))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--url", "http://127.0.0.1:1", "--database", "h2"], "--url names a server"),
        (["--token-file", "x"], "belongs to --url"),
        (["--url", "http://127.0.0.1:1"], "SONAR_TOKEN is not set"),
        (["--url", "http://127.0.0.1:1", "--token-file", "none"], "cannot read"),
        (["--database", "oracle"], "oracle"),
        (["--archive", "none.zip", "--database", "h2"], "none.zip"),
    ],
)
def test_wrong_usage(words: list[str], said: str) -> None:
    """What cannot be meant is refused with exit code 2 and one line of reason, nothing on stdout."""
    with open_folder() as cache:
        done = sonar(cache, "up", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_the_real_server(sonar_places: ServerPlaces, sonar_server: SonarConnection) -> None:
    """`up` on a running server prints its standing at once, `status` the same for people, without secrets."""
    cache = sonar_places.folder.parent
    up, status = sonar(cache, "up"), sonar(cache, "status")
    said = json.loads(up.stdout)
    assert (up.returncode, said["state"], said["url"]) == (0, "up", sonar_server.url)
    assert sonar_server.url in status.stdout
    secrets = [path.read_text() for path in (sonar_places.password, sonar_places.token)]
    assert not any(secret in one.stdout + one.stderr for one in (up, status) for secret in secrets)
