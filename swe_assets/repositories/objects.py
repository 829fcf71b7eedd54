"""Quick reading of trees and blobs of one bare repository, through one long-lived git process."""

import contextlib
import os
import re
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, Self

from swe_assets.errors import CommitMissingError, MirrorError
from swe_assets.repositories.git_process import contained_environment, git_path, scrub

_REVISION = re.compile(r"[0-9A-Za-z_][0-9A-Za-z_./-]{0,255}")
_TREES_KEPT = 2048
_SHOWN = 300
_SAID_KEPT = 16384

REGULAR = frozenset({"100644", "100755"})
SYMLINK = "120000"
GITLINK = "160000"
FOLDER = "40000"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a tree: object id and mode (file `100644` or `100755`, SYMLINK, GITLINK, FOLDER)."""

    mode: str
    oid: str


def parse_tree(raw: bytes) -> dict[bytes, Entry]:
    """Return the entries of a raw tree object by name; raise ValueError where it is cut short."""
    entries: dict[bytes, Entry] = {}
    at = 0
    while at < len(raw):
        space, end = raw.index(b" ", at), raw.index(b"\0", at)
        oid = raw[end + 1 : end + 21]
        if len(oid) < 20:
            raise ValueError("tree object cut short")
        mode = raw[at:space].decode("ascii")
        entries[raw[space + 1 : end]] = Entry(_usual(mode), oid.hex())
        at = end + 21
    return entries


def _usual(mode: str) -> str:
    """Return the mode as the index would hold it: old trees say 100664."""
    if mode in (FOLDER, SYMLINK, GITLINK) or not mode.startswith("100"):
        return mode
    return "100755" if int(mode, 8) & 0o100 else "100644"


class OpenRepository:
    """One bare repository or checkout, open for reading; close it, or use it as a context manager.

    Reads objects only, by `git cat-file --batch`, and never writes. `lazy` lets git fetch a missing blob
    from where the mirror came from, which only a blobless mirror of our own needs. Safe to share
    between threads, not between processes.
    """

    def __init__(
        self, git_dir: Path, *, lazy_environment: dict[str, str] | None = None, mend: str = ""
    ) -> None:
        self.git_dir = Path(git_dir)
        self._mend = mend or "check it with `git fsck`, or give another copy"
        self._lazy = lazy_environment is not None
        self._environment = (lazy_environment or contained_environment()) | {"GIT_DIR": str(self.git_dir)}
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._said = b""
        self._trees: dict[str, dict[bytes, Entry]] = {}
        self._seen: set[str] = set()
        if not (self.git_dir / "objects").is_dir() or not (self.git_dir / "HEAD").is_file():
            raise MirrorError(
                f"{str(git_dir)!r} was asked for as a git repository and lacks HEAD or objects; {self._mend}"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the git process; the repository opens again by itself when it is read again."""
        with self._lock:
            process, self._process = self._process, None
            self._said = b""
        if process is not None:
            assert process.stdin and process.stdout and process.stderr  # noqa: S101 - asked for as pipes
            with contextlib.suppress(OSError):  # a process that died left its pipe broken
                process.stdin.close()
            process.stdout.close()
            process.stderr.close()
            process.wait()

    def resolve(self, commit: str) -> str:
        """Return the full id of a commit; raise CommitMissingError where the repository lacks it."""
        if not _REVISION.fullmatch(commit) or ".." in commit:
            raise CommitMissingError(f"{commit!r:.80} is not a commit id; give 7 to 40 hexadecimal digits")
        found = self._read(f"{commit}^{{commit}}", wanted="commit") if self._is_here(commit) else None
        if found is None:
            raise CommitMissingError(
                f"commit {commit!r} was asked for and {str(self.git_dir)!r} lacks it; "
                "fetch it there, or give a mirror that has it"
            )
        return found[0]

    def _is_here(self, commit: str) -> bool:
        """Say whether a lazy mirror has the commit, without the fetch that reading would start."""
        if not self._lazy or commit in self._seen:
            return True
        done = subprocess.run(
            [git_path(), "cat-file", "-e", f"{commit}^{{commit}}"],
            env=contained_environment(GIT_DIR=str(self.git_dir)),
            capture_output=True,
            check=False,
        )
        if done.returncode == 0:
            self._seen.add(commit)
        return done.returncode == 0

    def root(self, commit: str) -> str:
        """Return the id of a commit's root tree; raises as `resolve` and `tree` do."""
        self.resolve(commit)
        found = self._read(f"{commit}^{{tree}}", wanted="tree")
        if found is None:
            self._corrupt(f"the tree of commit {commit}")
        self._keep_tree(*found)
        return found[0]

    def tree(self, oid: str) -> dict[bytes, Entry]:
        """Return a tree's entries by name; raise MirrorError where the repository lacks or garbles it."""
        if oid not in self._trees:
            found = self._read(oid, wanted="tree")
            if found is None:
                self._corrupt(f"tree {oid}")
            self._keep_tree(*found)
        return self._trees[oid]

    def blob(self, oid: str) -> bytes:
        """Return a blob's bytes; raise MirrorError where the repository lacks it."""
        found = self._read(oid, wanted="blob")
        if found is None:
            self._corrupt(f"blob {oid}")
        return found[1]

    def has(self, oid: str) -> bool:
        """Say whether an object is here, by its full id."""
        return self._read(oid, wanted="") is not None

    def walk(self, root: str, path: bytes) -> Iterator[tuple[bytes, Entry]]:
        """Yield each part of a path that exists below a root tree, from the outermost to the path itself."""
        tree, parts = root, path.split(b"/")
        for depth, name in enumerate(parts, start=1):
            entry = self.tree(tree).get(name)
            if entry is None:
                return
            yield b"/".join(parts[:depth]), entry
            if entry.mode != FOLDER:
                return
            tree = entry.oid

    def entry(self, root: str, path: bytes) -> Entry | None:
        """Return the entry of a path below a root tree, None where there is none."""
        for found, entry in self.walk(root, path):
            if found == path:
                return entry
        return None

    def _keep_tree(self, oid: str, raw: bytes) -> None:
        if len(self._trees) >= _TREES_KEPT:
            self._trees.clear()
        try:
            self._trees[oid] = parse_tree(raw)
        except ValueError:
            self._corrupt(f"tree {oid}")

    def _read(self, name: str, *, wanted: str) -> tuple[str, bytes] | None:
        """Return id and bytes of one object, None where it is missing; `wanted` empty takes any kind."""
        with self._lock:
            try:
                header, body = self._ask(name)
            except (OSError, ValueError):
                header, body = b"", b""
        words = header.split()
        if len(words) == 3 and (not wanted or words[1].decode() == wanted):
            return words[0].decode(), body
        if not header or self._complaints():
            self._corrupt(name)
        if header.endswith((b" missing\n", b" ambiguous\n")):
            return None
        raise MirrorError(f"{name!r} in {str(self.git_dir)!r} was asked for as a {wanted}, found {header!r}")

    def _ask(self, name: str) -> tuple[bytes, bytes]:
        if self._process is None:
            self._start()
        assert self._process and self._process.stdin and self._process.stdout  # noqa: S101 - just started
        self._process.stdin.write(name.encode() + b"\n")
        self._process.stdin.flush()
        header = self._process.stdout.readline()
        self._listen()
        words = header.split()
        if len(words) != 3:
            return header, b""
        size = int(words[2])
        body = self._process.stdout.read(size + 1)
        if len(body) != size + 1:
            return b"", b""
        return header, body[:-1]

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [git_path(), "cat-file", "--batch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._environment,
        )
        assert self._process.stderr  # noqa: S101 - just asked for
        os.set_blocking(self._process.stderr.fileno(), False)

    def _listen(self) -> None:
        """Take what git wrote to its error stream, so that it never waits for a reader."""
        if self._process is not None and self._process.stderr is not None:
            with contextlib.suppress(OSError):
                self._said = (self._said + os.read(self._process.stderr.fileno(), 65536))[-_SAID_KEPT:]

    def _complaints(self) -> str:
        """Return the errors git has written so far, shortened; its warnings are no errors."""
        self._listen()
        said = scrub(self._said.decode("utf-8", "replace")).splitlines()
        return " / ".join(line for line in said if line.startswith(("error:", "fatal:")))[:_SHOWN]

    def _corrupt(self, what: str) -> NoReturn:
        said = self._complaints()
        self.close()
        raise MirrorError(
            f"{what} cannot be read from {str(self.git_dir)!r}: git said {said!r}; {self._mend}"
        )
