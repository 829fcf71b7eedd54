"""Archives are unpacked whole or not at all, and hostile ones are refused."""

import stat
import zipfile
from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError, InputError
from swe_assets.sonarqube import archives
from swe_assets.sonarqube.archives import require_room, sha256_of, sweep, unpack


def packed(path: Path, entries: dict[str, str], *, mode: int = stat.S_IFREG | 0o644) -> Path:
    """Write a zip of these names and texts, each with that mode."""
    with zipfile.ZipFile(path, "w") as made:
        for name, text in entries.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            made.writestr(entry, text)
    return path


def anything(_home: Path) -> str:
    """Accept what was unpacked."""
    return "checked"


def test_what_is_unpacked(tmp_path: Path) -> None:
    """The top folder becomes the target, with contents and the right to be run."""
    archive = packed(tmp_path / "a.zip", {"top/bin/run": "x", "top/lib/b": "y"}, mode=stat.S_IFREG | 0o4755)
    assert unpack(archive, tmp_path / "target", anything) == "checked"
    assert (tmp_path / "target/lib/b").read_text() == "y"
    assert stat.S_IMODE((tmp_path / "target/bin/run").stat().st_mode) == 0o755  # no set-uid


def test_a_target_is_replaced(tmp_path: Path) -> None:
    """What lay at the target before is gone afterwards."""
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "old").touch()
    unpack(packed(tmp_path / "a.zip", {"top/new": ""}), tmp_path / "target", anything)
    assert [path.name for path in (tmp_path / "target").iterdir()] == ["new"]


@pytest.mark.parametrize(
    "name",
    [
        "../out",
        "top/../../out",
        "/abs",
        "top/../../../etc/x",
        "C:/x",
        "top\\..\\..\\x",
        "top/a:b",
        "./../x",
        "//x/y",
    ],
)
def test_names_that_leave(tmp_path: Path, name: str) -> None:
    """A name that would leave the folder is refused before anything is written."""
    archive = packed(tmp_path / "a.zip", {"top/fine": "x", name: "hostile"})
    (tmp_path / "in").mkdir()
    with pytest.raises(InputError):
        unpack(archive, tmp_path / "in" / "target", anything)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.zip", "in"]


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK])
def test_links_and_devices(tmp_path: Path, kind: int) -> None:
    """A link or device in an archive is refused."""
    archive = packed(tmp_path / "a.zip", {"top/link": "/etc/passwd"}, mode=kind | 0o777)
    with pytest.raises(InputError, match=r"a link or a path"):
        unpack(archive, tmp_path / "target", anything)


def test_several_top_folders(tmp_path: Path) -> None:
    """An archive with more than one top folder is no distribution."""
    with pytest.raises(InputError, match=r"2 top folders"):
        unpack(packed(tmp_path / "a.zip", {"a/x": "", "b/x": ""}), tmp_path / "target", anything)


def test_a_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive that claims more than any distribution has is refused by its claim."""
    monkeypatch.setattr(archives, "MOST_BYTES", 10)
    with pytest.raises(InputError, match=r"of 11 bytes"):
        unpack(packed(tmp_path / "a.zip", {"top/x": "12345678901"}), tmp_path / "target", anything)


@pytest.mark.parametrize("content", [b"", b"<html>not found</html>", b"PK\x03\x04torn"])
def test_what_is_no_archive(tmp_path: Path, content: bytes) -> None:
    """Any other file is refused as no whole zip."""
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(InputError, match=r"no whole zip"):
        unpack(tmp_path / "a.zip", tmp_path / "target", anything)


def test_a_torn_entry(tmp_path: Path) -> None:
    """Contents that do not have their checksum leave no target."""
    archive = packed(tmp_path / "a.zip", {"top/x": "0123456789" * 9})
    archive.write_bytes(archive.read_bytes().replace(b"01234567", b"01234568", 1))
    with pytest.raises(InputError, match=r"no whole zip.*CRC"):
        unpack(archive, tmp_path / "target", anything)
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


def test_a_check_that_fails_leaves_nothing(tmp_path: Path) -> None:
    """Where the check raises, the earlier target stays and nothing else is left."""
    (tmp_path / "target").mkdir()

    def refuse(_home: Path) -> None:
        raise InputError("not that")

    with pytest.raises(InputError, match="not that"):
        unpack(packed(tmp_path / "a.zip", {"top/x": ""}), tmp_path / "target", refuse)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.zip", "target"]


def test_a_missing_archive(tmp_path: Path) -> None:
    """A file that is not there is an input to mend."""
    with pytest.raises(InputError, match="name a readable file"):
        sha256_of(tmp_path / "none.zip")


def test_sha256(tmp_path: Path) -> None:
    """The digest of `abc` is the one of FIPS 180-4's example."""
    (tmp_path / "abc").write_text("abc")
    assert sha256_of(tmp_path / "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_too_little_room(tmp_path: Path) -> None:
    """A disk with less than what is needed is said, with both numbers."""
    with pytest.raises(ConfigurationError, match=r"needs 1000000\.0 GB.*GB free.*SWE_ASSETS_CACHE"):
        require_room(tmp_path / "not" / "yet", 10**15)


def test_sweep_takes_only_what_was_left(tmp_path: Path) -> None:
    """What killed unpackings left goes, all else stays, and no link is followed."""
    (tmp_path / ".part-abc" / "deep").mkdir(parents=True)
    (tmp_path / "kept" / "x").mkdir(parents=True)
    (tmp_path / ".part-link").symlink_to(tmp_path / "kept")
    sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".part-link", "kept"]
    assert (tmp_path / "kept" / "x").is_dir()
