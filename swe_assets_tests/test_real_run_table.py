"""The script that prints the tables of a run: counted by hand on a small folder of results."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "real_run_table.py"
ACCOUNT = """instance_id,place,stage,reason,outcome
a__x-1,in_matrix,matriz_consolidada,,applied_exact
a__x-2,in_matrix,matriz_consolidada,,applied_offset
b__y-3,in_matrix,matriz_consolidada,,applied_exact
b__y-4,excluded,arquivos_reconstruidos,empty,empty
"""
METRICS = ("cognitive_complexity", "complexity", "ncloc", "sqale_index", "violations")
HEADER = ",".join(["instance_id", "pass@1", *METRICS, *(f"delta_{metric}" for metric in METRICS)])
MATRIX = f"""{HEADER}
a__x-1,1,1,10,100,0,0,0,0,5,0,0
a__x-2,0,2,20,200,0,0,1,0,7,0,0
b__y-3,0,3,30,300,0,0,2,0,,0,0
"""


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Write a folder of results: four instances in two repositories, one of them excluded."""
    names = {"a__x-1": "a/x", "a__x-2": "a/x", "b__y-3": "b/y", "b__y-4": "b/y"}
    (tmp_path / "mapeamento_commits.json").write_text(json.dumps({i: {"repo": r} for i, r in names.items()}))
    (tmp_path / "contabilidade.csv").write_text(ACCOUNT)
    (tmp_path / "matriz_consolidada.csv").write_text(MATRIX)
    return tmp_path


def printed(results: Path) -> "subprocess.CompletedProcess[str]":
    """Run the script as a person would."""
    asked = [sys.executable, str(SCRIPT), str(results)]
    return subprocess.run(asked, capture_output=True, text=True, check=False)


def test_repositories_are_counted(results: Path) -> None:
    """Each repository has its numbers, outcomes that do not occur have no column, and the last row is all."""
    lines = printed(results).stdout.splitlines()
    assert lines[0] == (
        "| repository | pinned | applied_exact | applied_offset | empty | in_matrix | excluded |"
    )
    assert lines[2:5] == [
        "| a/x | 2 | 1 | 1 | 0 | 2 | 0 |",
        "| b/y | 2 | 1 | 0 | 1 | 1 | 1 |",
        "| all | 4 | 2 | 1 | 1 | 3 | 1 |",
    ]


def test_excluded_are_listed(results: Path) -> None:
    """The excluded instance stands there with outcome, stage and reason."""
    assert "| b__y-4 | empty | arquivos_reconstruidos | empty |" in printed(results).stdout


def test_totals_stand_beside_deltas(results: Path) -> None:
    """Median, rho -0.8660 of ranks 1 2 3 with 3 1.5 1.5, and how often nothing changed; a gap is left out."""
    lines = printed(results).stdout.splitlines()
    (cognitive,) = [line for line in lines if line.startswith("| cognitive_complexity")]
    assert cognitive == "| cognitive_complexity | 2 | -0.8660 | 0.3333 | 1 | 1 | -0.8660 | 0.3333 |"
    (ncloc,) = [line for line in lines if line.startswith("| ncloc")]
    assert ncloc == "| ncloc | 200 | -0.8660 | 0.3333 | 6 | 0 | -1.0000 | – |"
    (violations,) = [line for line in lines if line.startswith("| violations")]
    assert violations == "| violations | 0 | – | – | 0 | 3 | – | – |"


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("contabilidade.csv", "b__y-4,excluded", "b__y-4,missing", "b__y-4"),
        ("matriz_consolidada.csv", "b__y-3,0", "b__y-9,0", "differ"),
    ],
)
def test_unfinished_runs_are_refused(results: Path, name: str, old: str, new: str, said: str) -> None:
    """An instance that is not accounted for, or a matrix that is not the account's, ends with 2."""
    path = results / name
    path.write_text(path.read_text().replace(old, new))
    done = printed(results)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_another_folder_is_refused(tmp_path: Path) -> None:
    """A folder without results ends with 2 and says what is wanted."""
    done = printed(tmp_path)
    assert done.returncode == 2
    assert "contabilidade.csv" in done.stderr
