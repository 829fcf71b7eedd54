"""The Python files of a checkout, parsed once."""

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

PRODUCT = "swe_assets"
TESTS = "swe_assets_tests"
FOLDERS = (PRODUCT, TESTS, "benchmarks", "scripts")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """One Python file."""

    root: Path
    path: Path

    @property
    def name(self) -> str:
        """Return the path as seen from the checkout, with slashes."""
        return self.path.relative_to(self.root).as_posix()

    @property
    def module(self) -> str:
        """Return the dotted name under which Python imports the file."""
        return self.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def in_tests(self) -> bool:
        """Say whether the file belongs to the tests."""
        return self.name.startswith(f"{TESTS}/")

    @cached_property
    def text(self) -> str:
        """Return the file's text."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def lines(self) -> list[str]:
        """Return the file's raw lines."""
        return self.text.split("\n")[:-1] if self.text.endswith("\n") else self.text.split("\n")

    @cached_property
    def tree(self) -> ast.Module:
        """Return the file's syntax tree."""
        return ast.parse(self.text, self.name)

    @cached_property
    def functions(self) -> list[Function]:
        """Return every function and method, nested ones too."""
        return [node for node in ast.walk(self.tree) if isinstance(node, Function)]

    def comments(self) -> Iterator[tuple[int, str]]:
        """Yield each comment with its line number."""
        for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string

    def public(self) -> Iterator[Function | ast.ClassDef]:
        """Yield the classes, functions and methods that carry a public name all the way down."""
        todo: list[ast.AST] = [self.tree]
        while todo:
            for node in ast.iter_child_nodes(todo.pop()):
                if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
                    yield node
                    if isinstance(node, ast.ClassDef):
                        todo.append(node)


def sources(root: Path, *folders: str) -> list[Source]:
    """Return the Python files under some of a checkout's folders, by default all, sorted by path."""
    found = [path for folder in folders or FOLDERS for path in (root / folder).rglob("*.py")]
    return [Source(root, path) for path in sorted(found)]


def code_lines(function: Function, source: Source) -> int:
    """Count a function's lines that hold code: no blanks, no comments, no docstring; decorators count."""
    first = min([function.lineno, *(part.lineno for part in function.decorator_list)])
    skipped = set()
    if ast.get_docstring(function, clean=False) is not None:
        said = function.body[0]
        skipped = set(range(said.lineno, (said.end_lineno or said.lineno) + 1))
    lines = enumerate(source.lines[first - 1 : function.end_lineno], first)
    return sum(bool(line.strip()) and line.strip()[0] != "#" and at not in skipped for at, line in lines)
