"""Small inputs of a study, written to a folder: what the tests of pinning start from."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from swe_assets.patch_quality.study import Study
from swe_assets.patch_quality.study_add import add_study
from swe_assets.patch_quality.study_settings import StudyInputs

IDS = ("o__r-1", "o__r-2", "o__r-3", "o__r-4")
PATCHES: Mapping[str, str | None] = {"o__r-3": "three", "o__r-1": "one\r\n", "o__r-2": None}


def write_inputs(
    folder: Path,
    *,
    patches: Mapping[str, str | None] = PATCHES,
    resolved: Sequence[str] = ("o__r-1",),
    ids: Sequence[str] = IDS,
    statement: str = "a\r\nb\u2028",
) -> StudyInputs:
    """Write predictions, results and a dataset into a folder and return where they are."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {"instance_id": i, "repo": "o/r", "base_commit": "1" * 40, "problem_statement": statement}
        for i in ids
    ]
    records = [{"instance_id": i, "model_patch": patch} for i, patch in patches.items()]
    (folder / "preds.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (folder / "results.json").write_text(json.dumps({"resolved": list(resolved)}))
    (folder / "dataset.json").write_text(json.dumps(rows))
    names = {"predictions": "preds.jsonl", "results": "results.json", "dataset": "dataset.json"}
    return StudyInputs(**{key: str(folder / name) for key, name in names.items()})


def add_demo(folder: Path, name: str = "demo") -> Study:
    """Pin a study of the small inputs."""
    return add_study(name, write_inputs(folder))
