"""Cloning a mirror on demand and fetching a commit it lacks, by GitPython, whole or not at all."""

import contextlib
import fcntl
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from swe_assets.errors import CommitMissingError, MirrorError
from swe_assets.repositories.git_process import git_path, network_environment, scrub

Progress = Callable[[str, float, float | None], None]
"""Told the repository's name, how many objects are done, and of how many where git knows."""

_Show = Callable[..., None]

_SHOWN = 500


def clone_mirror(url: str, target: Path, *, name: str, progress: Progress | None = None) -> None:
    """Clone a bare mirror to `target`, without blobs where the server allows that.

    The clone grows under a temporary name and is renamed when whole. A second process waits for the first
    and then uses its clone; what a killed clone left is removed by the next. Without `progress` a bar is
    shown on a terminal's error stream. Raises MirrorError, without user name and token of the address.
    """
    git_path()
    target.parent.mkdir(parents=True, exist_ok=True)
    with locked(target):
        for left in target.parent.glob(f".{target.name}.*.partial"):
            shutil.rmtree(left, ignore_errors=True)
        if target.exists():
            return
        partial = target.parent / f".{target.name}.{secrets.token_hex(4)}.partial"
        try:
            _clone_blobless_or_whole(url, partial, name, progress)
            partial.chmod(0o700)  # its config holds the address, maybe with a token
            partial.rename(target)
        finally:
            shutil.rmtree(partial, ignore_errors=True)


def fetch_commit(git_dir: Path, url: str, commit: str) -> None:
    """Fetch one commit into a mirror of our own; raise CommitMissingError where its source lacks it too."""
    import git

    command = git.cmd.Git(str(git_dir))
    command.update_environment(**network_environment(_protocols(url)))
    with locked(git_dir):
        try:
            command.fetch("--no-tags", "origin", f"{commit}:refs/swe-assets/{commit}")
        except git.exc.GitCommandError as wrong:
            raise CommitMissingError(
                f"commit {commit!r} was asked for, {str(git_dir)!r} lacks it "
                f"and {scrub(url)!r} did not give it: {scrub(str(wrong.stderr)).strip()[-_SHOWN:]!r}; "
                "map the repository to a mirror that has it"
            ) from None


@contextlib.contextmanager
def locked(target: Path) -> Iterator[None]:
    """Hold the lock file of a mirror, which ends with the process that holds it."""
    with (target.parent / f".{target.name}.lock").open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _clone_blobless_or_whole(url: str, partial: Path, name: str, progress: Progress | None) -> None:
    with _bar(name, progress) as show:
        said = _clone(url, partial, show, "--filter=blob:none")
        if said is not None and "filter" in said:
            shutil.rmtree(partial, ignore_errors=True)
            said = _clone(url, partial, show)
    if said is not None:
        raise MirrorError(
            f"{name} could not be cloned from {scrub(url)!r}: {said!r}; "
            "check the network and the address, or give a mirror that is there already"
        )


def _clone(url: str, partial: Path, show: _Show, *options: str) -> str | None:
    """Clone once; return git's words where that failed, None where it did not."""
    import git
    from git.remote import to_progress_instance

    environment = network_environment(_protocols(url))
    reporter: Any = to_progress_instance(show)
    try:
        git.Repo.clone_from(
            url, partial, progress=reporter, env=environment, multi_options=["--bare", *options]
        ).close()
    except git.exc.GitCommandError as wrong:
        return scrub("\n".join([*reporter.error_lines, *reporter.other_lines]) or str(wrong.stderr))[-_SHOWN:]
    return None


def _protocols(url: str) -> str:
    return "file" if url.startswith("file://") else "https:ssh"


@contextlib.contextmanager
def _bar(name: str, progress: Progress | None) -> Iterator[_Show]:
    """Give a function that hands git's progress on, to the caller's function or to a bar on a terminal."""
    from git import RemoteProgress
    from tqdm import tqdm

    with tqdm(desc=f"cloning {name}", unit="obj", disable=True if progress else None, leave=False) as bar:

        def show(stage: int, count: str | float, most: str | float | None = None, _message: str = "") -> None:
            if stage & RemoteProgress.OP_MASK != RemoteProgress.RECEIVING:
                return
            done, whole = float(count or 0), float(most) if most else None
            if progress is not None:
                progress(name, done, whole)
            bar.total = whole
            bar.update(done - bar.n)

        yield show
