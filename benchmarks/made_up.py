"""Studies of made-up instances, pinned by the product itself, to see how things grow."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from swe_assets.patch_quality.study import Study
from swe_assets.patch_quality.study_add import add_study
from swe_assets.patch_quality.study_settings import StudyInputs

REPOSITORIES = 12
PATCH = (
    "diff --git a/pkg/m{n}.py b/pkg/m{n}.py\n--- a/pkg/m{n}.py\n+++ b/pkg/m{n}.py\n@@ -1 +1 @@\n"
    "-value = {n}\n+value = {n} + 1\n"
)


def write_inputs(folder: Path, count: int) -> StudyInputs:
    """Write predictions, results and a dataset of tiny instances over a dozen repositories."""
    ids = [f"made__up{number % REPOSITORIES}-{number}" for number in range(count)]
    patches = ({"instance_id": i, "model_patch": PATCH.format(n=n)} for n, i in enumerate(ids))
    rows = (
        {
            "instance_id": instance_id,
            "repo": f"made/up{number % REPOSITORIES}",
            "base_commit": f"{number:040x}",
            "problem_statement": f"The value of m{number} is one too small.",
        }
        for number, instance_id in enumerate(ids)
    )
    folder.mkdir(parents=True)
    _write(folder / "predictions.jsonl", patches)
    _write(folder / "dataset.jsonl", rows)
    (folder / "results.json").write_text(json.dumps({"resolved": ids[::2]}), encoding="ascii")
    return StudyInputs(
        predictions=str(folder / "predictions.jsonl"),
        dataset=str(folder / "dataset.jsonl"),
        results=str(folder / "results.json"),
    )


def pin(name: str, inputs: StudyInputs) -> Study:
    """Pin the inputs as a study under SWE_ASSETS_HOME."""
    return add_study(name, inputs)


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="ascii") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
