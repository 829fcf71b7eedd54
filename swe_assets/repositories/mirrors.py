"""Where the bare mirror of a repository is: mapped, in a folder of mirrors, or cloned on demand."""

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from swe_assets.errors import CommitMissingError, MirrorError
from swe_assets.repositories.cloning import Progress, clone_mirror, fetch_commit
from swe_assets.repositories.git_process import contained_environment, git_path, network_environment
from swe_assets.repositories.objects import OpenRepository
from swe_assets.repositories.sources import checked_repository, source_of

_FULL_ID = re.compile(r"[0-9a-fA-F]{40}")


@dataclass(frozen=True, slots=True)
class MirrorSettings:
    """Where mirrors are looked for, in this order: `mapping`, `folder`, `cache`.

    `mapping` gives a path or an address for a repository's name. `folder` holds mirrors that are there
    already; neither it nor a mapped path is ever written. `cache` (`cache_repos_mirror`) holds those cloned
    on demand, from `origin/owner/name` or from a mapped address.
    """

    cache: Path
    folder: Path | None = None
    mapping: Mapping[str, str] = field(default_factory=dict)
    origin: str = "https://github.com"


@dataclass(frozen=True, slots=True)
class _Place:
    """A mirror's git directory and, where it is ours to clone and fetch, the address it comes from."""

    git_dir: Path
    url: str = ""

    @property
    def mend(self) -> str:
        if self.url:
            return f"remove the folder {str(self.git_dir)!r} and run again: it is cloned anew"
        return "check it with `git fsck`, or give another copy of it"


def git_dir_of(path: Path) -> Path:
    """Return the git directory of a bare repository, a checkout or a linked work tree; raise MirrorError."""
    if _is_git_dir(path):
        return path
    inner = path / ".git"
    if _is_git_dir(inner):
        return inner
    if inner.is_file():
        return _common_dir(path)
    raise MirrorError(
        f"{str(path)!r} was asked for as a git repository and is none: "
        "it has neither HEAD and objects nor .git; give a bare mirror or a checkout"
    )


def _is_git_dir(path: Path) -> bool:
    return (path / "objects").is_dir() and (path / "HEAD").is_file()


def _common_dir(path: Path) -> Path:
    done = subprocess.run(
        [git_path(), "-C", str(path), "rev-parse", "--git-common-dir"],
        capture_output=True,
        env=contained_environment(),
        check=False,
    )
    if done.returncode:
        raise MirrorError(f"{str(path)!r} has a .git file that leads nowhere; give the repository itself")
    return (path / os.fsdecode(done.stdout.removesuffix(b"\n"))).resolve()


def mirror_path(settings: MirrorSettings, repository: str, *, progress: Progress | None = None) -> Path:
    """Return the git directory of a repository's mirror, cloned first where none is given.

    Raises MirrorError where the name or address is none, the given mirror is absent, or cloning failed.
    """
    return _place(settings, repository, progress).git_dir


def open_mirror(
    settings: MirrorSettings, repository: str, commit: str | None = None, *, progress: Progress | None = None
) -> OpenRepository:
    """Open a repository's mirror and make sure that it has the commit; close it when done.

    A mirror of our own that lacks the commit fetches it; a given one is only read. Raises MirrorError where
    the mirror cannot be found, cloned or read, CommitMissingError where it lacks the commit.
    """
    place = _place(settings, repository, progress)
    try:
        return _opened(place, commit)
    except CommitMissingError:
        if not place.url or commit is None or not _FULL_ID.fullmatch(commit):
            raise
        fetch_commit(place.git_dir, place.url, commit)
        return _opened(place, commit)


def _opened(place: _Place, commit: str | None) -> OpenRepository:
    with OpenRepository(place.git_dir, mend=place.mend) as local:
        if commit is not None:
            local.resolve(commit)
    lazy = network_environment("https:ssh:file") if place.url else None
    return OpenRepository(place.git_dir, lazy_environment=lazy, mend=place.mend)


def _place(settings: MirrorSettings, repository: str, progress: Progress | None) -> _Place:
    checked_repository(repository)
    mapped = settings.mapping.get(repository)
    if mapped is not None:
        source = source_of(mapped)
        if source.path is not None:
            return _Place(git_dir_of(source.path))
        return _cloned(settings, repository, source.url, progress)
    if settings.folder is not None:
        for found in _in_folder(settings.folder, repository):
            return _Place(git_dir_of(found))
    origin = source_of(settings.origin)
    base = origin.url if origin.path is None else f"file://{origin.path}"
    return _cloned(settings, repository, f"{base.rstrip('/')}/{repository}", progress)


def _in_folder(folder: Path, repository: str) -> list[Path]:
    owner, name = repository.split("/")
    shapes = (f"{owner}__{name}.git", f"{owner}/{name}.git", f"{owner}/{name}", f"{owner}+{name}/repo")
    return [folder / shape for shape in shapes if (folder / shape).is_dir()]


def _cloned(settings: MirrorSettings, repository: str, url: str, progress: Progress | None) -> _Place:
    place = _Place(settings.cache / f"{repository.replace('/', '__')}.git", url)
    if not place.git_dir.exists():
        try:
            clone_mirror(url, place.git_dir, name=repository, progress=progress)
        except OSError as wrong:
            raise MirrorError(
                f"{repository} was to be cloned to {str(settings.cache)!r}, which failed: "
                f"{wrong.strerror!r}; make room and give write access there, or give a mirror"
            ) from wrong
    return place
