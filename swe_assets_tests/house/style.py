"""How long, how well described and how well typed the code is."""

import ast
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from swe_assets_tests.house.source import PRODUCT, TESTS, Function, Source, code_lines, sources

LONGEST_FILE = 400
LONGEST_FUNCTION = 40
LONGEST_ASSET = 25
CATCH_ALL = {"utils", "util", "helpers", "helper", "common", "misc", "shared", "tools", "stuff", "base"}
SUPPRESSED_PER_1000 = 4


def long_files(root: Path) -> list[str]:
    """Complain of files of more than 400 raw lines."""
    return [
        f"{source.name}: {len(source.lines)} lines, at most {LONGEST_FILE}"
        for source in sources(root)
        if len(source.lines) > LONGEST_FILE
    ]


def long_functions(root: Path) -> list[str]:
    """Complain of functions of more than 40 code lines, and of assets and checks of more than 25."""
    wrong = []
    for source in sources(root):
        for function in source.functions:
            limit = LONGEST_ASSET if is_asset(function) else LONGEST_FUNCTION
            length = code_lines(function, source)
            if length > limit:
                wrong.append(
                    f"{source.name}:{function.lineno}: {function.name} has {length}, at most {limit}"
                )
    return wrong


def is_asset(function: Function) -> bool:
    """Say whether a function is decorated as a Dagster asset or asset check."""
    called = [part.func if isinstance(part, ast.Call) else part for part in function.decorator_list]
    return any(ast.unparse(part).split(".")[-1] in ("asset", "multi_asset", "asset_check") for part in called)


def catch_all_names(root: Path) -> list[str]:
    """Complain of modules and folders whose name says nothing."""
    return [
        f"{source.name}: says nothing of what is inside"
        for source in sources(root)
        if CATCH_ALL & set(source.module.split("."))
    ]


def missing_docstrings(root: Path) -> list[str]:
    """Complain of modules, public classes, public functions and tests without one whole sentence first."""
    wrong = []
    for source in sources(root):
        if source.text.strip():
            wrong += _undescribed(source, source.tree, source.name, 1)
        for node in source.public():
            wrong += _undescribed(source, node, node.name, node.lineno)
    return wrong


def _undescribed(
    source: Source, node: ast.Module | Function | ast.ClassDef, name: str, line: int
) -> list[str]:
    if isinstance(node, Function) and any("overload" in ast.unparse(part) for part in node.decorator_list):
        return []
    first = (ast.get_docstring(node) or "").split("\n\n", 1)[0].strip()
    if not first:
        return [f"{source.name}:{line}: {name} has no docstring"]
    if not first.endswith((".", ":", "?", "!")):
        return [
            f"{source.name}:{line}: the docstring of {name} does not begin with a sentence: {first[:60]!r}"
        ]
    return []


def missing_hints(root: Path) -> list[str]:
    """Complain of functions with an argument or a result that has no type."""
    return [
        f"{source.name}:{function.lineno}: {function.name}: no type for {', '.join(names)}"
        for source in sources(root)
        for function in source.functions
        if (names := list(_unhinted(function)))
    ]


def _unhinted(function: Function) -> Iterator[str]:
    args = function.args
    rest = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
    for place, arg in enumerate([*args.posonlyargs, *args.args, *args.kwonlyargs, *rest]):
        if arg.annotation is None and not (place == 0 and arg.arg in ("self", "cls", "mcs")):
            yield arg.arg
    if function.returns is None:
        yield "the result"


def suppressions(root: Path) -> list[tuple[str, str]]:
    """Return every comment that silences a linter or the type checker, with where it stands."""
    marks = ("# noqa", "# type: ignore")
    return [
        (f"{source.name}:{line}", comment)
        for source in sources(root)
        for line, comment in source.comments()
        if any(mark in comment for mark in marks)
    ]


def unexplained_suppressions(root: Path) -> list[str]:
    """Complain of a silenced rule without its name or without a reason beside it."""
    wrong = []
    for place, comment in suppressions(root):
        for mark in comment.split("# ")[1:]:
            named = mark.startswith(("noqa: ", "type: ignore["))
            if mark.startswith(("noqa", "type: ignore")) and not named:
                wrong.append(f"{place}: does not name its rule: {comment!r}")
        if not _reason(comment):
            wrong.append(f"{place}: gives no reason: {comment!r}")
    return wrong


def _reason(comment: str) -> str:
    """Return the words that stand behind the marks: after ` - ` or in a comment of their own."""
    rest = [part for part in comment.split("# ")[1:] if not part.startswith(("noqa", "type: ignore"))]
    for part in comment.split("# ")[1:]:
        _, dash, words = part.partition(" - ")
        rest += [words] if dash else []
    return " ".join(rest).strip()


def too_many_suppressions(root: Path) -> list[str]:
    """Complain where there are more than four suppressions in 1,000 lines."""
    lines = sum(len(source.lines) for source in sources(root))
    count = len(suppressions(root))
    allowed = SUPPRESSED_PER_1000 * lines / 1000
    return [f"{count} suppressions in {lines} lines, at most {allowed:.1f}"] if count > allowed else []


def figures(root: Path) -> dict[str, float]:
    """Return the figures that are shown and not gated: medians, and lines of tests to lines of code."""
    product, tests = sources(root, PRODUCT), sources(root, TESTS)
    in_product = sorted(code_lines(function, source) for source in product for function in source.functions)
    assets = [code_lines(each, source) for source in product for each in source.functions if is_asset(each)]
    in_tests = [
        code_lines(function, source)
        for source in tests
        for function in source.functions
        if function.name.startswith("test_")
    ]
    lines = {
        name: sum(len(source.lines) for source in files) for name, files in (("p", product), ("t", tests))
    }
    every = sources(root)
    return {
        "median file": median(len(source.lines) for source in product),
        "longest file": max(len(source.lines) for source in every),
        "median function": median(in_product),
        "p90 function": in_product[len(in_product) * 9 // 10],
        "longest function": in_product[-1],
        "median asset": median(assets) if assets else 0,
        "median test": median(in_tests) if in_tests else 0,
        "suppressions per 1,000": 1000 * len(suppressions(root)) / sum(len(source.lines) for source in every),
        "tests:code": lines["t"] / lines["p"],
    }
