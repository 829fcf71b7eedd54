"""`make study`: the sample goes through the whole graph, and its reports are those of a sound sample."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent


def study(home: Path) -> "subprocess.CompletedProcess[str]":
    """Run what `make study` runs once everything is installed."""
    kept = {name: value for name, value in os.environ.items() if name != "DAGSTER_HOME"}
    asked = [sys.executable, str(CHECKOUT / "scripts" / "study.py")]
    environment = kept | {"SWE_ASSETS_HOME": str(home)}
    return subprocess.run(asked, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, "subprocess.CompletedProcess[str]"]:
    """Run the sample study in a new home with a space in its name."""
    home: Path = tmp_path_factory.mktemp("a home")
    return home, study(home)


def results(home: Path) -> Path:
    """Return the folder of the study's tables."""
    return home / "studies" / "sample" / "results"


def table(path: Path) -> list[dict[str, str]]:
    """Read a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


Ran = tuple[Path, "subprocess.CompletedProcess[str]"]


def test_says_where_everything_lies(first: Ran) -> None:
    """It ends well and prints tables, figure and report, all of which are there, and how to open the UI."""
    home, done = first
    assert done.returncode == 0, done.stderr[-3000:]
    assert "not made" not in done.stdout
    for name in ("matriz_consolidada.csv", "heatmap.png", "report.html", "logit_summary.txt"):
        assert str(results(home) / name) in done.stdout
    assert "make ui" in done.stdout


def test_again_has_nothing_to_do(first: Ran) -> None:
    """A second call changes no table and says that everything is current."""
    home, _ = first
    before = {path: path.read_bytes() for path in results(home).iterdir() if path.is_file()}
    done = study(home)
    assert done.returncode == 0
    assert "everything is current" in done.stderr + done.stdout
    assert {path: path.read_bytes() for path in results(home).iterdir() if path.is_file()} == before


def test_every_instance_is_accounted_for(first: Ran) -> None:
    """Matrix and exclusions add up to the pinned instances, and both classes are in the matrix."""
    home, _ = first
    pinned = (home / "studies/sample/instances.txt").read_text().split()
    matrix = table(results(home) / "matriz_consolidada.csv")
    assert len(pinned) >= 80
    assert {row["instance_id"] for row in matrix} < set(pinned)
    assert {row["pass@1"] for row in matrix} == {"0", "1"}
    share = sum(row["pass@1"] == "1" for row in matrix) / len(matrix)
    assert 0.35 <= share <= 0.60


def test_logit_converges(first: Ran) -> None:
    """The logit on the four predictors converges, with at least ten events for each of them."""
    fit: dict[str, Any] = json.loads((results(first[0]) / "fit.json").read_text())
    rows = {row["term"]: row for row in table(results(first[0]) / "logit.csv")}
    assert fit["converged"] is True
    assert fit["separation"]["kind"] == "none"
    assert fit["EPV"] >= 10
    assert rows.keys() == {"const", "M_profundidade", "M_defesa", "cognitive_complexity_log", "ncloc_log"}
    assert all(0.0 < float(row["p"]) < 1.0 for row in rows.values())
