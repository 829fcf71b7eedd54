"""`swe-assets measure` as a process."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from swe_assets.analysers.protocol import METRIC_KEYS


def measure(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    command = [sys.executable, "-c", "from swe_assets.cli import main; main()", "measure", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def good(tmp_path: Path) -> str:
    """A file with one function."""
    path = tmp_path / "good.py"
    path.write_text("def f():\n    return 1\n")
    return str(path)


@pytest.fixture
def bad(tmp_path: Path) -> str:
    """A file that does not parse."""
    path = tmp_path / "bad.py"
    path.write_text("x = [1, 2\n")
    return str(path)


def test_json_alone_is_on_stdout(good: str, bad: str) -> None:
    """Stdout is a JSON list in the order asked; the source of violations is named on stderr; exit 0."""
    run = measure(good, bad, "--json")
    first, second = json.loads(run.stdout)
    assert (run.returncode, first["path"], set(first["measures"])) == (0, good, set(METRIC_KEYS))
    assert (second["parsed"], second["measures"]) == (False, {"lines": 2})
    assert "not SonarQube's" in run.stderr


def test_a_table_shows_every_key_and_reason(good: str, bad: str) -> None:
    """Without --json there is a table; what could not be measured is a dash and its reason stands below."""
    lines = measure(good, bad).stdout.splitlines()
    assert lines[0].split() == ["file", *METRIC_KEYS]
    assert lines[2].split()[1:4] == ["-", "-", "-"]
    assert lines[3].startswith(f"{bad}: no longer parses")


def test_a_missing_file_is_an_input_error(good: str, tmp_path: Path) -> None:
    """Nothing is printed when one of the files cannot be read; exit 2."""
    run = measure(good, str(tmp_path / "nowhere.py"), "--json")
    assert (run.returncode, run.stdout) == (2, "")
    assert "nowhere.py" in run.stderr


@pytest.mark.parametrize("arguments", [[], ["--analyser", "sonar", __file__]])
def test_wrong_usage_is_exit_2(arguments: list[str]) -> None:
    """No file, or an analyser that nobody knows, is a usage error."""
    assert measure(*arguments).returncode == 2
