"""`swe-assets sample` as a person calls it."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest


def sample(*arguments: str, home: Path) -> "subprocess.CompletedProcess[str]":
    """Run the command in a process of its own."""
    asked = [sys.executable, "-m", "swe_assets", "sample", *arguments]
    environment = {"SWE_ASSETS_HOME": str(home), "PATH": "/usr/bin:/bin"}
    return subprocess.run(asked, env=environment, capture_output=True, text=True, check=False)


def test_says_where_it_lies_and_what_is_next(tmp_path: Path) -> None:
    """Stdout is JSON of existing paths, stderr a command that survives a folder with a space."""
    done = sample(str(tmp_path / "my sample"), home=tmp_path)
    parts = json.loads(done.stdout)
    assert all(Path(path).exists() for path in parts.values())
    assert shlex.split(done.stderr)[-4:] == [
        f"--predictions={parts['predictions']}",
        f"--results={parts['results']}",
        f"--dataset={parts['dataset']}",
        f"--mirrors={parts['repos']}",
    ]


def test_default_lies_beside_the_studies(tmp_path: Path) -> None:
    """Without a folder the sample lies under SWE_ASSETS_HOME."""
    parts = json.loads(sample(home=tmp_path).stdout)
    assert parts["folder"] == str(tmp_path / "studies" / ".sample-input")


@pytest.mark.parametrize("arguments", [(), ("--force",)])
def test_refuses_a_folder_of_others(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """A folder that holds something else is an error of usage, and stays as it is."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    done = sample(str(tmp_path / "other"), *arguments, home=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "name a new or an empty folder" in done.stderr
