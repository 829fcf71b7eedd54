"""Real files at real commits, held against what a real SonarQube 25.11 measured."""

import gzip
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from swe_assets.analysers.protocol import STRUCTURE_KEYS
from swe_assets.analysers.python.structure import measure_structure
from swe_assets_tests.shared_data import CHECKOUT, shared

COPIES = {
    "django/django": "apprent1c3/django",
    "scikit-learn/scikit-learn": "Agent-Benchmarking/scikit-learn",
    "matplotlib/matplotlib": "tfpf/matplotlib",
}
"""Public copies that hold the commits of repositories too large to fetch whole."""


def mirror(repository: str) -> Path:
    """Return the bare repository of a name, or skip: SWE_MIRRORS, else ../.mirror beside the checkout."""
    root = Path(os.environ.get("SWE_MIRRORS") or CHECKOUT.parent / ".mirror")
    path = root / COPIES.get(repository, repository).replace("/", "+") / "repo"
    if not path.is_dir():
        pytest.skip(f"mirror not here: {repository}")
    return path


def golden() -> list[dict[str, Any]]:
    """Return the rows of the golden file."""
    packed = shared("data", "swebench", "sonar_golden.jsonl.gz").read_bytes()
    return [json.loads(line) for line in gzip.decompress(packed).splitlines()]


def contents(repository: Path, blobs: list[str]) -> Iterator[bytes]:
    """Yield the contents of blobs, in order, from one git process."""
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    command = ["git", f"--git-dir={repository}", "cat-file", "--batch"]
    told = subprocess.run(command, input=asked, capture_output=True, check=True).stdout
    at = 0
    for _ in blobs:
        head = told.index(b"\n", at)
        size = int(told[at:head].split()[2])
        yield told[head + 1 : head + 1 + size]
        at = head + size + 2


def test_every_file_of_the_golden_set_is_equal_on_every_key() -> None:
    """No file differs from SonarQube's measures on any of the eight keys."""
    rows, different = golden(), []
    for name in sorted({row["repo"] for row in rows}):
        own = [row for row in rows if row["repo"] == name]
        for row, content in zip(own, contents(mirror(name), [row["blob"] for row in own]), strict=True):
            expected = {key: row["measures"][key] for key in STRUCTURE_KEYS}
            if measure_structure(content).measures != expected:
                different.append(f"{name} {row['commit'][:12]} {row['path']}")
    assert rows
    assert different == []
