"""Small studies of the sample, several in one home, each worked by another test."""

import json
from pathlib import Path

from swe_assets.patch_quality.sample import Sample
from swe_assets.patch_quality.sample.plan import expected_outcome, tasks
from swe_assets_tests.patch_quality.small_study import SmallStudy

ALONE = "relay"


def chosen_ids() -> list[str]:
    """Return twelve ids: seven plain, two oddly applied, two unusable, and one of a repository of its own."""
    listed = tasks()[:-1]
    elsewhere = [task for task in listed if task.repository.name != ALONE]
    plain = [task.instance_id for task in elsewhere if task.shape == "plain"]
    applied = [
        t.instance_id for t in elsewhere if expected_outcome(t).startswith("applied_") and t.shape != "plain"
    ]
    unusable = [task.instance_id for task in elsewhere if not expected_outcome(task).startswith("applied_")]
    alone = [t.instance_id for t in listed if t.repository.name == ALONE and t.shape == "plain"]
    return [*plain[:7], *applied[:2], *unusable[:2], alone[0]]


def pin(home: Path, sample: Sample, name: str, *more: str, **environment: str) -> SmallStudy:
    """Pin a study of the chosen ids in home; more are options, environment is that of all its calls."""
    wanted = set(chosen_ids())
    lines = sample.predictions.read_text(encoding="utf-8").splitlines()
    kept = {row["instance_id"]: row for row in map(json.loads, lines) if row["instance_id"] in wanted}
    predictions = home / f"{name}.jsonl"
    predictions.parent.mkdir(parents=True, exist_ok=True)
    predictions.write_text("".join(json.dumps(row) + "\n" for row in kept.values()), encoding="utf-8")
    study = SmallStudy(home, sample, predictions, name, environment)
    study.add(*more)
    return study
