"""The files that differ between two indexes, paired where the patch says that one was renamed."""

from collections.abc import Iterator

from swe_assets.repositories.objects import GITLINK, REGULAR, Entry
from swe_assets.repositories.patch_paths import PatchPaths
from swe_assets.repositories.paths_of_tests import is_test_path
from swe_assets.repositories.reconstruction import Change, FileChange
from swe_assets.repositories.scratch import Scratch, Tree


def file_changes(scratch: Scratch, named: PatchPaths) -> tuple[FileChange, ...]:
    """Return each file that the patch changed, by path; raise MirrorError where a blob cannot be read.

    Submodules are left out, since they hold no file of this repository. A file that becomes a link, or the
    other way round, is one deleted and one added.
    """
    base, patched = _files(scratch.base), _files(scratch.patched())
    gone = {path for path in base if path not in patched}
    new = {path for path in patched if path not in base}
    pairs = _renames(named, gone, new)
    sources = {target: source for source, target in named.copies if source in base and target in new}
    changes = [_change(scratch, "renamed", (old, base[old]), (to, patched[to])) for old, to in pairs.items()]
    changes += [_change(scratch, "deleted", (path, base[path]), None) for path in gone - pairs.keys()]
    for path in new - set(pairs.values()):
        change: Change = "copied" if path in sources else "added"
        changes.append(_change(scratch, change, None, (path, patched[path]), sources.get(path)))
    for path in base.keys() & patched.keys():
        changes.extend(_in_place(scratch, path, base[path], patched[path]))
    return tuple(sorted(changes, key=lambda file: (file.path_patched or file.path_base or "", file.change)))


def _files(tree: Tree) -> Tree:
    return {path: entry for path, entry in tree.items() if entry.mode != GITLINK}


def _renames(named: PatchPaths, gone: set[bytes], new: set[bytes]) -> dict[bytes, bytes]:
    """Return old to new path where the patch declares the move and the move took place."""
    pairs: dict[bytes, bytes] = {}
    for old, to in named.moves:
        if old in gone and to in new and old not in pairs and to not in pairs.values():
            pairs[old] = to
    return pairs


def _in_place(scratch: Scratch, path: bytes, before: Entry, after: Entry) -> Iterator[FileChange]:
    if before == after:
        return
    if (before.mode in REGULAR) != (after.mode in REGULAR):
        yield _change(scratch, "deleted", (path, before), None)
        yield _change(scratch, "added", None, (path, after))
    else:
        change: Change = "mode" if before.oid == after.oid else "modified"
        yield _change(scratch, change, (path, before), (path, after))


def _change(
    scratch: Scratch,
    change: Change,
    before: tuple[bytes, Entry] | None,
    after: tuple[bytes, Entry] | None,
    copied_from: bytes | None = None,
) -> FileChange:
    sides = [side for side in (before, after) if side is not None]
    return FileChange(
        change=change,
        path_base=before and _text(before[0]),
        path_patched=after and _text(after[0]),
        mode_base=before and before[1].mode,
        mode_patched=after and after[1].mode,
        blob_base=before and before[1].oid,
        blob_patched=after and after[1].oid,
        content_base=before and scratch.content(before[1].oid),
        content_patched=after and scratch.content(after[1].oid),
        is_test=all(is_test_path(_text(path)) for path, _ in sides),
        is_python=any(path.endswith(b".py") and entry.mode in REGULAR for path, entry in sides),
        copied_from=_text(copied_from) if copied_from else None,
    )


def _text(path: bytes) -> str:
    """Return a path as text that any file can hold; a byte that is not UTF-8 is shown as an escape."""
    return path.decode("utf-8", "backslashreplace")
