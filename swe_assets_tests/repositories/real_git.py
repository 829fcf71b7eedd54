"""Small real git repositories for the tests, built with git itself."""

import base64
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_IDENTITY = {
    "GIT_AUTHOR_NAME": "Tester",
    "GIT_AUTHOR_EMAIL": "tester@example.org",
    "GIT_COMMITTER_NAME": "Tester",
    "GIT_COMMITTER_EMAIL": "tester@example.org",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "LC_ALL": "C",
}

Content = str | bytes | Mapping[str, Any]


def git(folder: Path, *arguments: str, given: bytes | None = None) -> str:
    """Run git in a folder with settings of its own and return its output without the last newline."""
    done = subprocess.run(
        ["git", "-C", str(folder), "-c", "core.autocrlf=false", *arguments],
        input=given,
        capture_output=True,
        env=os.environ | _IDENTITY,
        check=False,
    )
    assert done.returncode == 0, (arguments, done.stderr.decode("utf-8", "replace"))
    return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")


def blob_of(content: Content) -> tuple[str, bytes]:
    """Return mode and bytes of a file stated as text, bytes or an object with a mode."""
    if isinstance(content, bytes):
        return "100644", content
    if isinstance(content, str):
        return "100644", content.encode("utf-8", "surrogatepass")
    raw = base64.b64decode(content["b64"]) if "b64" in content else blob_of(content.get("content", ""))[1]
    return str(content.get("mode", "100644")), raw


def commit_files(folder: Path, files: Mapping[str, Content]) -> str:
    """Commit exactly these files in a bare repository, made where there is none; return the id."""
    if not (folder / "HEAD").exists():
        folder.mkdir(parents=True, exist_ok=True)
        git(folder, "init", "--quiet", "--bare", "--initial-branch=main", ".")
    git(folder, "read-tree", "--empty")
    for path, content in files.items():
        mode, raw = blob_of(content)
        oid = (
            raw.decode().strip()
            if mode == "160000"
            else git(folder, "hash-object", "-w", "--stdin", given=raw)
        )
        git(folder, "update-index", "--add", "--cacheinfo", f"{mode},{oid},{path}")
    commit = git(folder, "commit-tree", "-m", "base", git(folder, "write-tree"))
    git(folder, "update-ref", "refs/heads/main", commit)
    return commit
