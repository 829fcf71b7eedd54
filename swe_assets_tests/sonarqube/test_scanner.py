"""One run of the scanner: real processes that send, fail, hang and die, and what is said of each."""

import os
import threading
import time
from pathlib import Path

import pytest

from swe_assets.errors import (
    AnalyserUnavailableError,
    ConfigurationError,
    ScannerError,
    SonarRightsError,
    SonarServerError,
    StoreError,
)
from swe_assets.sonarqube.scanner import Running, ScannerTools, Upload, run_scanner, scanner_environment
from swe_assets_tests.sonarqube.fake_scan import FakeServer, fake_scanner, fake_server
from swe_assets_tests.sonarqube.stub import PLANTED_TOKEN


def scan(folder: Path, body: str, seconds: float = 60, running: Running | None = None) -> Upload:
    """Run a scanner with that body in a fresh folder against a fake server."""
    root = folder / "root"
    root.mkdir()
    settings = root / "scan.properties"
    settings.write_text(
        f"sonar.projectKey=k\nsonar.inclusions=a.py\nsonar.scanner.metadataFilePath={root}/report-task.txt\n"
    )
    tools = fake_scanner(folder, body)
    with fake_server() as server:
        return run_scanner(
            tools,
            server.connection,
            root,
            settings,
            folder / "logs" / "k.log",
            seconds=seconds,
            running=running or Running(),
        )


def test_a_scan_that_sends(tmp_path: Path) -> None:
    """Exit 0 with a report-task.txt is an upload; its task is the one that the server gave."""
    assert scan(tmp_path, "upload()").task_id == "T1"


def test_the_token_is_in_the_environment_alone(tmp_path: Path) -> None:
    """The scanner finds the token in SONAR_TOKEN; neither its command line nor the kept log has it."""
    body = """
    line = open("/proc/self/cmdline", "rb").read().decode()
    print("ERROR argv has it" if os.environ["SONAR_TOKEN"] in line else "argv clean")
    print("the token is", os.environ["SONAR_TOKEN"])
    upload()
    """
    log = scan(tmp_path, body).log
    assert "argv clean" in log.read_text()
    assert "the token is ***" in log.read_text()
    assert log.stat().st_mode & 0o077 == 0


def test_nothing_of_ours_reaches_the_scanner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its environment has neither our keys nor settings of Sonar or Java that would change the numbers."""
    for name in ("GEMINI_API_KEY", "SONAR_SCANNER_JSON_PARAMS", "JAVA_TOOL_OPTIONS"):
        monkeypatch.setenv(name, "planted")
    found = scanner_environment(fake_scanner(tmp_path), FakeServer(url="http://x").connection, tmp_path)
    assert "planted" not in found.values()
    assert "-XX:TieredStopAtLevel=1" in found["SONAR_SCANNER_JAVA_OPTS"]
    assert "-Xmx1024m" in found["SONAR_SCANNER_JAVA_OPTS"]


@pytest.mark.parametrize(
    ("said", "kind", "words"),
    [
        (
            "ERROR Failed to query server version: GET http://h/api/v2/analysis/version: HTTP 401.",
            SonarRightsError,
            "swe-assets sonar up",
        ),
        (
            "ERROR You're not authorized to analyze this project or the project doesn't exist",
            SonarRightsError,
            "create projects",
        ),
        (
            "ERROR Failed to query server version: Call to URL [http://h] failed: Failed to connect to /h",
            SonarServerError,
            "swe-assets sonar up",
        ),
        ("ERROR GET http://h failed with HTTP 503 Service Unavailable", SonarServerError, "HTTP 503"),
        ("Caused by: java.io.IOException: No space left on device", StoreError, "free space"),
        (
            "ERROR Unable to parse file: m1/timeout.py\n  -->  x ERROR HTTP 401\nERROR it died",
            ScannerError,
            "said 'ERROR it died'",
        ),
        ("Caused by: Exception when analyzing m1/timeout.py", ScannerError, "when analyzing"),
        ("ERROR A stack overflow error occurred", ScannerError, "stack overflow"),
        ("nothing of note", ScannerError, "ended with 3"),
    ],
)
def test_what_ended_it(tmp_path: Path, said: str, kind: type[Exception], words: str) -> None:
    """The last words say whose fault it is: the token's, the server's, the disk's, or this scan's alone."""
    with pytest.raises(kind, match=words) as caught:
        scan(tmp_path, f"print({said!r}); sys.exit(3)")
    assert PLANTED_TOKEN not in str(caught.value)


def test_a_scan_that_ends_well_without_a_task(tmp_path: Path) -> None:
    """Exit 0 alone is no upload."""
    with pytest.raises(ScannerError, match="sent nothing"):
        scan(tmp_path, "print('done')")


def test_a_scanner_that_is_killed(tmp_path: Path) -> None:
    """A scanner that dies of a signal is an error of its scan."""
    with pytest.raises(ScannerError, match="ended with -9"):
        scan(tmp_path, "os.kill(os.getpid(), 9)")


def test_a_scan_that_never_ends(tmp_path: Path) -> None:
    """After its time the scanner and what it started are killed."""
    child = tmp_path / "child"
    body = f"""
    import subprocess
    one = subprocess.Popen(["sleep", "60"])
    open({str(child)!r}, "w").write(str(one.pid))
    time.sleep(60)
    """
    with pytest.raises(ScannerError, match="still busy after 2 s"):
        scan(tmp_path, body, seconds=2)
    assert is_gone(int(child.read_text()))


def test_an_interruption_ends_the_scanner(tmp_path: Path) -> None:
    """Stopping ends a scanner that runs, and lets no further one start."""
    running = Running()
    threading.Timer(1.0, running.stop).start()
    started = time.monotonic()
    with pytest.raises(ScannerError):
        scan(tmp_path, "time.sleep(60)", running=running)
    assert time.monotonic() - started < 30
    with pytest.raises(AnalyserUnavailableError, match="being stopped"), running.started(["true"]):
        pass


def test_no_scanner(tmp_path: Path) -> None:
    """A scanner that is not there is said with the way out."""
    tools = ScannerTools(tmp_path / "none", tmp_path, tmp_path)
    connection = FakeServer(url="http://127.0.0.1:1").connection
    with pytest.raises(ConfigurationError, match="SONAR_SCANNER_HOME"):
        run_scanner(tools, connection, tmp_path, tmp_path / "s", tmp_path / "l", seconds=5, running=Running())


def is_gone(pid: int) -> bool:
    """Tell whether a process ends within some seconds; one that nobody waited for counts as gone."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    os.kill(pid, 9)
    return False
