"""Mirrors cloned on demand from a local origin, by real git processes."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from swe_assets.errors import CommitMissingError, MirrorError
from swe_assets.repositories import MirrorSettings, open_mirror, reconstruct
from swe_assets.repositories.cloning import clone_mirror, locked
from swe_assets.repositories.git_process import network_environment, scrub
from swe_assets_tests.repositories.conftest import BASE
from swe_assets_tests.repositories.https_origin import https_server
from swe_assets_tests.repositories.patches import edit
from swe_assets_tests.repositories.real_git import commit_files, git

CLONE = (
    "import sys; from pathlib import Path; from swe_assets.repositories import MirrorSettings, open_mirror\n"
    "cache, origin, commit = sys.argv[1:]\n"
    "with open_mirror(MirrorSettings(Path(cache), origin=origin), 'o/n', commit) as mirror:\n"
    "    print(mirror.git_dir.stat().st_ino)\n"
)


@pytest.fixture
def origin(tmp_path: Path) -> tuple[Path, str]:
    """Build origin/o/n, which lets clones leave out blobs; return the origin and a commit."""
    upstream = tmp_path / "origin" / "o" / "n"
    commit = commit_files(upstream, BASE)
    git(upstream, "config", "uploadpack.allowFilter", "true")
    git(upstream, "config", "uploadpack.allowAnySHA1InWant", "true")
    return tmp_path / "origin", commit


@pytest.fixture
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a script in ssh's place that runs the far side's command here; return it, for tests to change."""
    script = tmp_path / "ssh"
    script.write_text('#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n')
    script.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(script))
    return script


def settings_of(origin: Path) -> MirrorSettings:
    """Return settings with a cache beside the origin."""
    return MirrorSettings(origin.parent / "cache", origin=str(origin))


def leftovers(cache: Path) -> list[str]:
    """Return what lies in the cache beside mirrors and lock files."""
    return [path.name for path in cache.iterdir() if path.suffix not in (".git", ".lock")]


def test_clones_without_blobs_and_fetches_what_a_patch_needs(origin: tuple[Path, str]) -> None:
    """The clone holds no file's content until a patch asks for one, and then the patch applies."""
    folder, commit = origin
    with open_mirror(settings_of(folder), "o/n", commit) as mirror:
        missing = git(mirror.git_dir, "rev-list", "--objects", "--missing=print", "HEAD")
        assert missing.count("?") >= 5
        assert reconstruct(mirror, commit, edit()).changed
    assert leftovers(folder.parent / "cache") == []


@pytest.mark.parametrize("address", ["ssh://git@far.example.org{path}", "git@far.example.org:{path}"])
def test_clones_by_ssh(origin: tuple[Path, str], ssh: Path, address: str) -> None:
    """A mapped address by ssh is cloned, and the blobs a patch needs are fetched by ssh as well."""
    folder, commit = origin
    mapping = {"o/n": address.format(path=folder / "o" / "n")}
    with open_mirror(MirrorSettings(folder.parent / "cache", None, mapping), "o/n", commit) as mirror:
        assert reconstruct(mirror, commit, edit()).changed


