"""Which Java runs SonarQube and its scanner: found, tried, or its lack explained."""

import os
import re
import shutil
import subprocess
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from swe_assets.errors import ConfigurationError
from swe_assets.services.accounts import Account
from swe_assets.services.processes import as_account

SCANNER_JAVA = frozenset({17, 18, 19, 20, 21, 22, 23, 24, 25})
"""The major versions that the scanner CLI 6 to 8 runs on."""

JVM_FOLDERS = (Path("/usr/lib/jvm"), Path("/opt/java"), Path("/Library/Java/JavaVirtualMachines"))
_PROBE_SECONDS = 60


@dataclass(frozen=True)
class Java:
    """A Java that was run once: its program, its major version and its whole version."""

    path: Path
    major: int
    version: str


def server_java(server_version: str) -> frozenset[int]:
    """Return the major versions of Java that a SonarQube server of that version supports.

    From the requirements pages of each version's documentation (docs.sonarsource.com, "Server host
    requirements"); the versions that 25.11 starts on were also tried.
    """
    major = int(server_version.split(".")[0])
    if major < 25 or major in range(2000, 2025):
        return frozenset({17})
    return frozenset({17, 21}) if major in (25, 2025) else frozenset({21, 25})


def find_java(
    allowed: Collection[int],
    *,
    what: str,
    account: Account | None = None,
    environ: Mapping[str, str] = os.environ,
    folders: Collection[Path] = JVM_FOLDERS,
) -> Java:
    """Return the first Java of an allowed major version: of JAVA_HOME, on PATH, in the usual folders.

    Each candidate is run, as the account where one is given, so that what is returned does start there.
    `what` is what needs it, for the message. Raises ConfigurationError that lists what was found.
    """
    seen = []
    for program in candidates(environ, folders):
        java = probe(program, account)
        if isinstance(java, Java) and java.major in allowed:
            return java
        seen.append(f"{program} ({java.version if isinstance(java, Java) else java})")
    wanted = " or ".join(map(str, sorted(allowed)[:1] if len(allowed) > 2 else sorted(allowed)))
    raise ConfigurationError(
        f"{what} needs Java {wanted}{' or newer' if len(allowed) > 2 else ''}; "
        f"found: {', '.join(seen) or 'none'}. Install one, such as `apt-get install "
        f"openjdk-{min(allowed)}-jdk-headless`, or set JAVA_HOME to one"
    )


def candidates(environ: Mapping[str, str], folders: Collection[Path]) -> Iterator[Path]:
    """Yield the programs called java, the one that the user named first, each once."""
    seen = set()
    for path in _places(environ, folders):
        if path.is_file() and os.access(path, os.X_OK) and path.resolve() not in seen:
            seen.add(path.resolve())
            yield path


def _places(environ: Mapping[str, str], folders: Collection[Path]) -> Iterator[Path]:
    named = environ.get("JAVA_HOME", "").strip()
    if named:
        yield Path(named) / "bin" / "java"
    on_path = shutil.which("java", path=environ.get("PATH", os.defpath))
    if on_path:
        yield Path(on_path)
    for folder in folders:
        yield from sorted(folder.glob("*/bin/java"))
        yield from sorted(folder.glob("*/Contents/Home/bin/java"))


def probe(program: Path, account: Account | None = None) -> Java | str:
    """Return what a program called java says it is, or in words why it does not say."""
    try:
        done = subprocess.run(
            [str(program), "-XshowSettings:properties", "-version"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            timeout=_PROBE_SECONDS,
            check=False,
            cwd="/",
            **as_account(account),
        )
    except PermissionError:
        who = f"the account {account.name!r} " if account else ""
        return f"{who}may not run it"
    except (OSError, subprocess.SubprocessError) as wrong:
        return f"does not run: {type(wrong).__name__}"
    found = re.search(r"^\s*java\.version = (\d+)(\S*)", done.stderr, re.MULTILINE)
    if done.returncode or found is None:
        return f"ended with {done.returncode}"
    return Java(program, int(found[1]), found[1] + found[2])
