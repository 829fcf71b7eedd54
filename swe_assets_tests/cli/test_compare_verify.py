"""swe-assets compare and verify as a user calls them: JSON on stdout, and their exit codes."""

import hashlib
import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from swe_assets.patch_quality.analysis.evidence_tables import matrix_csv
from swe_assets.patch_quality.analysis.whole import write_study
from swe_assets.reporting.folder import read_analysis
from swe_assets_tests.patch_quality.analysis.matrices import frame, saved
from swe_assets_tests.patch_quality.analysis.studies import sided, study


def call(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "swe_assets", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


def outcomes(path: Path, word: str) -> Path:
    """Write a table of outcomes and return its path."""
    rows = "".join(f"o__n-{at},{digit}\n" for at, digit in enumerate(word))
    path.write_text(f"instance_id,pass@1\n{rows}")
    return path


def test_analyse_with_instances_and_verify(tmp_path: Path) -> None:
    """The flow and the judge are told; the command that the manifest shows makes the same; verify exits 0."""
    table = sided(40)
    matrix = saved(table, tmp_path / "m.csv")
    lines = "".join(
        f"{key},in_matrix,,{y}\n" for key, y in zip(table["instance_id"], table["pass@1"], strict=True)
    )
    (tmp_path / "i.csv").write_text(f"instance_id,place,reason,pass@1\n{lines}o__n-1,excluded,empty,0\n")
    said = "".join(f"{key},j,1,3\n" for key in table["instance_id"])
    (tmp_path / "j.csv").write_text(f"instance_id,judge,resolve_issue,score_confianca\n{said}")
    options: tuple[object, ...] = (
        "--instances",
        tmp_path / "i.csv",
        "--judgements",
        tmp_path / "j.csv",
        "--draws",
        100,
    )
    options += ("--seed", 7, "--lang", "en", "--title", "It's -- mine", "--stand-in", "Ruff 1", "--rehearsal")
    run = call("analyse", matrix, "--out", tmp_path / "out", *options)
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)["findings"]
    assert told[0].startswith("Of 41 pinned instances 40 are in the matrix") and any(
        "Judge j" in t for t in told
    )
    command = shlex.split(read_analysis(tmp_path / "out").manifest["provenance"]["commands"][0])
    again = [str(tmp_path / "again") if word == "FOLDER" else word for word in command[1:]]
    assert call(*again, cwd=tmp_path).returncode == 0
    for name in ("analysis.json", "report.html", "heatmap.png"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()
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


def test_compare_names_its_inputs_and_itself(tmp_path: Path) -> None:
    """The manifest has each given file's own sha256, and a command that makes the same comparison."""
    one, other = outcomes(tmp_path / "1.csv", "11100"), outcomes(tmp_path / "2.csv", "10010")
    assert call("compare", f"a b={one}", other, "--out", tmp_path / "out", "--lang", "en").returncode == 0
    manifest = read_analysis(tmp_path / "out").manifest
    sha = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (one, other)]
    assert manifest["studies"] == {"a b": {"1.csv": sha[0]}, "2": {"2.csv": sha[1]}}
    command = shlex.split(manifest["provenance"]["commands"][0])
    again = [str(tmp_path / "again") if word == "FOLDER" else word for word in command[1:]]
    assert call(*again, cwd=tmp_path).returncode == 0
    for name in ("analysis.json", "report.html"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()
    assert call("verify", tmp_path / "out").returncode == 0


def test_compare_says_that_a_report_is_stale(tmp_path: Path) -> None:
    """Inputs that are no longer those of the study's own report are named on stdout, stderr and the page."""
    evidence = study(sided(30))
    write_study(tmp_path / "a", evidence, matrix_csv(evidence.matrix))
    other = saved(sided(30), tmp_path / "b.csv")
    fresh = call("compare", tmp_path / "a", other, "--out", tmp_path / "fresh")
    assert json.loads(fresh.stdout)["changed"] == {} and fresh.stderr == ""
    path = tmp_path / "a" / "juizes.csv"
    path.write_text(path.read_text().rpartition("demo")[0])
    run = call("compare", tmp_path / "a", other, "--out", tmp_path / "out")
    ((name, (line,)),) = json.loads(run.stdout)["changed"].items()
    assert name == "estudo" and line.startswith("input 'juizes.csv': sha256 ") and line in run.stderr
    assert (
        "o relatório do próprio estudo não é destas entradas"
        in (tmp_path / "out" / "report.html").read_text()
    )
    assert call("verify", tmp_path / "out").returncode == 0


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
