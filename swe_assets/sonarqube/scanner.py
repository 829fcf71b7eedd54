"""One run of the scanner: its process, its log without secrets, and what it came to."""

import contextlib
import os
import re
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from swe_assets.errors import (
    AnalyserError,
    AnalyserUnavailableError,
    ConfigurationError,
    ScannerError,
    SonarRightsError,
    SonarServerError,
    StoreError,
)
from swe_assets.sonarqube.connection import SonarConnection
from swe_assets.sonarqube.scanner_log import is_of_a_file

JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options of Java that cost least CPU for runs of a minute or two."""

SECONDS_AT_LEAST = 600.0
SECONDS_A_PROJECT = 30.0
LAST_WORDS = 5

_STARTED = ("PATH", "TMPDIR", "TZ", "SYSTEMROOT")
_NO_RIGHTS = re.compile(r"HTTP 40[13]|not authorized|[Ii]nsufficient privileges", re.ASCII)
_NO_SERVER = re.compile(
    r"HTTP 5\d\d|Failed to connect|Connection (?:refused|reset)|unexpected end of stream|"
    r"Failed to query server version: Call to URL|[Tt]imeout|timed out|Broken pipe",
    re.ASCII,
)
_FILE = re.compile(r"\S*\.py\b\S*")
_NO_SPACE = re.compile(r"No space left on device|Disk quota exceeded", re.ASCII)


@dataclass(frozen=True)
class ScannerTools:
    """What is run: the scanner's own program, the Java it runs on, and the scanner's cache folder."""

    program: Path
    java_home: Path
    cache: Path
    memory_mib: int = 1024


@dataclass(frozen=True)
class Upload:
    """What a scan came to: the background task that its report became, and its log."""

    task_id: str
    log: Path


@dataclass
class Running:
    """The scanners that run at this moment, so that an interruption ends them all."""

    _processes: set["subprocess.Popen[str]"] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stop: threading.Event = field(default_factory=threading.Event)

    @property
    def stopped(self) -> bool:
        """Tell whether no further scanner may start."""
        return self._stop.is_set()

    def nap(self, seconds: float) -> None:
        """Wait, and raise AnalyserUnavailableError as soon as the run is being stopped."""
        if self._stop.wait(seconds):
            raise AnalyserUnavailableError("a wait for SonarQube was cut short: the run is being stopped")

    @contextlib.contextmanager
    def started(self, command: list[str], **options: Any) -> Iterator["subprocess.Popen[str]"]:
        """Start a process in a session of its own, and end the whole session with the block."""
        with self._lock:
            if self.stopped:
                raise AnalyserUnavailableError("a scan was not started: the run is being stopped")
            process = subprocess.Popen(command, text=True, start_new_session=True, **options)
            self._processes.add(process)
        try:
            yield process
        finally:
            kill_session(process)
            with self._lock:
                self._processes.discard(process)

    def stop(self) -> None:
        """End all scanners, and let no further one start."""
        with self._lock:
            self._stop.set()
            for process in self._processes:
                kill_session(process)


def kill_session(process: "subprocess.Popen[str]") -> None:
    """Kill a process and all it started in its session, which it leads."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def run_scanner(
    tools: ScannerTools,
    connection: SonarConnection,
    root: Path,
    settings: Path,
    log: Path,
    *,
    seconds: float,
    running: Running,
) -> Upload:
    """Run the scanner on the settings of a laid out folder and return its upload.

    The token goes by the environment alone, and never into the log. Exit 0 says that the report was sent, not
    that it was taken. Raises SonarRightsError, SonarServerError and StoreError where all scans would meet the
    same (ConfigurationError where there is no scanner to start), ScannerError where it ended otherwise or
    took longer than `seconds`.
    """
    try:
        code, said = _run(tools, connection, root, settings, log, seconds, running)
    except FileNotFoundError as wrong:
        raise ConfigurationError(
            f"the scanner {str(tools.program)!r} cannot be started: {wrong.strerror}; unset "
            "SONAR_SCANNER_HOME, and one is fetched"
        ) from None
    except OSError as wrong:
        raise StoreError(f"a scan in {str(root)!r} failed: {wrong.strerror or wrong}; free space") from wrong
    task = report_task(root / "report-task.txt").get("ceTaskId") if code == 0 else None
    if not task:
        raise _failure(code, said, log)
    return Upload(task, log)


