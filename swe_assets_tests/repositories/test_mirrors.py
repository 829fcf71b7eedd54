"""Where a repository's mirror is found."""

import subprocess
from pathlib import Path

import pytest

from swe_assets.errors import CommitMissingError, MirrorError
from swe_assets.repositories import MirrorSettings, git_dir_of, mirror_path, open_mirror, reconstruct
from swe_assets_tests.repositories.patches import new_file
from swe_assets_tests.repositories.real_git import commit_files, git
from swe_assets_tests.repositories.test_objects import snapshot

SHAPES = ["o__n.git", "o/n.git", "o/n", "o+n/repo"]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_folder_of_mirrors_takes_each_layout(tmp_path: Path, shape: str) -> None:
    """Bare mirrors are found under each of the usual names, and opened at the commit."""
    commit = commit_files(tmp_path / "m" / shape, {"x.py": "x\n"})
    with open_mirror(MirrorSettings(tmp_path / "cache", tmp_path / "m"), "o/n", commit) as repository:
        assert repository.git_dir == tmp_path / "m" / shape
    assert not (tmp_path / "cache").exists()


def test_a_checkout_serves_too(tmp_path: Path) -> None:
    """A checkout is read through its .git, a linked work tree through the repository it belongs to."""
    commit_files(tmp_path / "bare.git", {"x.py": "x\n"})
    checkout = tmp_path / "m" / "o" / "n"
    subprocess.run(["git", "clone", "-q", str(tmp_path / "bare.git"), str(checkout)], check=True)
    git(checkout, "worktree", "add", "-q", str(tmp_path / "linked"))
    assert mirror_path(MirrorSettings(tmp_path, tmp_path / "m"), "o/n") == checkout / ".git"
    assert git_dir_of(tmp_path / "linked") == checkout / ".git"


def test_the_map_comes_first(tmp_path: Path) -> None:
    """A mapped copy of another name wins over the folder."""
    commit_files(tmp_path / "m" / "o__n.git", {"x.py": "x\n"})
    commit_files(tmp_path / "copy", {"y.py": "y\n"})
    settings = MirrorSettings(tmp_path / "cache", tmp_path / "m", {"o/n": str(tmp_path / "copy")})
    assert mirror_path(settings, "o/n") == tmp_path / "copy"


def test_the_cache_comes_before_cloning(tmp_path: Path) -> None:
    """A mirror that was cloned before is used without asking where it came from."""
    commit = commit_files(tmp_path / "cache" / "o__n.git", {"x.py": "x\n"})
    settings = MirrorSettings(tmp_path / "cache", tmp_path / "absent", origin=str(tmp_path / "nowhere"))
    with open_mirror(settings, "o/n", commit) as repository:
        assert repository.resolve(commit) == commit


def test_a_given_mirror_is_only_read(tmp_path: Path) -> None:
    """A patch that makes content which the mirror has already leaves each file and time there as it was."""
    mirror = tmp_path / "m" / "o__n.git"
    commit = commit_files(mirror, {"x.py": "x = 1\n", "pkg/__init__.py": ""})
    git(mirror, "repack", "-adq")
    before = snapshot(mirror)
    with open_mirror(MirrorSettings(tmp_path / "cache", tmp_path / "m"), "o/n", commit) as repository:
        assert reconstruct(repository, commit, new_file("y.py", "x = 1") + new_file("z.py", "z")).changed
    assert snapshot(mirror) == before


def test_a_given_mirror_without_the_commit_is_said(tmp_path: Path) -> None:
    """CommitMissingError names commit and mirror, and nothing is fetched."""
    commit_files(tmp_path / "m" / "o__n.git", {"x.py": "x\n"})
    with pytest.raises(CommitMissingError, match=r"'1{40}'.*o__n\.git"):
        open_mirror(MirrorSettings(tmp_path / "cache", tmp_path / "m"), "o/n", "1" * 40)


def test_a_mapped_path_that_is_no_repository_is_said(tmp_path: Path) -> None:
    """MirrorError names the path."""
    settings = MirrorSettings(tmp_path / "cache", None, {"o/n": str(tmp_path / "gone")})
    with pytest.raises(MirrorError, match=r"gone.*bare mirror or a checkout"):
        mirror_path(settings, "o/n")


def test_a_mapped_address_of_another_transport_is_refused(tmp_path: Path) -> None:
    """The map goes through the same rule as every address."""
    with pytest.raises(MirrorError, match="cannot be the source"):
        mirror_path(MirrorSettings(tmp_path / "cache", None, {"o/n": "ext::sh -c true"}), "o/n")


def test_a_corrupt_mirror_is_named_with_the_mend(tmp_path: Path) -> None:
    """A mirror whose pack was overwritten is a MirrorError, not a missing commit."""
    mirror = tmp_path / "m" / "o__n.git"
    commit = commit_files(mirror, {"x.py": "x = 1\n" * 50})
    git(mirror, "repack", "-adq")
    git(mirror, "prune-packed", "-q")
    (pack,) = (mirror / "objects" / "pack").glob("*.pack")
    pack.chmod(0o644)
    pack.write_bytes(b"garbage" + pack.read_bytes()[7:])
    with pytest.raises(MirrorError, match=r"o__n\.git.*git fsck"):
        open_mirror(MirrorSettings(tmp_path / "cache", tmp_path / "m"), "o/n", commit)


def test_a_torn_file_fails_that_instance_alone(tmp_path: Path) -> None:
    """A blob lost from the mirror is an error for the patch that needs it, and not for the next one."""
    mirror = tmp_path / "o__n.git"
    commit = commit_files(mirror, {"x.py": "x = 1\n", "y.py": "y = 1\n"})
    oid = git(mirror, "rev-parse", f"{commit}:x.py")
    (mirror / "objects" / oid[:2] / oid[2:]).unlink()
    edit_of = "--- a/{0}.py\n+++ b/{0}.py\n@@ -1 +1 @@\n-{0} = 1\n+{0} = 2\n".format
    with open_mirror(MirrorSettings(tmp_path / "cache", tmp_path), "o/n", commit) as repository:
        with pytest.raises(MirrorError, match=oid):
            reconstruct(repository, commit, edit_of("x"))
        assert reconstruct(repository, commit, edit_of("y")).changed
