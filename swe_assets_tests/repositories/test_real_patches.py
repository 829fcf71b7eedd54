"""Real patches at their real base commits; skipped where data or mirrors are absent."""

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from swe_assets.repositories import (
    MirrorSettings,
    OpenRepository,
    Outcome,
    Reconstruction,
    open_mirror,
    reconstruct,
)
from swe_assets_tests.shared_data import CHECKOUT, shared

COPIES = {
    "django/django": "apprent1c3+django/repo",
    "scikit-learn/scikit-learn": "Agent-Benchmarking+scikit-learn/repo",
    "matplotlib/matplotlib": "tfpf+matplotlib/repo",
}
FAULTY = {
    "sympy__sympy-18698": Outcome.TARGET_MISSING,
    "pylint-dev__pylint-8898": Outcome.DOES_NOT_APPLY,
    "django__django-17029": Outcome.DOES_NOT_APPLY,
    "astropy__astropy-13033": Outcome.APPLIED_RECOUNT,
    "django__django-11964": Outcome.BINARY,
    "django__django-13809": Outcome.NOT_A_DIFF,
    "django__django-12193": Outcome.APPLIED_RECOUNT,
}


@cache
def dataset() -> dict[str, dict[str, Any]]:
    """Return the 500 rows by id."""
    path = shared("data", "swebench", "verified_500.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return {row["instance_id"]: row for row in map(json.loads, lines)}


class RealMirrors:
    """The public copies, each opened once."""

    def __init__(self, folder: Path) -> None:
        mapping = {name: str(folder / copy) for name, copy in COPIES.items()}
        self.settings = MirrorSettings(folder / "no-cache", folder, mapping)
        self.opened: dict[str, OpenRepository] = {}

    def reconstruct(self, instance: str, patch: str | None) -> Reconstruction:
        """Apply a patch at the instance's base commit."""
        row = dataset()[instance]
        if row["repo"] not in self.opened:
            self.opened[row["repo"]] = open_mirror(self.settings, row["repo"], row["base_commit"])
        return reconstruct(self.opened[row["repo"]], row["base_commit"], patch)


@pytest.fixture(scope="module")
def mirrors() -> Iterator[RealMirrors]:
    """Open the public copies: SWE_MIRRORS, or ../.mirror beside the checkout; skip without them."""
    folder = Path(os.environ.get("SWE_MIRRORS") or CHECKOUT.parent / ".mirror")
    if not all((folder / copy / "HEAD").is_file() for copy in (*COPIES.values(), "sympy+sympy/repo")):
        pytest.skip("mirrors not here")
    found = RealMirrors(folder)
    yield found
    for repository in found.opened.values():
        repository.close()


def test_every_gold_patch_applies_as_it_is(mirrors: RealMirrors) -> None:
    """Git takes all 500 at the first rung; eleven hunks of them lie a few lines off."""
    found = [mirrors.reconstruct(instance, row["patch"]) for instance, row in dataset().items()]
    assert {tuple((step.name, step.returncode) for step in one.steps) for one in found} == {(("strict", 0),)}
    assert Counter(one.outcome for one in found) == {Outcome.APPLIED_EXACT: 489, Outcome.APPLIED_OFFSET: 11}
    assert {one.exclusion for one in found} == {""}


def test_a_real_submission_is_whole_after_the_recount(mirrors: RealMirrors) -> None:
    """Of the 500 predictions 452 apply as they are, 48 lost blank lines, and each changes what it should."""
    with gzip.open(
        shared("data", "swebench", "submissions", "polydev_hybrid_haiku45", "all_preds.jsonl.gz"), "rt"
    ) as f:
        rows = [json.loads(line) for line in f]
    found = [mirrors.reconstruct(row["instance_id"], row["model_patch"]) for row in rows]
    assert Counter(one.outcome for one in found) == {Outcome.APPLIED_EXACT: 452, Outcome.APPLIED_RECOUNT: 48}
    assert all(one.changed and one.touches_python for one in found)


@pytest.mark.parametrize("instance", FAULTY)
def test_each_faulty_patch_has_its_outcome(mirrors: RealMirrors, instance: str) -> None:
    """A patch that others found faulty is judged as its fault says."""
    lines = shared("data", "swebench", "faulty_patches.jsonl").read_text(encoding="utf-8").split("\n")
    rows = [json.loads(line) for line in lines if line]
    (patch,) = [row["model_patch"] for row in rows if row["instance_id"] == instance]
    assert mirrors.reconstruct(instance, patch).outcome is FAULTY[instance]
