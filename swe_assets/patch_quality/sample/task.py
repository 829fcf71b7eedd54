"""One instance of the sample: what is asked of which function, and what the model made of it."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from swe_assets.patch_quality.sample.diffs import tree_diff
from swe_assets.patch_quality.sample.edits import changed
from swe_assets.patch_quality.sample.history import Repository, Tree, written
from swe_assets.patch_quality.sample.material import Module, function_name


def draw(size: int, *seed: object) -> int:
    """Return a number from 0 to size - 1 that depends on the seed alone, on any machine and Python."""
    text = "\0".join(map(str, seed))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % size


@dataclass(frozen=True)
class Task:
    """An instance: its place in a repository's history, the right edit, the model's edit and its shape."""

    number: int
    repository: Repository
    commit: int
    module: Module
    function: str
    right: str
    chosen: str
    shape: str

    @property
    def instance_id(self) -> str:
        """Return the id in SWE-bench's manner."""
        return f"{self.repository.full_name.replace('/', '__')}-{self.number}"

    @property
    def path(self) -> str:
        """Return the path of the module that the issue is about."""
        return f"{self.repository.name}/{self.module.name}.py"

    @property
    def before(self) -> Tree:
        """Return the files at the base commit."""
        return self.repository.trees[self.commit]

    @property
    def neighbour(self) -> str:
        """Return another function of the same module at the base commit."""
        blocks = self.module.functions[: written(self.module, self.commit)]
        others = [name for name in map(function_name, blocks) if name != self.function]
        return others[draw(len(others), self.instance_id, "neighbour")]

    def edited(self, edits: Iterable[tuple[str, str]]) -> Tree:
        """Return the files after edits, each a function of the module and the name of an edit."""
        source = self.before[self.path].decode()
        for function, kind in edits:
            source = changed(source, function, kind)
        return self.before | {self.path: source.encode()}

    def diff(self, after: Tree, **options: object) -> str:
        """Return the diff from the base commit to other files."""
        return tree_diff(self.before, after, **options)  # type: ignore[arg-type]  # handed through as they are
