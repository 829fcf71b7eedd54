"""Each shape has the outcome it claims, said by git itself; both classes occur."""

import ast
import json
import os
import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from swe_assets.patch_quality.sample import Sample
from swe_assets.patch_quality.sample.edits import EDITS
from swe_assets.patch_quality.sample.plan import expected_outcome, model_patch, resolved, tasks
from swe_assets.patch_quality.sample.shapes import SHAPES
from swe_assets.patch_quality.sample.task import Task
from swe_assets.repositories.ladder import reconstruct
from swe_assets.repositories.mirrors import MirrorSettings, open_mirror

TASKS = tasks()
APPLIED = [task for task in TASKS if expected_outcome(task).startswith("applied")]
UNMEASURED = {"tests_alone", "guide_alone", "broken_syntax", "deleted_file"}


@dataclass(frozen=True)
class Bench:
    """A temporary index and object folder on the task's base commit; the sample itself is only read."""

    bare: Path
    index: Path

    def git(self, *arguments: str, given: str = "") -> subprocess.CompletedProcess[bytes]:
        """Run git on the bare repository with the temporary index."""
        objects = self.index.parent / "objects"
        objects.mkdir(exist_ok=True)
        where = {
            "GIT_INDEX_FILE": str(self.index),
            "GIT_DIR": str(self.bare),
            "GIT_OBJECT_DIRECTORY": str(objects),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(self.bare / "objects"),
            "LC_ALL": "C",
        }
        asked = ["git", *arguments]
        return subprocess.run(
            asked, input=given.encode(), env=os.environ | where, capture_output=True, check=False
        )

    def apply(self, patch: str, *options: str) -> str:
        """Return what git says of a patch: ok, offset or its error."""
        done = self.git("apply", "--cached", "-v", *options, "-", given=patch)
        said = done.stderr.decode()
        if done.returncode:
            return said
        return "offset" if "offset" in said else "ok"


def bench(task: Task, sample: Sample, tmp_path: Path) -> Bench:
    """Read the task's base commit into an index of its own."""
    made = Bench(sample.repos / f"swe-sample__{task.repository.name}.git", tmp_path / "index")
    base = made.git("rev-list", "--reverse", "main").stdout.split()[task.commit].decode()
    assert made.git("read-tree", base).returncode == 0
    return made


def named(task: Task) -> str:
    """Name a test by its instance and shape."""
    return f"{task.instance_id}-{task.shape}"


@pytest.mark.parametrize("task", APPLIED, ids=named)
def test_applies_as_claimed(task: Task, sample: Sample, tmp_path: Path) -> None:
    """A patch that is said to apply does so by just the means that its outcome names."""
    patch = model_patch(task)
    assert patch is not None
    expected = expected_outcome(task)
    here = bench(task, sample, tmp_path)
    if expected in ("applied_exact", "applied_offset"):
        assert here.apply(patch) == {"applied_exact": "ok", "applied_offset": "offset"}[expected]
        return
    assert here.apply(patch) not in ("ok", "offset")
    with_newline = here.apply(patch.removesuffix("\n") + "\n")
    if expected == "applied_newline_repair":
        assert with_newline == "ok"
    else:
        assert with_newline not in ("ok", "offset")
        assert here.apply(patch.rstrip("\n") + "\n", "--recount") == "ok"


@pytest.mark.parametrize("task", [task for task in TASKS if task not in APPLIED], ids=named)
def test_fails_as_claimed(task: Task, sample: Sample, tmp_path: Path) -> None:
    """A patch that is said not to apply is refused by git for the reason that its outcome names."""
    reasons = {
        "empty": "No valid patches|unrecognized input",
        "not_a_diff": "No valid patches",
        "does_not_apply": "patch does not apply",
        "target_missing": "does not exist in index",
        "binary": "cannot apply binary patch",
        "refused": r"\.\./\.\./.*(does not exist|No such file)|invalid path",
    }
    said = bench(task, sample, tmp_path).apply((model_patch(task) or "") + "\n", "--recount")
    assert re.search(reasons[expected_outcome(task)], said), said


@pytest.mark.parametrize("task", [t for t in APPLIED if t.shape == "broken_syntax"], ids=named)
def test_broken_syntax(task: Task, sample: Sample, tmp_path: Path) -> None:
    """The patches with broken syntax apply, and the patched file no longer parses."""
    here = bench(task, sample, tmp_path)
    assert here.apply(model_patch(task) or "") == "ok"
    with pytest.raises(SyntaxError):
        ast.parse(here.git("show", f":{task.path}").stdout)


def test_every_outcome_and_shape() -> None:
    """Each outcome, each shape and each edit occurs."""
    assert {task.shape for task in TASKS} == set(SHAPES)
    assert {expected_outcome(task) for task in TASKS} == {
        "applied_exact", "applied_newline_repair", "applied_recount", "applied_offset", "empty",
        "not_a_diff", "does_not_apply", "target_missing", "binary", "refused",
    }  # fmt: skip
    assert {task.chosen for task in TASKS} == {task.right for task in TASKS} == set(EDITS)


def test_both_classes() -> None:
    """Of the measurable instances between 35 and 60 % are resolved; none of the others is."""
    measured = [task for task in APPLIED[:-1] if task.shape not in UNMEASURED]
    rate = sum(map(resolved, measured)) / len(measured)
    assert 0.35 <= rate <= 0.60
    assert not any(resolved(task) for task in TASKS if task not in APPLIED or task.shape in UNMEASURED)


def test_size_does_not_give_the_class_away() -> None:
    """No length of patch parts the resolved from the others."""
    lengths = {
        passed: [len(model_patch(task) or "") for task in APPLIED if resolved(task) is passed]
        for passed in (True, False)
    }
    assert min(lengths[True]) < sorted(lengths[False])[len(lengths[False]) // 2] < max(lengths[True])
    assert min(lengths[False]) < sorted(lengths[True])[len(lengths[True]) // 2] < max(lengths[False])


def test_repositories_share_the_shapes() -> None:
    """Each repository has both plain and special instances."""
    special = Counter(task.repository.name for task in TASKS if task.shape != "plain")
    assert min(special.values()) >= 8
    assert len(special) == 3


def test_product_says_the_same(sample: Sample) -> None:
    """The product's own ladder gives each patch the outcome that its shape claims."""
    settings = MirrorSettings(sample.folder / "none", sample.repos)
    rows = [json.loads(line) for line in sample.dataset.read_text(encoding="utf-8").splitlines()]
    for task, row in zip(TASKS, rows, strict=True):
        with open_mirror(settings, row["repo"]) as repository:
            found = reconstruct(repository, row["base_commit"], model_patch(task))
        assert found.outcome == expected_outcome(task), named(task)
