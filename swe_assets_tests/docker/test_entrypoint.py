"""The image's entrypoint reads secrets from files, lays down dagster.yaml, and then becomes the command."""

import subprocess
from pathlib import Path

import pytest

from swe_assets.home import CHECKOUT
from swe_assets_tests.docker.native import Native
from swe_assets_tests.docker.stack import Place

SHOW = ["sh", "-c", 'printf %s "${SONAR_TOKEN-unset}"']


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Give the folders of a stack."""
    return Place(tmp_path / "stack")


def enter(place: Place, command: list[str], **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a command behind the entrypoint."""
    native = Native(place)
    asked = native.words(command, environment, entered=False)
    return subprocess.run(asked, env=native.variables, capture_output=True, text=True, check=False)


def test_secret_of_a_file(place: Place) -> None:
    """A variable is read from the file that its _FILE names, without the line's end."""
    (place.folder / "secrets" / "token").write_text("from a file\n", encoding="utf-8")
    assert enter(place, SHOW, SONAR_TOKEN_FILE="/run/secrets/token").stdout == "from a file"


def test_variable_wins(place: Place) -> None:
    """A variable that is set is not read from a file."""
    (place.folder / "secrets" / "token").write_text("from a file", encoding="utf-8")
    done = enter(place, SHOW, SONAR_TOKEN="set", SONAR_TOKEN_FILE="/run/secrets/token")
    assert done.stdout == "set"


def test_value_is_not_run(place: Place) -> None:
    """What looks like a command in a secret or in the name of its file is a text and nothing else."""
    text = "$(touch run) `touch run` ; touch run"
    (place.folder / "secrets" / "token").write_text(text, encoding="utf-8")
    assert enter(place, SHOW, SONAR_TOKEN_FILE="/run/secrets/token").stdout == text
    assert enter(place, SHOW, SONAR_TOKEN_FILE="$(touch run)").returncode == 2
    assert not (Path.cwd() / "run").exists()


def test_file_that_cannot_be_read(place: Place) -> None:
    """A file that is not there ends the start with its name and what to do, not with an empty password."""
    done = enter(place, SHOW, SONAR_TOKEN_FILE="/run/secrets/nothing")
    assert (done.returncode, done.stdout) == (2, "")
    assert "SONAR_TOKEN_FILE is" in done.stderr
    assert "mount the secret" in done.stderr


def test_settings_of_dagster(place: Place) -> None:
    """dagster.yaml is laid into Dagster's home below ours, and an older one there is replaced."""
    laid = place.folder / "home" / ".dagster_home" / "dagster.yaml"
    laid.parent.mkdir()
    laid.write_text("telemetry: {enabled: true}\n", encoding="utf-8")
    assert enter(place, ["true"]).returncode == 0
    assert laid.read_bytes() == (CHECKOUT / "dagster.yaml").read_bytes()
    assert [path.name for path in laid.parent.iterdir()] == ["dagster.yaml"]


def test_another_home_of_dagster(place: Place, tmp_path: Path) -> None:
    """A DAGSTER_HOME that is not below ours, as on Kubernetes, is left alone."""
    other = tmp_path / "other"
    other.mkdir()
    done = enter(place, ["sh", "-c", 'printf %s "$DAGSTER_HOME"'], DAGSTER_HOME=str(other))
    assert done.stdout == str(other)
    assert list(other.iterdir()) == []


def test_exit_code(place: Place) -> None:
    """The command's exit code is the entrypoint's."""
    assert enter(place, ["sh", "-c", "exit 7"]).returncode == 7
