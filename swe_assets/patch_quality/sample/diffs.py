"""Two trees become a unified diff in git's form."""

import difflib
import hashlib
from collections.abc import Mapping

from swe_assets.patch_quality.sample.history import Tree


def blob_id(content: bytes) -> str:
    """Return the id under which git stores a file: SHA-1 of a header and the content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def tree_diff(before: Tree, after: Tree, *, moved: Mapping[str, str] | None = None, context: int = 3) -> str:
    """Return the diff of every file that differs, sorted by path.

    `moved` maps a file's new path to its old one; `context` is the number of lines shown around a change.
    """
    moved = moved or {}
    paths = sorted((before.keys() | after.keys()) - set(moved.values()))
    parts = []
    for path in paths:
        old_path = moved.get(path, path)
        old, new = before.get(old_path), after.get(path)
        if old != new or old_path != path:
            parts.append(_file_diff(old_path, path, old, new, context))
    return "".join(parts)


def _file_diff(old_path: str, path: str, old: bytes | None, new: bytes | None, context: int) -> str:
    head = f"diff --git a/{old_path} b/{path}\n" + _header(old_path, path, old, new)
    if b"\0" in (old or b"") + (new or b""):
        return f"{head}Binary files a/{old_path} and b/{path} differ\n"
    from_name = "/dev/null" if old is None else f"a/{old_path}"
    to_name = "/dev/null" if new is None else f"b/{path}"
    return head + "".join(difflib.unified_diff(_lines(old), _lines(new), from_name, to_name, n=context))


def _header(old_path: str, path: str, old: bytes | None, new: bytes | None) -> str:
    """Return git's lines between `diff --git` and the first hunk's file names."""
    ids = f"{_short(old)}..{_short(new)}"
    if old is None:
        return f"new file mode 100644\nindex {ids}\n"
    if new is None:
        return f"deleted file mode 100644\nindex {ids}\n"
    if old_path == path:
        return f"index {ids} 100644\n"
    alike = int(100 * difflib.SequenceMatcher(None, _lines(old), _lines(new), autojunk=False).ratio())
    rename = f"similarity index {alike}%\nrename from {old_path}\nrename to {path}\n"
    return rename if old == new else f"{rename}index {ids} 100644\n"


def _short(content: bytes | None) -> str:
    return "0000000" if content is None else blob_id(content)[:7]


def _lines(content: bytes | None) -> list[str]:
    return (content or b"").decode().splitlines(keepends=True)