def test_clones_by_https_with_a_token(origin: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Over TLS with a token the clone and the later fetch of blobs work; a wrong token fails unquoted."""
    folder, commit = origin
    with https_server(folder, "me", "s3cr3t") as (address, certificate):
        monkeypatch.setenv("GIT_SSL_CAINFO", str(certificate))
        mapping = {"o/n": f"https://me:s3cr3t@{address}/o/n", "o/m": f"https://me:wr0ng@{address}/o/n"}
        settings = MirrorSettings(folder.parent / "cache", None, mapping)
        with open_mirror(settings, "o/n", commit) as mirror:
            assert reconstruct(mirror, commit, edit()).changed
        with pytest.raises(MirrorError) as caught:
            open_mirror(settings, "o/m", commit)
    assert "wr0ng" not in str(caught.value)
    assert address in str(caught.value)


def test_clones_whole_where_the_server_takes_no_filter(origin: tuple[Path, str]) -> None:
    """Without the server's consent the clone is whole, and offline from then on."""
    folder, commit = origin
    git(folder / "o" / "n", "config", "uploadpack.allowFilter", "false")
    with open_mirror(settings_of(folder), "o/n", commit) as mirror:
        shutil.rmtree(folder)
        assert reconstruct(mirror, commit, edit()).changed


def test_a_mirror_of_ours_fetches_the_commit_it_lacks(origin: tuple[Path, str]) -> None:
    """A commit made after the clone is fetched, also one that no branch holds any more."""
    folder, commit = origin
    open_mirror(settings_of(folder), "o/n", commit).close()
    later = commit_files(folder / "o" / "n", {"later.py": "x\n"})
    git(folder / "o" / "n", "update-ref", "refs/heads/main", commit)
    with open_mirror(settings_of(folder), "o/n", later) as mirror:
        assert mirror.entry(mirror.root(later), b"later.py") is not None


def test_a_commit_that_the_origin_lacks_too_is_said(origin: tuple[Path, str]) -> None:
    """CommitMissingError names commit and source."""
    folder, _ = origin
    with pytest.raises(CommitMissingError, match=r"'2{40}'.*did not give it"):
        open_mirror(settings_of(folder), "o/n", "2" * 40)


def test_an_open_mirror_of_ours_says_which_commit_it_lacks(origin: tuple[Path, str]) -> None:
    """Asking an open blobless mirror for an absent commit is CommitMissingError, and it stays usable."""
    folder, commit = origin
    with open_mirror(settings_of(folder), "o/n", commit) as mirror:
        with pytest.raises(CommitMissingError):
            mirror.resolve("3" * 40)
        assert mirror.resolve(commit) == commit


def test_progress_is_handed_on(origin: tuple[Path, str]) -> None:
    """The caller's function hears the repository's name and a count that reaches the whole."""
    folder, commit = origin
    heard: list[tuple[str, float, float | None]] = []
    open_mirror(settings_of(folder), "o/n", commit, progress=lambda *said: heard.append(said)).close()
    assert {name for name, _, _ in heard} == {"o/n"}
    assert heard[-1][1] == heard[-1][2]


def test_two_processes_clone_once(origin: tuple[Path, str]) -> None:
    """Of processes that start together all end with the same mirror and nothing beside it."""
    folder, commit = origin
    cache = folder.parent / "cache"
    command = [sys.executable, "-c", CLONE, str(cache), str(folder), commit]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = {process.communicate(timeout=60)[0] for process in started}
    assert len(said) == 1
    assert leftovers(cache) == []


def test_the_second_waits_for_the_first(tmp_path: Path, origin: tuple[Path, str]) -> None:
    """While another holds the mirror's lock no clone begins."""
    folder, commit = origin
    cache = folder.parent / "cache"
    cache.mkdir()
    with locked(cache / "o__n.git"):
        waiting = subprocess.Popen([sys.executable, "-c", CLONE, str(cache), str(folder), commit])
        time.sleep(1.5)
        assert waiting.poll() is None
        assert [path.name for path in cache.iterdir()] == [".o__n.git.lock"]
    assert waiting.wait(timeout=60) == 0


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_clone_leaves_no_half_mirror(
    origin: tuple[Path, str], ssh: Path, ending: signal.Signals
) -> None:
    """Killed in mid-clone there is no mirror under its name, and the next run clones it whole."""
    folder, commit = origin
    cache = folder.parent / "cache"
    ssh.write_text("#!/bin/sh\nsleep 60\n")
    command = [sys.executable, "-c", CLONE, str(cache), "ssh://nowhere.example.org", commit]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    end = time.monotonic() + 60
    while not list(cache.glob(".o__n.git.*.partial/HEAD")):
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.02)
    os.killpg(process.pid, ending)
    assert process.wait(timeout=60) != 0
    assert not (cache / "o__n.git").exists()
    with open_mirror(settings_of(folder), "o/n", commit) as mirror:
        assert reconstruct(mirror, commit, edit()).changed
    assert leftovers(cache) == []


def test_a_failed_clone_leaves_nothing_and_says_what_to_do(tmp_path: Path) -> None:
    """An origin that is not there is a MirrorError, without a mirror or a partial one."""
    settings = MirrorSettings(tmp_path / "cache", origin=str(tmp_path / "nowhere"))
    with pytest.raises(
        MirrorError, match=r"o/n could not be cloned.*nowhere/o/n.*does not .*check the network"
    ):
        open_mirror(settings, "o/n", "1" * 40)
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [".o__n.git.lock"]


def test_no_token_in_an_error(tmp_path: Path) -> None:
    """An address with user name and token fails without quoting either, whatever git says."""
    address = "https://me:s3cr3t@127.0.0.1:9/x.git"
    with pytest.raises(MirrorError) as caught:
        clone_mirror(address, tmp_path / "x.git", name="o/x")
    assert "127.0.0.1:9/x.git" in str(caught.value)
    assert not {"s3cr3t", "me:"} & set(str(caught.value).replace("@", " ").split())
    assert "s3cr3t" not in repr(caught.value.__cause__)


def test_git_itself_is_held_to_the_transports(tmp_path: Path) -> None:
    """A redirection in the user's git settings does not lead to another transport."""
    config = tmp_path / "gitconfig"
    config.write_text('[url "ext::sh -c touch% /dev/null x"]\n\tinsteadOf = https://example.org/\n')
    environment = network_environment("https:ssh") | {"GIT_CONFIG_GLOBAL": str(config)}
    command = ["git", "ls-remote", "https://example.org/x"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "transport 'ext' not allowed" in done.stderr


def test_a_corrupt_mirror_of_ours_has_another_mend(origin: tuple[Path, str]) -> None:
    """What we cloned can be cloned anew, and the message says so."""
    folder, commit = origin
    mirror = folder.parent / "cache" / "o__n.git"
    open_mirror(settings_of(folder), "o/n", commit).close()
    (mirror / "HEAD").unlink()
    with pytest.raises(MirrorError, match=r"remove the folder .*o__n\.git.* cloned anew"):
        open_mirror(settings_of(folder), "o/n", commit)


def test_a_cache_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """A file in the cache's place is a plain error."""
    (tmp_path / "cache").write_text("in the way")
    with pytest.raises(MirrorError, match="cache"):
        open_mirror(MirrorSettings(tmp_path / "cache", origin=str(tmp_path)), "o/n", "1" * 40)


def test_scrub_takes_userinfo_alone() -> None:
    """Everything between the scheme and the at sign goes; an address without stays."""
    assert scrub("fatal: https://u:p@h/x and ssh://git@h/y and https://h/z@1") == (
        "fatal: https://h/x and ssh://h/y and https://h/z@1"
    )
    assert scrub("https://u:p@ss@h/x") == "https://h/x"
