"""The sample written to a folder: predictions, results, dataset and bare repositories."""

import json
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swe_assets.errors import InputError
from swe_assets.patch_quality.sample.bare import write_bare
from swe_assets.patch_quality.sample.history import repositories
from swe_assets.patch_quality.sample.issues import problem_statement
from swe_assets.patch_quality.sample.plan import expected_outcome, model_patch, resolved, tasks
from swe_assets.patch_quality.sample.task import Task

MODEL = "sample-model"
MARK = ".swe-assets-sample"
"""An empty file that shows a folder to be a sample, so that building anew may replace it."""

UNKNOWN = "swe-sample__ledger-999"
"""The id that occurs in the predictions but not in the dataset."""


@dataclass(frozen=True)
class Sample:
    """Where the parts of a built sample lie."""

    folder: Path

    @property
    def predictions(self) -> Path:
        """Return the predictions: JSON lines of instance_id, model_name_or_path, model_patch."""
        return self.folder / "predictions.jsonl"

    @property
    def results(self) -> Path:
        """Return the results: an object with the list `resolved`."""
        return self.folder / "results.json"

    @property
    def dataset(self) -> Path:
        """Return the dataset: JSON lines with SWE-bench's columns."""
        return self.folder / "dataset.jsonl"

    @property
    def repos(self) -> Path:
        """Return the folder of bare repositories, each called owner__name.git."""
        return self.folder / "repos"


def build(folder: Path, *, force: bool = False) -> Sample:
    """Write the sample to a folder that is new or empty, all of it or nothing, and say where it lies.

    A sample already there is kept as it is, unless `force` has it built anew.
    Raises InputError where the folder holds anything else.
    """
    folder = folder.resolve()
    if (folder / MARK).exists() and not force:
        return Sample(folder)
    if folder.exists() and not (folder.is_dir() and ((folder / MARK).exists() or not any(folder.iterdir()))):
        raise InputError(f"{str(folder)!r} holds something else than a sample: name a new or an empty folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".sample-", dir=folder.parent) as parent:
        fresh = Path(parent) / "sample"
        _write(Sample(fresh))
        _put(fresh, folder, Path(parent) / "old")
    return Sample(folder)


def _put(fresh: Path, folder: Path, aside: Path) -> None:
    """Move the finished sample to its place; what was there goes with the temporary folder."""
    if folder.exists():
        folder.rename(aside)
    fresh.rename(folder)


def _write(sample: Sample) -> None:
    sample.repos.mkdir(parents=True)
    commits = {}
    for repository in repositories():
        bare = sample.repos / f"{repository.full_name.replace('/', '__')}.git"
        commits[repository.full_name] = write_bare(bare, repository.trees)
    listed = tasks()
    _write_lines(sample.dataset, [dataset_row(task, commits[task.repository.full_name]) for task in listed])
    _write_lines(sample.predictions, predictions(listed))
    _write_text(sample.results, json.dumps(results(listed), indent=2) + "\n")
    _write_text(sample.folder / MARK, "")


def dataset_row(task: Task, commits: Sequence[str]) -> dict[str, Any]:
    """Return an instance as a row of a SWE-bench dataset."""
    test_path = f"tests/test_{task.module.name}.py"
    asked = f"assert {task.module.name}.{task.function}.__doc__"
    test = f"\n\ndef test_{task.function}_as_reported():\n    {asked}\n"
    return {
        "instance_id": task.instance_id,
        "repo": task.repository.full_name,
        "base_commit": commits[task.commit],
        "problem_statement": problem_statement(task),
        "patch": task.diff(task.edited([(task.function, task.right)])),
        "test_patch": task.diff(task.before | {test_path: task.before[test_path] + test.encode()}),
        "version": f"0.{task.commit + 1}",
    }


def predictions(listed: Sequence[Task]) -> list[dict[str, Any]]:
    """Return the submission: the last instance has no prediction, one is there twice, one is unknown."""
    rows = [_prediction(task.instance_id, model_patch(task)) for task in listed[:-1]]
    return [*rows, rows[7], _prediction(UNKNOWN, rows[0]["model_patch"])]


def _prediction(instance_id: str, patch: str | None) -> dict[str, Any]:
    return {"instance_id": instance_id, "model_name_or_path": MODEL, "model_patch": patch}


def results(listed: Sequence[Task]) -> dict[str, list[str]]:
    """Return the outcome of the tests in the leaderboard's form: every predicted instance is named."""
    predicted = listed[:-1]
    outcomes = {task.instance_id: expected_outcome(task) for task in predicted}
    silent = {name for name, outcome in outcomes.items() if outcome == "empty"}
    applied = {name for name, outcome in outcomes.items() if outcome.startswith("applied")}
    return {
        "no_generation": sorted(silent),
        "no_apply": sorted(outcomes.keys() - silent - applied),
        "applied": sorted(applied),
        "resolved": sorted(task.instance_id for task in predicted if resolved(task)),
    }


def _write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    _write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def _write_text(path: Path, text: str) -> None:
    path.write_bytes(text.encode())
