"""The parser held against two others: CPython's own and tree-sitter-python, on real files."""

import ast
import sysconfig
from collections import Counter
from pathlib import Path

import pytest
import tree_sitter_python
from tree_sitter import Language, Parser, Query, QueryCursor

from swe_assets.analysers.python.structure import measure_structure

LIBRARY = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
PYTHON = Language(tree_sitter_python.language())


def branches(tree: ast.AST) -> int:
    """Compute complexity, if statements aside, from CPython's tree."""
    ones = (ast.FunctionDef, ast.AsyncFunctionDef, ast.For, ast.AsyncFor, ast.While, ast.IfExp)
    total = 0
    for node in ast.walk(tree):
        total += isinstance(node, ones)
        total += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
        total += len(node.ifs) if isinstance(node, ast.comprehension) else 0
    return total


def captures(content: bytes, query: str) -> int:
    """Count what a tree-sitter query finds."""
    cursor = QueryCursor(Query(PYTHON, query))
    return len(cursor.captures(Parser(PYTHON).parse(content).root_node).get("found", []))


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.name)
def test_cpython_agrees(path: Path) -> None:
    """A module of the standard library has the functions, classes and branches that the others find."""
    content = path.read_bytes()
    if Parser(PYTHON).parse(content).root_node.has_error:
        pytest.skip("tree-sitter does not know all of this Python's syntax")
    tree, found = ast.parse(content), measure_structure(content)
    kinds = Counter(type(node).__name__ for node in ast.walk(tree))
    assert found.reason is None
    assert found.measures["functions"] == kinds["FunctionDef"] + kinds["AsyncFunctionDef"]
    assert found.measures["classes"] == kinds["ClassDef"]
    assert found.measures["complexity"] == branches(tree) + captures(content, "(if_statement) @found")


@pytest.mark.parametrize(
    "source", [b"print >>a, b\n", b"exec a in b\n", b"a = not b and c\n", b"type X = int\n"]
)
def test_tree_sitter_agrees_on_small_things(source: bytes) -> None:
    """Where tree-sitter's tolerant grammar takes a source without an error, so does ours."""
    assert not Parser(PYTHON).parse(source).root_node.has_error
    assert measure_structure(source).reason is None
