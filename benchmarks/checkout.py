"""The naive way to both sides of a patch: check the commit out, `git apply`, read the files."""

import subprocess
from pathlib import Path

from benchmarks.inputs import Task
from swe_assets.errors import RepositoryError
from swe_assets.repositories.git_process import contained_environment, git_path
from swe_assets.repositories.patch_paths import patch_paths

Sides = dict[str, tuple[bytes | None, bytes | None]]


class Checkouts:
    """Work trees of mirrors, made from one bare clone a repository that shares the mirror's objects.

    The clone, a link to the objects and no copy, is made before the time is taken, and the work trees (about
    50 MB each) stay until the end, since a file system may be slow to make files where it has just removed
    others: both favour the naive way. The mirrors are only read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._clones: dict[str, Path] = {}

    def prepare(self, repo: str, mirror: Path) -> None:
        """Make the shared clone of a repository unless it is there."""
        if repo not in self._clones:
            target = self.folder / f"{repo.replace('/', '__')}.git"
            self._git(self.folder, "clone", "--quiet", "--bare", "--shared", str(mirror), str(target))
            self._clones[repo] = target

    def both_sides(self, task: Task) -> Sides | None:
        """Check out, read, apply, read; return (base, patched) by path, None where git refuses the patch.

        A file whose blob the mirror lacks, as copies without their largest files do, is left out.
        """
        tree = self.folder / f"tree-{task.instance_id}"
        clone = self._clones[task.repo]
        self._git(clone, "worktree", "add", "--no-checkout", "--detach", str(tree), task.base_commit)
        self._git(tree, "read-tree", "HEAD")
        self._git(tree, "checkout-index", "--all", "--quiet", checked=False)
        patch = (task.patch or "").encode("utf-8", "surrogateescape")
        paths = sorted(path.decode("utf-8", "surrogateescape") for path in patch_paths(patch).candidates)
        before = {path: _content(tree / path) for path in paths}
        if self._git(tree, "apply", "--whitespace=nowarn", given=patch, checked=False):
            return None
        both = {path: (before[path], _content(tree / path)) for path in paths}
        return {path: sides for path, sides in both.items() if sides != (None, None)}

    def _git(self, where: Path, *arguments: str, given: bytes = b"", checked: bool = True) -> int:
        done = subprocess.run(
            [git_path(), *arguments],
            cwd=where,
            input=given,
            capture_output=True,
            env=contained_environment(GIT_ALLOW_PROTOCOL="file"),
            check=False,
        )
        if checked and done.returncode:
            raise RepositoryError(f"git {' '.join(arguments)} failed: {done.stderr.decode()!r:.500}")
        return done.returncode


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() and not path.is_symlink() else None
