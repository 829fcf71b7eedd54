"""A throw-away repository that holds just what one patch can touch, where `git apply` runs."""

import hashlib
import os
import re
import subprocess
import zlib
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from swe_assets.errors import MirrorError, RepositoryError
from swe_assets.repositories.abandoned import hold, temporary_folder
from swe_assets.repositories.git_process import contained_environment, git_path
from swe_assets.repositories.objects import FOLDER, GITLINK, Entry, OpenRepository

_FULL_INDEX = re.compile(rb"^index ([0-9a-f]{40})\.\.([0-9a-f]{40})", re.MULTILINE)

Tree = dict[bytes, Entry]


class Scratch:
    """An index and an object directory in a temporary folder, filled from one commit for one patch.

    The index holds the paths the patch may name, a link or file where a folder above them should be, and one
    file below where they are folders: all that `git apply` looks at. The mirror is only read. The folder is
    removed when the context ends, however it ends.
    """

    def __init__(self, repository: OpenRepository, root: str) -> None:
        self._repository = repository
        self._root = root
        self._folder = temporary_folder()
        self._lock = hold(Path(self._folder.name))
        self.git_dir = Path(self._folder.name) / "git"
        self._environment = contained_environment(GIT_DIR=str(self.git_dir))
        self._base_index: bytes | None = None
        self.base: Tree = {}
        self.contents: dict[str, bytes] = {}

    def __enter__(self) -> Self:
        try:
            for name in ("objects", "refs"):
                (self.git_dir / name).mkdir(parents=True)
            (self.git_dir / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
        except OSError:
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        self._folder.cleanup()
        os.close(self._lock)

    def fill(self, candidates: Iterable[bytes], patch: bytes) -> None:
        """Put what the candidates name at the commit into the index and the object directory."""
        for path in candidates:
            for found, entry in self._repository.walk(self._root, path):
                if entry.mode != FOLDER:
                    self._add(found, entry, wanted=found == path)
                elif found == path:
                    self._add_one_below(found, entry)
        if b"\nGIT binary patch" in patch or b"\nBinary files" in patch:
            self._add_binary_results(patch)
        self._write_index()

    def _add(self, path: bytes, entry: Entry, *, wanted: bool) -> None:
        self.base[path] = entry
        if wanted and entry.mode != GITLINK and entry.oid not in self.contents:
            self._store(entry.oid, self._repository.blob(entry.oid))

    def _add_one_below(self, path: bytes, entry: Entry) -> None:
        """Add the first file below a folder, so that a file in the folder's place conflicts as it should."""
        while entry.mode == FOLDER:
            inside = self._repository.tree(entry.oid)
            if not inside:
                return
            name, entry = next(iter(inside.items()))
            path += b"/" + name
        self._add(path, entry, wanted=False)

    def _add_binary_results(self, patch: bytes) -> None:
        """Add the objects a binary patch names in full: git takes the result from there when it is known."""
        for oid in {found.decode() for pair in _FULL_INDEX.findall(patch) for found in pair}:
            if oid not in self.contents and self._repository.has(oid):
                self._store(oid, self._repository.blob(oid))

    def _store(self, oid: str, content: bytes) -> None:
        raw = b"blob %d\0" % len(content) + content
        if hashlib.sha1(raw, usedforsecurity=False).hexdigest() != oid:
            raise MirrorError(
                f"blob {oid} of {str(self._repository.git_dir)!r} has other content than its id says; "
                "check the mirror with `git fsck`"
            )
        self.contents[oid] = content
        path = self._object(oid)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(zlib.compress(raw, 1))

    def _object(self, oid: str) -> Path:
        return self.git_dir / "objects" / oid[:2] / oid[2:]

    def _write_index(self) -> None:
        lines = [
            b"%s %s\t%s" % (e.mode.encode(), e.oid.encode(), path) for path, e in sorted(self.base.items())
        ]
        if lines:
            self._checked("update-index", "-z", "--index-info", given=b"\0".join(lines) + b"\0")
            self._base_index = self.index()

    def index(self) -> bytes | None:
        """Return the index as it is now, None where there is none yet."""
        path = self.git_dir / "index"
        return path.read_bytes() if path.exists() else None

    def restore(self, index: bytes | None = None) -> None:
        """Put back an index that `index` gave, by default the base commit's; no lock stays behind."""
        (self.git_dir / "index.lock").unlink(missing_ok=True)
        path = self.git_dir / "index"
        path.unlink(missing_ok=True)
        if wanted := index or self._base_index:
            path.write_bytes(wanted)

    def _checked(self, *arguments: str, given: bytes = b"") -> bytes:
        done = self.git(*arguments, given=given)
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace")[:300]
            raise RepositoryError(
                f"git {arguments[0]} failed in a temporary folder: {said!r}; is there room?"
            )
        return done.stdout

    def git(
        self, *arguments: str, given: bytes = b"", timeout: float | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run git in the scratch repository; raise subprocess.TimeoutExpired after `timeout` seconds."""
        return subprocess.run(
            [git_path(), *arguments],
            input=given,
            capture_output=True,
            cwd=self._folder.name,
            env=self._environment,
            timeout=timeout,
            check=False,
        )

    def patched(self) -> Tree:
        """Return the index after the patch."""
        tree: Tree = {}
        for line in self._checked("ls-files", "--stage", "-z").split(b"\0")[:-1]:
            head, path = line.split(b"\t", 1)
            mode, oid, _stage = head.decode("ascii").split(" ")
            tree[path] = Entry(mode, oid)
        return tree

    def content(self, oid: str) -> bytes:
        """Return a blob's bytes: one of the base commit or one that the patch made."""
        if oid not in self.contents:
            path = self._object(oid)
            if not path.is_file():
                return self._repository.blob(oid)
            self.contents[oid] = zlib.decompress(path.read_bytes()).split(b"\0", 1)[1]
        return self.contents[oid]
