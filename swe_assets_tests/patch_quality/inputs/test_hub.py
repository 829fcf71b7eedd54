"""Datasets by name, through `datasets` itself and a Hub on this machine."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from swe_assets_tests.patch_quality.inputs.hub_pages import ROWS, SHA, serve_dataset
from swe_assets_tests.patch_quality.inputs.web import Web

SCRIPT = """
import json, pathlib, sys
from swe_assets.errors import DatasetError
from swe_assets.patch_quality.inputs.dataset import read_dataset
from swe_assets.patch_quality.inputs.limits import Limits
from swe_assets.patch_quality.inputs.sources import Sources
try:
    found = read_dataset(sys.argv[1], Sources(pathlib.Path("scratch"), Limits()), split=sys.argv[2])
    print(json.dumps([found.record, [row._asdict() for row in found.rows.values()]]))
except DatasetError as wrong:
    print(json.dumps(["error", str(wrong)]))
"""
CHECKOUT = Path(__file__).resolve().parents[3]


def load(tmp_path: Path, endpoint: str, name: str, split: str = "test", **environment: str) -> list[object]:
    """Load a dataset in a fresh process, whose Hub is at the endpoint; return [record, rows] or an error."""
    settings = {"HF_ENDPOINT": endpoint, "HF_HOME": str(tmp_path / "hf"), "PYTHONPATH": str(CHECKOUT)}
    kept = {key: value for key, value in os.environ.items() if not key.startswith("HF_")}
    command = [sys.executable, "-c", SCRIPT, name, split]
    done = subprocess.run(
        command, env=kept | settings | environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: list[object] = json.loads(done.stdout)
    return found


def test_by_name_then_offline(web: Web, tmp_path: Path) -> None:
    """A dataset is loaded by name with its commit recorded, and offline from the cache with the same."""
    serve_dataset(web, "o/d")
    record, rows = load(tmp_path, web.url, "o/d")
    wanted = {"form": "Hugging Face dataset", "revision": SHA, "split": "test", "count": 2, "given": "o/d"}
    assert isinstance(record, dict)
    assert wanted.items() <= record.items()
    texts = [row["problem_statement"] for row in rows] if isinstance(rows, list) else []
    assert texts == ROWS["problem_statement"]
    again, offline_rows = load(tmp_path, "http://127.0.0.1:1", "o/d", HF_HUB_OFFLINE="1")
    assert (again, offline_rows) == (record, rows)


@pytest.mark.parametrize(
    ("name", "split", "says"),
    [
        ("o/none", "test", "no dataset 'o/none'"),
        ("o/d@v9", "test", "no revision 'v9'"),
        ("o/d", "train", "split 'train', cannot be loaded"),
    ],
)
def test_not_there(web: Web, tmp_path: Path, name: str, split: str, says: str) -> None:
    """A name, revision or split that the Hub does not have is an error that says which."""
    serve_dataset(web, "o/d")
    status, message = load(tmp_path, web.url, name, split)
    assert status == "error"
    assert says in str(message)


def test_unreachable(tmp_path: Path) -> None:
    """Without a network the error says so, and the ways out."""
    status, message = load(tmp_path, "http://127.0.0.1:1", "SWE-bench/SWE-bench_Verified")
    assert status == "error"
    assert "cannot be reached" in str(message)
    assert "HF_HUB_OFFLINE=1" in str(message)
