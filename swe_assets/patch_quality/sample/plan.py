"""Which instances the sample holds, and which of them the tests are said to pass."""

import math

from swe_assets.patch_quality.sample.edits import EDITS
from swe_assets.patch_quality.sample.history import COMMITS, Repository, repositories, written
from swe_assets.patch_quality.sample.material import function_name
from swe_assets.patch_quality.sample.shapes import SHAPES
from swe_assets.patch_quality.sample.task import Task, draw

PER_REPOSITORY = 36
STRIDE = 29
"""How far apart instances of a special shape lie; with no factor of their number, so none is met twice."""


def tasks() -> list[Task]:
    """Return every instance of the sample in the order of its dataset."""
    places = [(repository, place) for repository in repositories() for place in range(PER_REPOSITORY)]
    shapes = _shapes(len(places))
    return [_task(repository, place, shapes[at]) for at, (repository, place) in enumerate(places)]


def _shapes(count: int) -> list[str]:
    """Spread the special shapes over all instances; the rest are plain."""
    special = [name for name, (_, wanted, _) in SHAPES.items() for _ in range(wanted)]
    shapes = ["plain"] * count
    for at, name in enumerate(special):
        shapes[(at * STRIDE + 5) % count] = name
    return shapes


def _task(repository: Repository, place: int, shape: str) -> Task:
    number = 11 + 3 * place + draw(3, repository.name, place)
    seed = (repository.name, number)
    commit = draw(COMMITS, *seed, "commit")
    module = repository.modules[place % len(repository.modules)]
    block = module.functions[draw(written(module, commit), *seed, "function")]
    right = list(EDITS)[draw(len(EDITS), *seed, "right")]
    chosen = right if draw(2, *seed, "chosen") else list(EDITS)[draw(len(EDITS), *seed, "other")]
    return Task(number, repository, commit, module, function_name(block), right, chosen, shape)


def model_patch(task: Task) -> str | None:
    """Return what the model handed in for an instance."""
    return SHAPES[task.shape][0](task)


def expected_outcome(task: Task) -> str:
    """Return the outcome that the model's patch must have, by the shape it was given."""
    return SHAPES[task.shape][2]


def resolved(task: Task) -> bool:
    """Say whether the tests pass: drawn by the id, likelier for the right edit and for a small patch.

    A patch that does not apply, breaks the syntax or leaves the code alone never passes.
    """
    hopeless = {"broken_syntax", "tests_alone", "guide_alone", "deleted_file", "moved_file"}
    if task.shape in hopeless or not expected_outcome(task).startswith("applied"):
        return False
    lines = (model_patch(task) or "").count("\n")
    chance = 0.62 + (0.12 if task.chosen == task.right else 0.0) - 0.05 * math.log1p(lines)
    return draw(10_000, task.instance_id, "resolved") < 10_000 * chance
