"""Which `__init__.py` files stand above a patch's files, at the base commit and after the patch."""

from collections.abc import Iterator, Sequence

from swe_assets.repositories.objects import REGULAR, OpenRepository
from swe_assets.repositories.reconstruction import FileChange

INIT = "__init__.py"


def package_files(
    repository: OpenRepository, root: str, files: Sequence[FileChange], side: str
) -> dict[str, bytes]:
    """Return by path the `__init__.py` of each package that a changed Python file of a side is in.

    The chain of a file goes from its own folder upwards and ends at the first folder that has none, as
    Python's packages do. What the patch adds, changes, moves or deletes counts on the patched side. Files
    that are measured themselves are left out, and so are links. Raises MirrorError.
    """
    before = {file.path_base: file for file in files if file.path_base is not None}
    after = {file.path_patched: file for file in files if file.path_patched is not None}
    own = before if side == "base" else after
    measured = {path for path, file in own.items() if file.is_python and not file.is_test}
    found: dict[str, bytes] = {}
    missing: set[str] = set()
    for path in sorted(measured):
        for init in _upwards(path):
            if init in missing:
                break
            if init in measured or init in found:
                continue
            content = _content(repository, root, init, before, after, side)
            if content is None:
                missing.add(init)
                break
            found[init] = content
    return found


def _upwards(path: str) -> Iterator[str]:
    """Yield where the `__init__.py` of each folder above a file would be, the nearest first."""
    folders = path.split("/")[:-1]
    for depth in range(len(folders), 0, -1):
        yield "/".join([*folders[:depth], INIT])


def _content(
    repository: OpenRepository,
    root: str,
    path: str,
    before: dict[str, FileChange],
    after: dict[str, FileChange],
    side: str,
) -> bytes | None:
    """Return a file's bytes on a side, None where there is no regular file."""
    if side == "patched" and path in after:
        file = after[path]
        return file.content_patched if file.mode_patched in REGULAR else None
    if side == "patched" and path in before:
        return None
    entry = repository.entry(root, path.encode("utf-8", "surrogateescape"))
    return repository.blob(entry.oid) if entry is not None and entry.mode in REGULAR else None
