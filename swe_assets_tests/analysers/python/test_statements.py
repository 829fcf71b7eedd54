"""Statements, functions and classes, values by hand from their definitions."""

import pytest

from swe_assets_tests.analysers.python.measured import measured

COUNTED = [
    "x = 1",
    "x += 1",
    "f()",
    "import a",
    "from a import b",
    "pass",
    "return",
    "yield x",
    "raise",
    "raise A, 'b', c",
    "assert a",
    "del a",
    "global a",
    "print 'a'",
    "print >>a, b",
    "exec 'a' in b",
    "exec a in b, c",
    "break",
    "`a`",
]
NOT_COUNTED = ["x: int = 1", "nonlocal a", "type A[T] = b", "type A = b"]


@pytest.mark.parametrize("source", COUNTED)
def test_one_statement(source: str) -> None:
    """Each of these is one statement."""
    assert measured(source, "statements") == (1,)


@pytest.mark.parametrize("source", NOT_COUNTED)
def test_no_statement(source: str) -> None:
    """Each of these is none, as SonarQube counts."""
    assert measured(source, "statements") == (0,)


COMPOUND = {
    "if a: pass\nelif b: pass\nelse: pass": 5,
    "for a in b: pass\nelse: pass": 3,
    "with a: pass": 1,
    "async def f():\n    async with a: pass\n    async for b in c: pass": 4,
    "try: pass\nexcept A: pass\nelse: pass\nfinally: pass": 6,
    "try: pass\nexcept* A: pass": 3,
    "match a:\n    case 1: pass": 1,
    "a = 1; b = 2;": 2,
    "class A: x = 1; y = 2": 3,
}


@pytest.mark.parametrize("source", COMPOUND)
def test_compound_statements(source: str) -> None:
    """Elif and except count, else, finally, with, match and except* do not."""
    assert measured(source, "statements") == (COMPOUND[source],)


def test_functions_and_classes_at_any_depth() -> None:
    """Nested and asynchronous functions count, lambdas do not."""
    source = "class A:\n    class B:\n        async def f(self):\n            def g(): return lambda: 1\n"
    assert measured(source, "functions", "classes") == (2, 2)
