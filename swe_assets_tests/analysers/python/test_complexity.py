"""Complexity and cognitive complexity, values by hand from their definitions."""

import pytest

from swe_assets_tests.analysers.python.measured import measured

COMPLEXITY = {
    "def f(): pass": 1,
    "class A:\n    def f(self): pass\n    def g(self): pass": 2,
    "for i in a: pass\nelse: pass": 1,
    "while a: pass": 1,
    "if a: pass\nelif b: pass\nelse: pass": 1,
    "a = b if c else d": 1,
    "a = b and c and d or e": 3,
    "a = [b for b in c if d if e for f in g]": 2,
    "a = {b: c for b in d if e}": 1,
    "try: pass\nexcept A: pass\nfinally: pass": 0,
    "with a: pass": 0,
    "a = lambda: b": 0,
    "match a:\n    case 1 if b and c: pass": 1,
    "assert a and b": 1,
    "@a(b or c)\ndef f(d=e and g) -> (h or i): pass": 4,
    "a = f'{b if c else d:{e or f}}'": 2,
    "a = t'{b if c else d}'": 0,
    "def f[T = a or b](): pass": 1,
    "def f((a, b)=c or d): pass": 1,
    "print a and b": 1,
}

COGNITIVE = {
    "if a:\n    if b: pass\n    else: pass": 1 + 2 + 1,
    "if a: pass\nelif b: pass\nelse: pass": 3,
    "for a in b:\n    while c: pass": 1 + 2,
    "try: pass\nexcept A:\n    if b: pass": 1 + 2,
    "try:\n    if a: pass\nfinally:\n    if b: pass": 1 + 1,
    "with a:\n    if b: pass": 1,
    "match a:\n    case 1:\n        if b: pass": 2,
    "a = b and c and d": 1,
    "a = b and c or d and e": 3,
    "a = b and not (c and d)": 2,
    "a = b if c else d if e else f": 1 + 2,
    "a = (b if c else d) if e else f": 1 + 2,
    "a = b if (c if d else e) else f": 1 + 2,
    "a = b if c and d else e or f": 1 + 1 + 1,
    "def f():\n    if a:\n        b = c if d else e": 1 + 2,
    "def f():\n    def g():\n        if a: pass\n    return g": 1,
    "def f():\n    @d\n    def g(x=a if b else c): pass\n    return g": 1,
    "def f():\n    b = 1\n    def g():\n        if a: pass\n    return g": 2,
    "def f():\n    def g():\n        if a: pass\n    return g()": 2,
    "def f():\n    def g():\n        def h():\n            if a: pass\n        return h\n    return g": 1,
    "def f():\n    if a:\n        def g():\n            if b: pass": 1 + 3,
    "def f():\n    if a:\n        class A:\n            def g(self):\n                if b: pass": 1 + 1,
    "def f():\n    def g():\n        if a: pass\n    if b:\n        return g\n    return g": 2 + 1,
    "def f():\n    return f()": 0,
    "while a: break": 1,
    "a = [b if c else d for e in f if g]": 1,
    "try: pass\nexcept* A: pass": 1,
}


@pytest.mark.parametrize("source", COMPLEXITY)
def test_complexity(source: str) -> None:
    """Each def, loop, if, conditional, and/or and comprehension-if is one."""
    assert measured(source, "complexity") == (COMPLEXITY[source],)


@pytest.mark.parametrize("source", COGNITIVE)
def test_cognitive_complexity(source: str) -> None:
    """Breaks of flow are one each, more with each level they lie in."""
    assert measured(source, "cognitive_complexity") == (COGNITIVE[source],)
