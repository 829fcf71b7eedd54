"""Who may import whom."""

import ast
from collections.abc import Iterator
from pathlib import Path

from swe_assets_tests.house.source import PRODUCT, Source, sources

FLOORS = {"patch_quality", "snippet_adaptation", "blind_benchmark"}
PLUMBING = {
    "llm",
    "judging",
    "statistics",
    "repositories",
    "analysers",
    "storage",
    "services",
    "java",
    "reporting",
}
ENTRANCES = {"cli", "__main__"}
HEAVY = {
    "pandas",
    "scipy",
    "statsmodels",
    "matplotlib",
    "datasets",
    "google",
    "git",
    "pandera",
    "httpx",
    "psycopg2",
}
"""Libraries that take long to import, by their top name; `google` is google.genai."""

Import = tuple[ast.stmt, str, bool]
"""A statement, the dotted name it imports, and whether it runs when the module is imported."""


def imported(source: Source) -> Iterator[Import]:
    """Yield what a file imports, but for what only type checkers see; a `from` import once a name."""
    yield from _imported(source.tree, source, at_once=True)


def _imported(parent: ast.AST, source: Source, *, at_once: bool) -> Iterator[Import]:
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            for other in node.orelse:
                yield from _imported(other, source, at_once=at_once)
        elif isinstance(node, ast.Import):
            yield from ((node, name.name, at_once) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, source)
            yield from ((node, f"{base}.{name.name}", at_once) for name in node.names)
        else:
            later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            yield from _imported(node, source, at_once=at_once and not later)


def _base(node: ast.ImportFrom, source: Source) -> str:
    """Return the dotted name that a `from` import starts at, with the dots of a relative one followed."""
    if not node.level:
        return node.module or ""
    package = source.module.split(".") if source.path.name == "__init__.py" else source.module.split(".")[:-1]
    kept = package[: len(package) - node.level + 1]
    return ".".join([*kept, *([node.module] if node.module else [])])


def room(dotted: str) -> str | None:
    """Return the part of the house that a dotted name of the product lies in, such as `llm`."""
    parts = dotted.split(".")
    return parts[1] if parts[0] == PRODUCT and len(parts) > 1 else None


def wrong_direction(root: Path) -> list[str]:
    """Complain of plumbing that uses a floor or the command line, and of a floor that uses another."""
    wrong = []
    for source in sources(root, PRODUCT):
        here = room(source.module)
        for node, name, _ in imported(source):
            there = room(name)
            upward = here not in FLOORS | ENTRANCES and there in FLOORS | {"cli"}
            across = here in FLOORS and there in (FLOORS | {"cli"}) - {here}
            if upward or across:
                wrong.append(f"{source.name}:{node.lineno}: {here} imports {name}")
    return wrong


def dagster_in_plumbing(root: Path) -> list[str]:
    """Complain of Dagster in plumbing outside resource.py and storage/, or in the modules all share."""
    wrong = []
    for source in sources(root, PRODUCT):
        here = room(source.module)
        if here in FLOORS or here in ("storage", "cli") or source.path.name == "resource.py":
            continue
        wrong += [
            f"{source.name}:{node.lineno}: imports {name}"
            for node, name, _ in imported(source)
            if name.split(".")[0].startswith("dagster")
        ]
    return wrong


def heavy_at_import(root: Path) -> list[str]:
    """Complain of libraries that are slow to import and are imported before they are needed."""
    return [
        f"{source.name}:{node.lineno}: imports {name} at module level"
        for source in sources(root, PRODUCT)
        for node, name, at_once in imported(source)
        if at_once and name.split(".")[0] in HEAVY
    ]


def graph(root: Path) -> dict[str, set[str]]:
    """Return which modules of the product each module imports, at once or later."""
    files = sources(root, PRODUCT)
    known = {source.module for source in files}
    edges: dict[str, set[str]] = {name: set() for name in known}
    for source in files:
        for _, name, _ in imported(source):
            target = name if name in known else name.rpartition(".")[0]
            if target in known and target != source.module:
                edges[source.module].add(target)
    return edges


def cycles(root: Path) -> list[str]:
    """Complain of modules that import one another in a circle, also where an import waits in a function."""
    edges = graph(root)
    reached = {name: _reached(name, edges) for name in edges}
    circles = {
        tuple(sorted(other for other in reached[name] if name in reached[other]))
        for name in edges
        if name in reached[name]
    }
    return [" <-> ".join(circle) for circle in sorted(circles)]


def _reached(start: str, edges: dict[str, set[str]]) -> set[str]:
    """Return all modules that one imports directly or through others."""
    seen: set[str] = set()
    todo = [start]
    while todo:
        fresh = edges[todo.pop()] - seen
        seen |= fresh
        todo += fresh
    return seen
