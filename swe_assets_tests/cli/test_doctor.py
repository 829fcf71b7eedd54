"""`swe-assets doctor` finds what is well and names the mend for each lack."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from swe_assets.cli import doctor_settings, doctor_tools
from swe_assets.cli.doctor_studies import repository_finding
from swe_assets.llm.providers import DEFAULT_KEYS
from swe_assets.patch_quality.sample import Sample
from swe_assets.patch_quality.study_add import add_study
from swe_assets.patch_quality.study_settings import StudyInputs, StudySettings
from swe_assets.repositories.mirrors import MirrorSettings

KEY = "planted-key-0123456789"


@pytest.fixture
def pinned_home(sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pin the sample as a study in a home of its own."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path))
    inputs = StudyInputs(
        predictions=str(sample.predictions), results=str(sample.results), dataset=str(sample.dataset)
    )
    add_study("sample", inputs, StudySettings(mirrors_folder=sample.repos))
    return tmp_path


def doctor(*arguments: str, home: Path, **more: str) -> "subprocess.CompletedProcess[str]":
    """Run the command in a process of its own."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DAGSTER_HOME", *DEFAULT_KEYS.values())
    }
    asked = [sys.executable, "-m", "swe_assets", "doctor", *arguments]
    environment = kept | {"SWE_ASSETS_HOME": str(home)} | more
    return subprocess.run(asked, env=environment, capture_output=True, text=True, check=False)


def by_name(done: "subprocess.CompletedProcess[str]") -> dict[str, dict[str, Any]]:
    """Return the findings by name."""
    return {finding["name"]: finding for finding in json.loads(done.stdout)}


def test_all_is_well(pinned_home: Path) -> None:
    """With the sample pinned all that is required is well, and its repositories have all base commits."""
    done = doctor("--json", "--offline", home=pinned_home)
    found = by_name(done)
    assert done.returncode == 0, done.stdout
    assert {"python", "git", "libraries", "ruff", "disk", "Dagster's records"} <= found.keys()
    assert found["study sample"]["value"].endswith("analyser embedded, judge rehearsal")
    assert [name for name in found if "/" in name] == [
        f"swe-sample/{n}" for n in ("atlas", "ledger", "relay")
    ]
    for name in ("atlas", "ledger", "relay"):
        assert re.search(r", (\d+) of \1 base commits$", found[f"swe-sample/{name}"]["value"])


def test_fresh_home_as_a_table(tmp_path: Path) -> None:
    """In a new home nothing required lacks; what is absent has its mend below it."""
    done = doctor(home=tmp_path / "new")
    assert done.returncode == 0, done.stdout
    assert "none yet" in done.stdout
    assert "mend: make study" in done.stdout
    assert done.stderr.strip() == "all that is required is well"


def test_edited_study_is_a_lack(pinned_home: Path) -> None:
    """A study whose pinned list was edited is a lack that says so, and the exit code is 1."""
    with (pinned_home / "studies/sample/instances.txt").open("a") as file:
        file.write("one-more\n")
    done = doctor("--json", "--offline", home=pinned_home)
    finding = by_name(done)["study sample"]
    assert done.returncode == 1
    assert finding["state"] == "lack"
    assert "not what was pinned" in finding["value"]


@pytest.mark.parametrize("place", ["environment", ".env"])
def test_key_is_never_shown(tmp_path: Path, place: str) -> None:
    """A key is said to be set, in the environment or in .env, and is nowhere in the output."""
    variables = {"GEMINI_API_KEY": KEY} if place == "environment" else {}
    if place == ".env":
        (tmp_path / ".env").write_text(f"GEMINI_API_KEY={KEY}\n")
    done = doctor("--json", home=tmp_path, **variables)
    said = "set in the environment" if place == "environment" else f"set in {tmp_path / '.env'}"
    assert by_name(done)["GEMINI_API_KEY"]["value"] == said
    assert KEY not in done.stdout + done.stderr


def test_unwritable_home(tmp_path: Path) -> None:
    """A SWE_ASSETS_HOME that cannot be made is a lack with its mend, and no traceback."""
    (tmp_path / "file").touch()
    done = doctor("--json", home=tmp_path / "file" / "home")
    assert done.returncode == 1
    assert by_name(done)["SWE_ASSETS_HOME"]["mend"].startswith("make the folder writable")


def test_broken_dagster_records(tmp_path: Path) -> None:
    """A database of Dagster's that is none is a lack, not a traceback."""
    (tmp_path / "dagster.yaml").write_text("storage:\n  no_such_storage: {}\n")
    done = doctor("--json", home=tmp_path)
    assert done.returncode == 1
    assert by_name(done)["Dagster's records"]["state"] == "lack"


def test_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without git on PATH the finding names the version to install."""
    monkeypatch.setenv("PATH", str(tmp_path))
    found = doctor_tools.git()
    assert (found.state, found.value) == ("lack", "not on PATH")
    assert found.mend == "install git 2.34 or newer"


@pytest.mark.parametrize(
    ("version", "state"), [("2.33.9", "lack"), ("2.34.0", "ok"), ("3.0.1 (Apple)", "ok")]
)
def test_old_git(version: str, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A git of before 2.34 is a lack, a later one is well."""
    fake = tmp_path / "git"
    fake.write_text(f"#!/bin/sh\necho 'git version {version}'\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert doctor_tools.git().state == state


def test_wrong_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library outside its bounds is named with what was found."""
    asked = ["click>=8.1,<9", "dagster>=999", "no-such-library>=1", "other; extra == 'dev'"]
    monkeypatch.setattr("importlib.metadata.requires", lambda _: asked)
    found = doctor_tools.libraries()
    assert found.state == "lack"
    assert "dagster>=999 (found: 1." in found.value
    assert "no-such-library>=1 (found: none)" in found.value
    assert "click" not in found.value
    assert "other" not in found.value


def test_little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk without room for a study is a lack that says how much is free and needed."""
    monkeypatch.setattr(doctor_settings, "ROOM_NEEDED", 10**18)
    found = doctor_settings.room()
    assert found.state == "lack"
    assert found.value.endswith("1000000000 GB needed")


def test_mirror_lacks_a_commit(sample: Sample, tmp_path: Path) -> None:
    """A given mirror without a base commit is a lack that counts what is there."""
    settings = MirrorSettings(tmp_path, sample.repos)
    found = repository_finding(settings, "swe-sample/atlas", {"0" * 40}, offline=True)
    assert found.state == "lack"
    assert found.value.endswith("0 of 1 base commits")


def test_mapped_mirror_is_none(tmp_path: Path) -> None:
    """A mapped path that is no repository is a lack with the option that mends it."""
    settings = MirrorSettings(tmp_path, mapping={"a/b": str(tmp_path)})
    found = repository_finding(settings, "a/b", set(), offline=True)
    assert found.state == "lack"
    assert found.mend.endswith("--mirror a/b=PATH_OR_URL")


def test_unreachable_origin(tmp_path: Path) -> None:
    """An address that does not answer is a lack; offline it is named and not asked; a token is not shown."""
    settings = MirrorSettings(tmp_path, mapping={"a/b": "https://user:token-1234@localhost:1/a/b"})
    found = repository_finding(settings, "a/b", set(), offline=False)
    assert found.state == "lack"
    assert found.value.startswith("https://localhost:1/a/b: fatal: unable to access")
    assert "token-1234" not in found.value
    assert repository_finding(settings, "a/b", set(), offline=True).state == "absent"
