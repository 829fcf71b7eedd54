"""The sample's repositories, commit by commit, as trees of files."""

import zlib
from dataclasses import dataclass

from swe_assets.patch_quality.sample.material import Module, packages, test_source

OWNER = "swe-sample"
COMMITS = 6

Tree = dict[str, bytes]
"""The files of one commit: path → content."""


@dataclass(frozen=True)
class Repository:
    """One repository of the sample: its trees from the first commit to the last."""

    name: str
    modules: tuple[Module, ...]
    trees: tuple[Tree, ...]

    @property
    def full_name(self) -> str:
        """Return the name as a dataset gives it: owner/name."""
        return f"{OWNER}/{self.name}"


def written(module: Module, commit: int) -> int:
    """Count the functions of a module that exist at a commit: at least two, in the end all."""
    return min(len(module.functions), max(2, len(module.functions) - COMMITS + 1 + commit))


def repositories() -> tuple[Repository, ...]:
    """Return the sample's repositories in alphabetical order."""
    return tuple(
        Repository(name, modules, tuple(_tree(name, modules, commit) for commit in range(COMMITS)))
        for name, modules in packages().items()
    )


def _tree(name: str, modules: tuple[Module, ...], commit: int) -> Tree:
    texts = {
        "README.md": _readme(name, modules, commit),
        "docs/guide.md": _guide(name, modules, commit),
        f"{name}/__init__.py": f'"""The {name} package."""\n\n__version__ = "0.{commit + 1}.0"\n',
        "tests/__init__.py": "",
    }
    for module in modules:
        count = written(module, commit)
        texts[f"{name}/{module.name}.py"] = module.source(count)
        texts[f"tests/test_{module.name}.py"] = test_source(name, module, count)
    return {path: text.encode() for path, text in texts.items()} | {"docs/logo.png": _logo(commit)}


def _readme(name: str, modules: tuple[Module, ...], commit: int) -> str:
    listed = "\n".join(f"- `{name}.{module.name}`" for module in modules)
    return f"# {name}\n\nVersion 0.{commit + 1} of a small package.\n\n{listed}\n\nSee docs/guide.md.\n"


def _guide(name: str, modules: tuple[Module, ...], commit: int) -> str:
    sections = [f"# Guide to {name}"]
    for module in modules:
        count = written(module, commit)
        offer = f"It offers {count} functions.\n\nUse: `from {name} import {module.name}`."
        sections.append(f"## {module.name}\n\n{offer}")
    return "\n\n".join(sections) + "\n"


def _logo(commit: int) -> bytes:
    """Draw a grey square as a PNG, lighter from commit to commit."""
    rows = b"".join(b"\0" + bytes([40 * commit + 20]) * 8 for _ in range(8))
    header = (8).to_bytes(4, "big") * 2 + b"\x08\0\0\0\0"
    # Stored, not compressed: the bytes are then the same with every zlib.
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows, 0)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
