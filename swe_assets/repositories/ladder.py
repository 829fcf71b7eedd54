"""From strict to tolerant: how one patch is applied at one base commit, without a checkout."""

import subprocess

from swe_assets.errors import RepositoryError
from swe_assets.repositories.changes import file_changes
from swe_assets.repositories.git_messages import is_unsafe
from swe_assets.repositories.objects import OpenRepository
from swe_assets.repositories.patch_paths import patch_paths
from swe_assets.repositories.reconstruction import FileChange, Outcome, Parses, Reconstruction
from swe_assets.repositories.rungs import Climb
from swe_assets.repositories.scratch import Scratch

MAX_PATCH_BYTES = 64 * 1024 * 1024
TIMEOUT_SECONDS = 120.0


def reconstruct(
    repository: OpenRepository,
    commit: str,
    patch: str | None,
    *,
    fuzz: int = 0,
    max_patch_bytes: int = MAX_PATCH_BYTES,
    timeout_seconds: float = TIMEOUT_SECONDS,
    parses: Parses | None = None,
) -> Reconstruction:
    """Apply a patch to a commit and return its outcome, the steps, and each changed file on both sides.

    The rungs: as it is; with one final newline; with git's `--recount`; and, only where `fuzz` is above 0,
    with that many lines of context less at each end. Never in reverse. All or nothing: a patch of which
    one file fails changes none. Where git would drop the tail of a hunk, the patch goes on to
    the recount, and does not apply where that does not take the tail in either. An offset wins over the
    name of the rung.

    `parses` says whether the bytes of a Python file can be parsed; without it `python_parses_after` stays
    None. A patch above `max_patch_bytes`, or one that keeps git busy for `timeout_seconds`, is refused.
    Whatever the patch is gives an outcome. Raises CommitMissingError and MirrorError for the repository, and
    RepositoryError where the temporary folder cannot be written.
    """
    if patch is None or not patch.strip():
        return Reconstruction(Outcome.EMPTY)
    raw = patch_bytes(patch) if len(patch) <= max_patch_bytes else None
    if raw is None or len(raw) > max_patch_bytes:
        limit = f"the patch is longer than the limit of {max_patch_bytes} bytes"
        return Reconstruction(Outcome.REFUSED, limit)
    root = repository.root(commit)
    try:
        return _reconstruct(repository, root, raw, fuzz, timeout_seconds, parses)
    except OSError as wrong:
        raise RepositoryError(
            f"a patch was to be applied in a temporary folder, which failed: {wrong.strerror!r}; "
            "make room there, or point TMPDIR to another folder"
        ) from wrong


def _reconstruct(
    repository: OpenRepository, root: str, raw: bytes, fuzz: int, timeout: float, parses: Parses | None
) -> Reconstruction:
    named = patch_paths(raw)
    with Scratch(repository, root) as scratch:
        scratch.fill(named.candidates, raw)
        climb = Climb(scratch, raw, timeout, fuzz)
        try:
            outcome, detail = climb.result()
        except subprocess.TimeoutExpired:
            outcome, detail = Outcome.REFUSED, f"git was still busy with it after {timeout:g} s"
        if not outcome.applied:
            return Reconstruction(outcome, detail, tuple(climb.steps))
        files = file_changes(scratch, named)
    if unsafe := [file.path_patched for file in files if file.path_patched and is_unsafe(file.path_patched)]:
        detail = f"the path {unsafe[0]!r} leads out of the repository on some systems"
        return Reconstruction(Outcome.REFUSED, detail, tuple(climb.steps))
    return Reconstruction(
        outcome, detail, tuple(climb.steps), climb.offsets, files, _parses_after(files, parses)
    )


def patch_bytes(patch: str) -> bytes:
    """Return the patch as git gets it: UTF-8, escaped bytes given back, other lone surrogates kept."""
    try:
        return patch.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return patch.encode("utf-8", "surrogatepass")


def _parses_after(files: tuple[FileChange, ...], parses: Parses | None) -> bool | None:
    if parses is None:
        return None
    contents = (file.content_patched for file in files if file.is_python)
    return all(parses(content) for content in contents if content is not None)