def _run(
    tools: ScannerTools,
    connection: SonarConnection,
    root: Path,
    settings: Path,
    log: Path,
    seconds: float,
    running: Running,
) -> tuple[int, list[str]]:
    """Run the scanner to its end, or kill it after some seconds; return its exit code and last errors."""
    (root / "tmp").mkdir(exist_ok=True)
    timed_out = threading.Event()
    with running.started(
        [str(tools.program), f"-Dproject.settings={settings}"],
        cwd=root,
        env=scanner_environment(tools, connection, root),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as process:
        timer = threading.Timer(seconds, _end, [process, timed_out])
        timer.start()
        try:
            said = _copy_output(process, log, connection.token)
            code = process.wait()
        finally:
            timer.cancel()
    if timed_out.is_set():
        raise ScannerError(f"the scanner was still busy after {seconds:.0f} s and was ended; see {log}")
    return code, said


def scanner_environment(tools: ScannerTools, connection: SonarConnection, root: Path) -> dict[str, str]:
    """Return the scanner's whole environment: nothing of ours but the path, the server and its token.

    Java's options are cut at blanks, which a path may have: so its temporary folder is named from where the
    scanner starts, in the root.
    """
    temporary = "-Djava.io.tmpdir=tmp"
    return {
        **{name: os.environ[name] for name in _STARTED if name in os.environ},
        "HOME": str(root),
        "LC_ALL": "C.UTF-8",
        "JAVA_HOME": str(tools.java_home),
        "SONAR_HOST_URL": connection.url,
        "SONAR_TOKEN": connection.token,
        "SONAR_USER_HOME": str(tools.cache),
        "SONAR_SCANNER_OPTS": f"{JVM} -Xmx128m {temporary}",
        "SONAR_SCANNER_JAVA_OPTS": f"{JVM} -Xmx{tools.memory_mib}m {temporary}",
    }


def report_task(path: Path) -> Mapping[str, str]:
    """Return what the scanner's report-task.txt says, empty where it is not there."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    return dict(line.split("=", 1) for line in lines if "=" in line)


def _end(process: "subprocess.Popen[str]", timed_out: threading.Event) -> None:
    timed_out.set()
    kill_session(process)


def _copy_output(process: "subprocess.Popen[str]", log: Path, token: str) -> list[str]:
    """Write what a process says to its log, the token struck out, and return its last errors.

    What it says of a file that does not parse is none: that ends no scan, and strangers wrote its words.
    """
    errors: deque[str] = deque(maxlen=LAST_WORDS)
    assert process.stdout  # noqa: S101 - asked for as a pipe
    log.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file, process.stdout:
        for raw in process.stdout:
            line = raw.replace(token, "***") if token else raw
            file.write(line)
            if is_of_a_file(line):
                continue
            if " ERROR " in line or line.startswith(("ERROR", "Error", "Caused by", "Exception")):
                errors.append(line.strip()[:500])
    return list(errors)


def _failure(code: int, said: list[str], log: Path) -> AnalyserError | StoreError:
    """Return the error of a scan that sent nothing, by its last words."""
    words = " / ".join(said) or "nothing"
    said = [_FILE.sub("", line) for line in said]  # a file called timeout.py is no time-out
    if any(map(_NO_SPACE.search, said)):
        return StoreError(f"the disk is full for the scanner: it said {words!r}; free space, then run again")
    if any(map(_NO_RIGHTS.search, said)):
        return SonarRightsError(
            f"SonarQube refuses the scanner's token: it said {words!r}; the token needs the rights to "
            "execute analysis and to create projects: run `swe-assets sonar up`, or set SONAR_TOKEN anew"
        )
    if any(map(_NO_SERVER.search, said)):
        return SonarServerError(
            f"SonarQube did not answer the scanner: it said {words!r}; run `swe-assets sonar up`, then again"
        )
    return ScannerError(f"the scanner ended with {code} and sent nothing: it said {words!r}; see {log}")
