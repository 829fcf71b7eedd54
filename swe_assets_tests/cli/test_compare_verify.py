"""swe-assets compare and verify as a user calls them: JSON on stdout, and their exit codes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from swe_assets_tests.patch_quality.analysis.matrices import frame, saved
from swe_assets_tests.patch_quality.analysis.studies import sided


def call(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "swe_assets", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def outcomes(path: Path, word: str) -> Path:
    """Write a table of outcomes and return its path."""
    rows = "".join(f"o__n-{at},{digit}\n" for at, digit in enumerate(word))
    path.write_text(f"instance_id,pass@1\n{rows}")
    return path


def test_analyse_with_instances_and_verify(tmp_path: Path) -> None:
    """With all pinned instances and verdicts given the flow and the judge are told; verify exits 0."""
    table = sided(40)
    matrix = saved(table, tmp_path / "m.csv")
    lines = "".join(
        f"{key},in_matrix,,{y}\n" for key, y in zip(table["instance_id"], table["pass@1"], strict=True)
    )
    (tmp_path / "i.csv").write_text(f"instance_id,place,reason,pass@1\n{lines}o__n-1,excluded,empty,0\n")
    said = "".join(f"{key},j,1,3\n" for key in table["instance_id"])
    (tmp_path / "j.csv").write_text(f"instance_id,judge,resolve_issue,score_confianca\n{said}")
    options = ("--instances", tmp_path / "i.csv", "--judgements", tmp_path / "j.csv", "--draws", 100)
    run = call("analyse", matrix, "--out", tmp_path / "out", *options)
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)["findings"]
    assert told[0].startswith("Of 41 pinned instances 40 are in the matrix") and any(
        "Judge j" in t for t in told
    )
    checked = call("verify", tmp_path / "out")
    assert checked.returncode == 0 and json.loads(checked.stdout)["same"] is True


def test_compare_names_and_outcomes(tmp_path: Path) -> None:
    """Two tables of outcomes under names of their own are compared, and the files are there."""
    one, other = outcomes(tmp_path / "1.csv", "11100"), outcomes(tmp_path / "2.csv", "10010")
    run = call("compare", f"ours={one}", f"theirs={other}", "--out", tmp_path / "out")
    assert run.returncode == 0, run.stderr
    record = json.loads(run.stdout)
    (row,) = record["comparison"]
    assert (row["a"], row["b"], row["only_a"], row["only_b"], row["p_mcnemar"]) == (
        "ours",
        "theirs",
        2,
        1,
        1.0,
    )
    assert all(Path(name).is_file() for name in record["files"])


@pytest.mark.parametrize("given", [["1.csv"], ["1.csv", "1.csv"], ["1.csv", "no-such-study"], []])
def test_unusable_comparison(given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One study, one twice, one that is not there or none exits 2 with the reason and no traceback."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path / "home"))
    outcomes(tmp_path / "1.csv", "110")
    names = [tmp_path / name if name.endswith("csv") else name for name in given]
    run = call("compare", *names, "--out", tmp_path / "out")
    assert (run.returncode, run.stdout) == (2, "") and "Traceback" not in run.stderr


def test_verify_of_no_report(tmp_path: Path) -> None:
    """A folder without a report, and one that is not there, exit 2."""
    saved(frame(9), tmp_path / "m.csv")
    for folder in (tmp_path, tmp_path / "nowhere"):
        run = call("verify", folder)
        assert run.returncode == 2 and run.stdout == "" and "Traceback" not in run.stderr
