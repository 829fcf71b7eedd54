"""The image, really built and run without an engine: debootstrap makes the base, buildah the rest."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from swe_assets.home import CHECKOUT
from swe_assets_tests.docker import dockerfile
from swe_assets_tests.docker.stack import Place

SUITE = "bookworm"
BASE, IMAGE = "localhost/debian", "localhost/swe-assets"
STOP_SECONDS = 30.0
MARK = "SWE_ASSETS_TESTS_PLACE"
FRESH_SECONDS = 7 * 24 * 3600
LEFT_OUT = ("doc", "man", "info", "locale")
"""What Debian's own slim images leave out, below /usr/share."""

DPKG = "force-unsafe-io\n" + "".join(f"path-exclude /usr/share/{name}/*\n" for name in LEFT_OUT)


def printed(command: list[str]) -> str:
    """Run a program of this machine and return what it prints, an empty text where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def mirror() -> list[str]:
    """Return the address that apt takes the suite from here, for debootstrap; nothing where unknown."""
    asked = [
        "apt-get",
        "indextargets",
        "--format",
        "$(REPO_URI)",
        "Created-By: Packages",
        f"Codename: {SUITE}",
    ]
    return printed(asked).split()[:1]


def debian(cache: Path) -> Path:
    """Return a small Debian as a tar file, made with debootstrap where the cache has none of this week."""
    tar = cache / f"debian-{SUITE}.tar"
    if tar.is_file() and time.time() - tar.stat().st_mtime < FRESH_SECONDS:
        return tar
    cache.mkdir(parents=True, exist_ok=True)
    root = cache / f"debian-{SUITE}.{os.getpid()}"
    try:
        run(["debootstrap", "--variant=minbase", SUITE, str(root), *mirror()])
        for name in LEFT_OUT:
            shutil.rmtree(root / "usr/share" / name)
        (root / "etc/dpkg/dpkg.cfg.d/swe-assets").write_text(DPKG, encoding="utf-8")
        half = tar.with_name(f"{tar.name}.{os.getpid()}")
        run(["tar", "-C", str(root), "--exclude=./var/cache/apt", "--exclude=./dev/*", "-cf", str(half), "."])
        half.rename(tar)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return tar


def run(command: list[str]) -> str:
    """Run a program that must succeed; AssertionError with the end of its words where it does not."""
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command[:4]}: {done.stdout[-2000:]}{done.stderr[-3000:]}"
    return done.stdout


def build_secrets(folder: Path, marker: str) -> dict[str, Path]:
    """Write down how this machine reaches registries, as the build takes it, with the marker."""
    pip = re.findall(r"^(?:global|:env:|install)\.([\w-]+)='(.*)'$", printed(["pip", "config", "list"]), re.M)
    wanted = ("index" + "-url", "extra-" + "index" + "-url", "trusted-host", "proxy", "timeout")
    lines = "".join(f"{name} = {value}\n" for name, value in pip if name in wanted)
    proxies = [line for line in printed(["apt-config", "dump"]).splitlines() if "::Proxy" in line]
    texts = {
        "pip_conf": f"[global]\n# {marker}\n{lines}",
        "apt_conf": f"// {marker}\n" + "\n".join(proxies) + "\n",
        "ca": f"# {marker}\n{authority().read_text(encoding='utf-8')}" if authority().is_file() else "",
        "maven_settings": "",
    }
    settings = Path.home() / ".m2" / "settings.xml"
    if settings.is_file():
        texts["maven_settings"] = settings.read_text(encoding="utf-8")
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return {name: folder / name for name in texts}


def authority() -> Path:
    """Return the file of the authorities that this machine trusts."""
    return Path(os.environ.get("SSL_CERT_FILE") or "/etc/ssl/certs/ca-certificates.crt")


class Buildah:
    """Images in a store of its own, removed with its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        store = ["--root", str(folder / "store"), "--runroot", str(folder / "run")]
        self.front = ["buildah", "--storage-driver", "vfs", *store]

    def __call__(self, *arguments: str) -> str:
        """Run one command of buildah that must succeed, and return what it prints."""
        return run([*self.front, *arguments])

    def load(self, tar: Path) -> None:
        """Make the base image of a tar file."""
        container = self("from", "scratch").strip()
        self("add", "--quiet", container, str(tar), "/")
        self("commit", "--quiet", container, BASE)
        self("rm", container)

    def build(self, given: Mapping[str, Path]) -> None:
        """Build docker/Dockerfile on the local base, as `docker build` would on Debian's image."""
        secrets = [f"--secret=id={name},src={path}" for name, path in given.items()]
        how = ["--isolation", "chroot", "--network", "host", "--format", "docker", "--pull-never"]
        named = ["--build-arg", f"BASE={BASE}", "--tag", IMAGE, "--file", str(dockerfile.FILE)]
        self("bud", *how, *named, *secrets, str(CHECKOUT))

    def inspect(self) -> dict[str, Any]:
        """Return what the image says of itself."""
        found: dict[str, Any] = json.loads(self("inspect", "--type", "image", IMAGE))["Docker"]
        return found

    def close(self) -> None:
        """Remove every container and image of this store, and the store."""
        subprocess.run([*self.front, "rm", "--all"], capture_output=True, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


class Container:
    """Runs commands in the image, as its user, with the volumes of compose.yaml below a place."""

    def __init__(self, buildah: Buildah, place: Place) -> None:
        self.buildah, self.place = buildah, place
        self.name = buildah("from", "--pull-never", IMAGE).strip()
        settings = buildah.inspect()["config"]
        for inside in settings["Volumes"]:  # buildah would mount its own there, or ours, as chance has it
            buildah("config", f"--volume={inside}-", self.name)
        uid, gid = map(int, settings["User"].split(":"))
        for name in ("home", "home/cache_repos_mirror", "cache", "scratch"):
            os.chown(place.folder / name, uid, gid)
        (place.folder / "haste").chmod(0o755)

    def words(self, command: list[str], environment: Mapping[str, str], *, entered: bool) -> list[str]:
        """Return a command in the image, behind the image's own entrypoint or as it is."""
        front = [] if entered else dockerfile.words("ENTRYPOINT")
        settings = [f"--env={name}={value}" for name, value in environment.items()]
        mounts = {
            "home": "/var/lib/swe-assets",
            "cache": "/var/cache/swe-assets",
            "scratch": "/tmp",  # noqa: S108 - a folder of the image, mounted from the place
            "secrets": "/run/secrets:ro",
            "haste": "/haste:ro",
            "workspace.yaml": "/opt/swe-assets/workspace.yaml:ro",
        }
        volumes = [f"--volume={self.place.folder / name}:{inside}" for name, inside in mounts.items()]
        how = ["run", "--isolation", "chroot", "--network", "host", "--env=PYTHONPATH=/haste"]
        how.append(f"--env={MARK}={self.place.folder}")
        return [*self.buildah.front, *how, *settings, *volumes, self.name, "--", *front, *command]

    @property
    def variables(self) -> dict[str, str]:
        """Return what buildah itself needs; the image has variables of its own."""
        return {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}

    def end(self) -> None:
        """End the processes in the image that carry this place's mark, which buildah leaves when it ends."""
        deadline = time.monotonic() + STOP_SECONDS
        while left := self.processes():
            how = signal.SIGTERM if time.monotonic() < deadline else signal.SIGKILL
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, how)
            time.sleep(1)

    def processes(self) -> list[int]:
        """Return the processes that carry the mark of this place; their mounts go when buildah ends."""
        found = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if f"{MARK}={self.place.folder}".encode() in path.read_bytes().split(b"\0"):
                    found.append(int(path.parent.name))
        return found
