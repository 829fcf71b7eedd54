"""Where the store lies by SWE_ASSETS_STORE, and what is refused."""

from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.storage.folder_objects import FolderObjects
from swe_assets.storage.objects import objects_of


def placed(monkeypatch: pytest.MonkeyPatch, value: str) -> str:
    """Return where the records of a study lie with the variable set."""
    monkeypatch.setenv("SWE_ASSETS_STORE", value)
    return objects_of(Path("/home/studies/mine"), "store").place


def test_default_is_the_study(monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing set the store lies in the study's own folder, as files."""
    assert placed(monkeypatch, "") == "/home/studies/mine/store"
    assert isinstance(objects_of(Path("/x"), "store"), FolderObjects)


@pytest.mark.parametrize("value", ["/mnt/shared", "file:///mnt/shared", " /mnt/shared/ "])
def test_shared_path(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """A path has a folder for each study, and one for each part of its store."""
    assert placed(monkeypatch, value) == "/mnt/shared/mine/store"


def test_url(monkeypatch: pytest.MonkeyPatch) -> None:
    """A URL has the study and the part below its prefix."""
    assert placed(monkeypatch, "s3://bucket/prefix/") == "s3://bucket/prefix/mine/store"


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("shared", "absolute path"),
        ("file://shared", "absolute path"),
        ("s3://", "no bucket"),
        ("s3://KEY:SECRET@bucket/x", "AWS_ACCESS_KEY_ID"),
        ("nonesuch://bucket/x", "no driver"),
    ],
)
def test_refused(monkeypatch: pytest.MonkeyPatch, value: str, says: str) -> None:
    """What cannot be used is refused with the way out, and a secret in it is not repeated."""
    with pytest.raises(ConfigurationError, match=says) as refused:
        placed(monkeypatch, value)
    assert "SECRET" not in str(refused.value)
