"""Reading trees and blobs of real repositories."""

import os
import shutil
from pathlib import Path

import pytest

from swe_assets.errors import CommitMissingError, MirrorError
from swe_assets.repositories import OpenRepository
from swe_assets.repositories.objects import FOLDER, GITLINK, SYMLINK, parse_tree
from swe_assets_tests.repositories.conftest import MODULE
from swe_assets_tests.repositories.real_git import commit_files, git


def test_reads_what_git_reads(base: tuple[Path, str]) -> None:
    """Each entry of the tree has the mode and id that `git ls-tree` shows, each blob its bytes."""
    folder, commit = base
    with OpenRepository(folder) as repository:
        root = repository.root(commit)
        for line in git(folder, "ls-tree", "-r", commit).splitlines():
            head, path = line.split("\t")
            mode, kind, oid = head.split()
            entry = repository.entry(root, path.encode())
            assert entry is not None and (entry.mode, entry.oid) == (mode, oid)
            assert kind == "commit" or repository.blob(oid).decode() == git(
                folder, "cat-file", "-p", oid
            ) + "\n" * (repository.blob(oid).endswith(b"\n"))


def test_walk_ends_at_what_is_no_folder(base: tuple[Path, str]) -> None:
    """Below a link, a submodule or a file there is nothing, and the walk shows where it ended."""
    folder, commit = base
    with OpenRepository(folder) as repository:
        root = repository.root(commit)
        ends = [
            list(repository.walk(root, path))[-1] for path in (b"link/x", b"vendored/x", b"data/x", b"pkg/no")
        ]
    assert [(path, entry.mode) for path, entry in ends] == [
        (b"link", SYMLINK),
        (b"vendored", GITLINK),
        (b"data", "100644"),
        (b"pkg", FOLDER),
    ]


def test_takes_names_that_trees_can_hold(tmp_path: Path) -> None:
    """A newline, a colon or two dots in a file's name reach no command line and no query."""
    names = ["a\nb.py", "x:y", "..z", "sp ace", "é"]
    commit = commit_files(tmp_path / "r.git", dict.fromkeys(names, "x\n"))
    with OpenRepository(tmp_path / "r.git") as repository:
        root = repository.root(commit)
        assert all(repository.entry(root, name.encode()) is not None for name in names)


@pytest.mark.parametrize(
    "commit", ["1" * 40, "main..main", "-h", "HEAD:pkg", "no-such-branch", "", "a\nb", "é"]
)
def test_an_absent_commit_is_named(base: tuple[Path, str], commit: str) -> None:
    """What is no commit here is CommitMissingError, and the repository stays usable."""
    folder, real = base
    with OpenRepository(folder) as repository:
        with pytest.raises(CommitMissingError):
            repository.resolve(commit)
        assert repository.resolve(real[:10]) == real


def test_a_tree_is_no_commit(base: tuple[Path, str]) -> None:
    """The id of another kind of object is not taken for a commit."""
    folder, commit = base
    with OpenRepository(folder) as repository, pytest.raises((CommitMissingError, MirrorError)):
        repository.resolve(repository.root(commit))


def test_a_torn_blob_is_a_mirror_error(tmp_path: Path) -> None:
    """An object cut short on disk raises MirrorError with the folder and the mend."""
    folder = tmp_path / "r.git"
    commit = commit_files(folder, {"x.py": MODULE})
    oid = git(folder, "rev-parse", f"{commit}:x.py")
    path = folder / "objects" / oid[:2] / oid[2:]
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:20])
    with OpenRepository(folder) as repository, pytest.raises(MirrorError, match=r"r\.git.*git fsck"):
        repository.blob(oid)


def test_a_folder_without_objects_is_refused_at_once(tmp_path: Path) -> None:
    """What is no repository is said when it is opened."""
    with pytest.raises(MirrorError, match="lacks HEAD or objects"):
        OpenRepository(tmp_path)


def test_needs_no_config_and_no_ownership(tmp_path: Path) -> None:
    """A bare folder without `config`, owned by another user, is read all the same."""
    folder = tmp_path / "r.git"
    commit = commit_files(folder, {"x.py": "x\n"})
    (folder / "config").unlink()
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, 65534, 65534)
    with OpenRepository(folder) as repository:
        assert repository.blob(git_blob(repository, commit)) == b"x\n"


def git_blob(repository: OpenRepository, commit: str) -> str:
    """Return the id of x.py at a commit."""
    entry = repository.entry(repository.root(commit), b"x.py")
    assert entry is not None
    return entry.oid


def test_outlives_the_death_of_its_process(base: tuple[Path, str]) -> None:
    """A git process that was ended is a MirrorError once, and the next read starts another."""
    folder, commit = base
    with OpenRepository(folder) as repository:
        root = repository.root(commit)
        assert repository._process is not None
        repository._process.kill()
        repository._process.wait()
        with pytest.raises(MirrorError):
            repository.resolve(commit)
        assert repository.root(commit) == root


def test_inherited_git_variables_do_not_steer(
    base: tuple[Path, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """GIT_DIR and its like, set by a hook around us, change nothing."""
    folder, commit = base
    monkeypatch.setenv("GIT_DIR", str(tmp_path))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path))
    with OpenRepository(folder) as repository:
        assert repository.resolve(commit) == commit


def test_closing_ends_the_process(base: tuple[Path, str]) -> None:
    """After the context the git process is gone."""
    folder, commit = base
    with OpenRepository(folder) as repository:
        repository.resolve(commit)
        process = repository._process
    assert process is not None and process.returncode is not None


def test_old_modes_are_the_index_s() -> None:
    """A tree of old that says 100664 gives 100644, as the index does."""
    entries = parse_tree(b"100664 old.py\0" + bytes(20) + b"40000 dir\0" + bytes(20))
    assert [entry.mode for entry in entries.values()] == ["100644", FOLDER]


def test_a_tree_cut_short_is_an_error() -> None:
    """Bytes that end within an id are not taken for a tree."""
    with pytest.raises(ValueError, match="cut short"):
        parse_tree(b"100644 x.py\0" + bytes(10))


def test_the_repository_is_only_read(tmp_path: Path) -> None:
    """Reading leaves each file of the repository as it was, times included."""
    folder = tmp_path / "r.git"
    commit = commit_files(folder, {"x.py": "x\n"})
    before = snapshot(folder)
    with OpenRepository(folder) as repository:
        git_blob(repository, commit)
    assert snapshot(folder) == before
    shutil.rmtree(folder)


def snapshot(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Return size, mode and time of change of everything in a folder."""
    stats = {str(path.relative_to(folder)): path.lstat() for path in folder.rglob("*")}
    return {name: (stat.st_size, stat.st_mode, stat.st_mtime_ns) for name, stat in stats.items()}
