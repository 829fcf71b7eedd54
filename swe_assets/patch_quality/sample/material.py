"""The little packages that the sample's repositories are made of: text, never imported."""

import ast
import doctest
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "material"
SUFFIX = ".py.txt"


@dataclass(frozen=True)
class Module:
    """One module of a package: its opening, and its functions in the order they were written."""

    name: str
    opening: str
    functions: tuple[str, ...]

    def source(self, count: int) -> str:
        """Return the module as it was when only its first `count` functions were written."""
        return "\n\n\n".join([self.opening, *self.functions[:count]]) + "\n"


@cache
def packages() -> dict[str, tuple[Module, ...]]:
    """Return the modules of each package, both in alphabetical order."""
    folders = sorted(folder for folder in FOLDER.iterdir() if folder.is_dir())
    return {folder.name: tuple(map(_module, sorted(folder.glob(f"*{SUFFIX}")))) for folder in folders}


def _module(path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    starts = [node.lineno - 1 for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    ends = [*starts[1:], len(lines)]
    blocks = ["\n".join(lines[start:end]).strip() for start, end in zip(starts, ends, strict=True)]
    opening = "\n".join(lines[: starts[0]]).strip()
    return Module(path.name.removesuffix(SUFFIX), opening, tuple(blocks))


def function_name(block: str) -> str:
    """Return the name of the function that a block of source defines."""
    return block.removeprefix("def ").split("(", 1)[0]


def test_source(package: str, module: Module, count: int) -> str:
    """Return a test module that asks each of the first `count` functions for what its docstring shows."""
    opening = f'"""What {package}.{module.name} promises."""\n\nfrom {package} import {module.name}'
    tests = [_test_function(module.name, block) for block in module.functions[:count]]
    return "\n\n\n".join([opening, *tests]) + "\n"


def _test_function(module: str, block: str) -> str:
    docstring = ast.get_docstring(ast.parse(block).body[0]) or ""  # type: ignore[arg-type]  # a block is a function
    asserts = []
    for example in doctest.DocTestParser().get_examples(docstring):
        call, said = example.source.strip(), example.want.strip()
        asserts.append(f"    value = eval({call!r}, vars({module}))\n    assert repr(value) == {said!r}")
    return f"def test_{function_name(block)}():\n" + "\n".join(asserts)
