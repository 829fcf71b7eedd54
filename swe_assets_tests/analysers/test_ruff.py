"""Violations by the pinned rule set, out of reach of the files that are checked."""

import json
import subprocess
from pathlib import Path

import pytest

from swe_assets.analysers import ruff
from swe_assets.analysers.ruff import Findings, check, ruff_version, rule_set
from swe_assets.errors import AnalyserError

UNUSED = "import os\n"


def test_minutes_add_up() -> None:
    """An unused import (1 minute) and a bare except (5) make 2 violations and 6 minutes."""
    text = "import os\ntry:\n    print(1)\nexcept:\n    print(2)\n"
    assert check([text]) == [Findings(2, 6)]


def test_answers_keep_the_order_over_several_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two files a process, five texts still answer in their order."""
    monkeypatch.setattr(ruff, "BATCH", 2)
    assert [found.violations for found in check([UNUSED, "", UNUSED, "", UNUSED])] == [1, 0, 1, 0, 1]


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("import os  # noqa\n", 1),
        ("# ruff: noqa\nimport os\n", 1 + 5),
        ("# flake8: noqa\nimport os\n", 1 + 5),
        ("# ruff: disable[F401]\nimport os\n", 1),
        ("import os  # ruff: ignore[F401]\n", 1),
    ],
)
def test_a_file_cannot_excuse_itself(text: str, minutes: int) -> None:
    """No comment takes a finding back; two of them even look like code that was commented out."""
    assert check([text])[0].minutes == minutes


def test_no_configuration_and_no_environment_has_a_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pyproject, a .gitignore and Ruff's own variables around the files change nothing."""
    (tmp_path / "pyproject.toml").write_text('[tool.ruff.lint]\nignore = ["ALL"]\n')
    (tmp_path / ".gitignore").write_text("*\n")
    (tmp_path / ".git").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("RUFF_OUTPUT_FORMAT", "concise")
    monkeypatch.setenv("RUFF_OUTPUT_FILE", str(tmp_path / "stolen"))
    assert check([UNUSED])[0].violations == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [".git", ".gitignore", "pyproject.toml"]


@pytest.mark.parametrize("text", ["print 'x'\n", "x = (\n", "a = 0777\n"])
def test_what_ruff_cannot_read_has_no_counts(text: str) -> None:
    """Findings of an unreadable text are a reason, and its neighbour is unharmed."""
    bad, good = check([text, UNUSED])
    assert str(bad.reason).startswith("Ruff cannot read it")
    assert good == Findings(1, 1)


def test_a_text_that_kills_ruff_stands_alone() -> None:
    """A stack overflow in Ruff costs the one text that caused it."""
    found = check([UNUSED, "x = " + "not " * 200_000 + "y\n", UNUSED, UNUSED])
    assert "died on it" in str(found[1].reason)
    assert [one.violations for one in found] == [1, 0, 1, 1]


def test_a_ruff_that_refuses_to_run_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that Ruff does not know is the project's fault, not a file's."""
    monkeypatch.setattr(ruff, "rule_set", lambda: ruff.RuleSet(1, "py314", {"F401": 1, "NOSUCH9": 1}))
    with pytest.raises(AnalyserError, match="refused to run"):
        check([UNUSED])


def test_a_ruff_that_is_not_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to do."""
    monkeypatch.setattr(ruff, "_binary", lambda: "/nowhere/ruff")
    with pytest.raises(AnalyserError, match="reinstall"):
        check([UNUSED])


def test_every_rule_is_a_stable_one_of_the_installed_ruff() -> None:
    """Ruff itself knows each rule of the set and calls it stable."""
    command = [ruff._binary(), "rule", "--all", "--output-format", "json"]
    told = subprocess.run(command, capture_output=True, check=True)
    stable = {rule["code"] for rule in json.loads(told.stdout) if "Stable" in rule["status"]}
    assert set(rule_set().minutes) <= stable
    assert set(rule_set().minutes.values()) == {1, 2, 5, 10, 20}


def test_no_rule_stands_in_two_groups() -> None:
    """Each rule has one price."""
    text = ruff.RULES_FILE.read_text(encoding="utf-8")
    assert all(text.count(f'"{rule}"') == 1 for rule in rule_set().minutes)


def test_the_lock_pins_the_ruff_that_runs() -> None:
    """The version told on records is that of the program."""
    told = subprocess.run([ruff._binary(), "--version"], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["ruff", ruff_version()]
