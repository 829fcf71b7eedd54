"""Nesting and length cost time in proportion, and no stack."""

import sys
import time

import pytest

from swe_assets.analysers.python.structure import measure_structure

DEEP = {
    "parentheses": lambda n: "x = " + "(" * n + "1" + ")" * n,
    "brackets": lambda n: "x = " + "[{(" * n + ")}]" * n,
    "calls": lambda n: "f(" * n + ")" * n,
    "lambdas": lambda n: "x = " + "lambda: " * n + "1",
    "defaults of lambdas": lambda n: "x = " + "lambda a=" * n + "1" + ": 0" * n,
    "conditionals": lambda n: "x = " + "a if b else " * n + "c",
    "negations": lambda n: "x = " + "not " * n + "a",
    "comprehension conditions": lambda n: "x = [a for a in b" + " if c" * n + "]",
    "f-strings": lambda n: "x = " + "f'{" * n + "1" + "}'" * n,
    "with": lambda n: "with " + "(" * n + "a" + ")" * n + " as b: pass",
    "patterns": lambda n: "match a:\n case " + "[" * n + "]" * n + ": pass",
    "tuple parameters": lambda n: "def f(" + "(" * n + "a" + ")" * n + "): pass",
    "elif": lambda n: "if a: pass\n" + "elif b: pass\n" * n,
    "decorators": lambda n: "@a\n" * n + "def f(): pass",
    "unclosed": lambda n: "x = " + "(" * n,
    "quotes": lambda n: "'''" + "\"'" * n,
}


@pytest.mark.parametrize("shape", DEEP)
def test_ten_thousand_levels_are_read_under_any_recursion_limit(shape: str) -> None:
    """A frame limit far below the depth is no obstacle."""
    source = DEEP[shape](10_000).encode()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(200)
    try:
        assert measure_structure(source).measures["lines"] >= 1
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize("shape", DEEP)
def test_time_grows_with_depth_and_not_with_its_square(shape: str) -> None:
    """Four times the depth costs far less than the sixteen times of a quadratic walk."""

    def seconds(n: int) -> float:
        source = DEEP[shape](n).encode()
        start = time.process_time()
        measure_structure(source)
        return time.process_time() - start

    assert min(seconds(20_000) for _ in range(2)) < 10 * min(seconds(5_000) for _ in range(3)) + 0.05


def test_blocks_nest_as_deep_as_they_like() -> None:
    """A thousand levels of blocks add up to the sum of one to a thousand."""
    source = "".join(" " * level + "if a:\n" for level in range(1000)) + " " * 1000 + "pass\n"
    assert measure_structure(source.encode()).measures["cognitive_complexity"] == 1000 * 1001 // 2
