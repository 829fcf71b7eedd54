"""swe-assets analyse as a user calls it: JSON on stdout, all else on stderr, and its exit codes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from swe_assets_tests.patch_quality.analysis.matrices import frame, labelled, saved

COMMAND = [sys.executable, "-c", "from swe_assets.cli import main; main()", "analyse"]


def analyse(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False)


def test_answer(tmp_path: Path) -> None:
    """A matrix is answered with exit 0 and one JSON object that names files that are there."""
    run = analyse(saved(labelled(), tmp_path / "m.csv"), "--out", tmp_path / "out")
    assert run.returncode == 0, run.stderr
    record = json.loads(run.stdout)
    assert len(record["files"]) > 8 and all(Path(name).is_file() for name in record["files"])
    assert record["n"] == 160 and len(record["labels"]) == 2


def test_options_label_the_files(tmp_path: Path) -> None:
    """--rehearsal, --stand-in and --title are on the page."""
    table = saved(frame(), tmp_path / "m.csv")
    run = analyse(table, "--out", tmp_path, "--rehearsal", "--stand-in", "Ruff 0.17.6", "--title", "My study")
    assert run.returncode == 0, run.stderr
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "ENSAIO" in text and "[Ruff 0.17.6]" in text and "<h1>My study</h1>" in text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot read"),
        ("", "is empty"),
        ("instance_id;pass@1\na;1\n", "separated by semicolons"),
        ("instance_id,pass@1\na,1\n", "lacks column(s) M_profundidade"),
    ],
)
def test_unusable_matrix(content: str | None, said: str, tmp_path: Path) -> None:
    """What is no matrix exits 2 with the reason on stderr, nothing on stdout and no traceback."""
    path = tmp_path / "m.csv"
    if content is not None:
        path.write_text(content)
    run = analyse(path, "--out", tmp_path / "out")
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr and "Traceback" not in run.stderr


def test_out_is_required(tmp_path: Path) -> None:
    """Without --out the command says so and exits 2."""
    run = analyse(tmp_path / "m.csv")
    assert run.returncode == 2 and "--out" in run.stderr
