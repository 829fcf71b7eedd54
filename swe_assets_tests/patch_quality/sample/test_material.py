"""The little packages do what their docstrings show, at every commit."""

import ast
import doctest
import os
import subprocess
import sys
from pathlib import Path

import pytest

from swe_assets.patch_quality.sample.history import COMMITS, repositories, written
from swe_assets.patch_quality.sample.material import function_name, packages

PLAIN = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
MODULES = [(package, module) for package, modules in packages().items() for module in modules]


@pytest.mark.parametrize(("package", "module"), MODULES, ids=lambda part: getattr(part, "name", part))
def test_module_examples(package: str, module: object) -> None:
    """Every function of a module has an example, and each gives what the docstring shows."""
    part = next(found for found in packages()[package] if found is module)
    names: dict[str, object] = {}
    exec(part.source(99), names)  # noqa: S102 - the project's own text
    for block in part.functions:
        function = names[function_name(block)]
        [found] = doctest.DocTestFinder().find(function, function_name(block), globs=names)
        assert found.examples
        assert doctest.DocTestRunner().run(found).failed == 0


def test_three_repositories() -> None:
    """The sample has three repositories of six commits, each tree unlike the one before."""
    made = repositories()
    assert [repository.full_name for repository in made] == [
        f"swe-sample/{n}" for n in ("atlas", "ledger", "relay")
    ]
    for repository in made:
        assert len(repository.trees) == COMMITS == 6
        assert all(repository.trees[at] != repository.trees[at + 1] for at in range(COMMITS - 1))


def test_modules_grow() -> None:
    """A module has at least two functions at the first commit and all of them at the last."""
    for _, module in MODULES:
        counts = [written(module, commit) for commit in range(COMMITS)]
        assert counts == sorted(counts)
        assert counts[0] >= 2
        assert counts[-1] == len(module.functions)


def test_every_file_parses() -> None:
    """Every Python file of every commit parses."""
    for repository in repositories():
        for tree in repository.trees:
            for path, content in tree.items():
                if path.endswith(".py"):
                    ast.parse(content, path)


@pytest.mark.parametrize("commit", [0, COMMITS - 1])
def test_repository_tests_pass(commit: int, tmp_path: Path) -> None:
    """The tests that a repository holds at its first and last commit pass when they are run."""
    for repository in repositories():
        root = tmp_path / repository.name
        for path, content in repository.trees[commit].items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content)
        pytest_here = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir=.", "tests"]
        done = subprocess.run(pytest_here, cwd=root, env=PLAIN, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
