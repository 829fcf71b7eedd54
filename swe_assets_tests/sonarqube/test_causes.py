"""Why a server did not start is told by the log that knows it; the lines are those of real starts."""

from pathlib import Path

import pytest

from swe_assets.sonarqube.causes import Cause, LogMarks
from swe_assets.sonarqube.places import ServerPlaces

AT = "2026.11.30 02:49:4"
PORT_TAKEN = f"""{AT}0 INFO  es[][o.e.n.Node] starting ...
{AT}0 ERROR es[][o.e.b.Elasticsearch] fatal exception while booting Elasticsearch
org.elasticsearch.http.BindHttpException: Failed to bind to 127.0.0.1:42491
\tat org.elasticsearch.http.AbstractHttpServerTransport.bindAddress
Caused by: java.net.BindException: Address already in use
\tat sun.nio.ch.Net.bind0(Native Method) ~[?:?]
"""
MAIN = f"""{AT}0 ERROR app[][o.s.a.p.EsManagedProcess] Failed to check status
org.elasticsearch.ElasticsearchException: java.util.concurrent.ExecutionException
Caused by: java.net.SocketTimeoutException: 30,000 milliseconds timeout on connection http-outgoing-0 [ACTIVE]
{AT}2 WARN  app[][o.s.a.p.AbstractManagedProcess] Process exited with exit value [ElasticSearch]: 1
"""
NO_DATABASE = f"""{AT}1 ERROR web[][o.s.s.p.w.PlatformServletContextListener] Web server startup failed
org.springframework.beans.factory.BeanCreationException: Error creating bean: Fail to connect to database
Caused by: java.lang.IllegalStateException: Fail to connect to database
Caused by: java.net.ConnectException: Connection refused
"""
DISK_FULL = f"""{AT}1 ERROR web[][o.s.s.p.w.PlatformServletContextListener] Web server startup failed
org.springframework.beans.factory.BeanCreationException: Error creating bean
Caused by: java.nio.file.FileSystemException: /c/iac.jar -> /c/data/web/iac.jar: No space left on device
"""
JAVA_25 = """Error occurred during initialization of VM
java.lang.Error: A command line option has attempted to allow or enable the Security Manager. Enabling a \
Security Manager is not supported.
\tat java.lang.System.initPhase3(java.base@25.0.3/System.java:1970)
"""
SMALL_HEAP = """Error occurred during initialization of VM
GC triggered before VM initialization completed. Try increasing NewSize, current value 1331K.

ERROR: Elasticsearch died while starting up, with exit code 1
"""
NO_MEMORY = """#
# There is insufficient memory for the Java Runtime Environment to continue.
# Native memory allocation (mmap) failed to map 966367641600 bytes
"""
UNKNOWN = f"""{AT}1 ERROR web[][o.s.s.p.Platform] Background initialization failed. Stopping SonarQube
org.springframework.beans.factory.BeanCreationException: Error creating bean with name 'x'
Caused by: java.lang.IllegalStateException: something new
"""


def told(tmp_path: Path, logs: dict[str, str]) -> Cause:
    """Return the cause that a server's logs tell."""
    places = ServerPlaces(tmp_path)
    places.logs.mkdir()
    marks = LogMarks.now(places)
    for name, text in logs.items():
        ((tmp_path if name == "server.out" else places.logs) / name).write_text(text)
    return marks.cause()


@pytest.mark.parametrize(
    ("logs", "kind", "log", "words"),
    [
        ({"es.log": PORT_TAKEN, "sonar.log": MAIN, "server.out": MAIN}, "port", "es.log", "already in use"),
        ({"web.log": NO_DATABASE, "sonar.log": MAIN}, "database", "web.log", "Fail to connect to database"),
        ({"web.log": DISK_FULL}, "disk", "web.log", "No space left"),
        ({"sonar.log": MAIN, "server.out": JAVA_25 + MAIN}, "java", "server.out", "Security Manager"),
        ({"server.out": SMALL_HEAP}, "memory", "server.out", "GC triggered"),
        ({"server.out": NO_MEMORY}, "memory", "server.out", "insufficient memory"),
        ({"web.log": UNKNOWN, "sonar.log": MAIN}, "", "web.log", "something new"),
        ({"sonar.log": MAIN}, "", "sonar.log", "milliseconds timeout"),
        ({"server.out": "odd\n\nlast words\n"}, "", "server.out", "last words"),
        ({}, "", "server.out", "nothing was printed"),
    ],
)
def test_the_log_that_knows(tmp_path: Path, logs: dict[str, str], kind: str, log: str, words: str) -> None:
    """The cause names the log's path, its telling line, and what to do."""
    cause = told(tmp_path, logs)
    assert cause.kind == kind
    assert f"{log}' says: " in cause.words
    assert words in cause.words
    assert cause.mend in str(cause)


def test_warnings_are_no_cause(tmp_path: Path) -> None:
    """A warning that every start gives does not hide the error."""
    warning = f"{AT}0 WARN  es[][o.e.b.BootstrapChecks] max file descriptors [20000] is too low\n"
    assert told(tmp_path, {"es.log": warning, "web.log": DISK_FULL}).kind == "disk"


def test_a_full_disk_is_a_warning_first(tmp_path: Path) -> None:
    """The search's warning of a full disk tells the cause, though it is no error there."""
    warning = (
        f"{AT}0 WARN  es[][o.e.c.r.a.DiskThresholdMonitor] flood stage disk watermark [95%] exceeded on x\n"
    )
    assert told(tmp_path, {"es.log": warning, "web.log": UNKNOWN}).kind == "disk"


def test_only_what_came_since(tmp_path: Path) -> None:
    """The errors of an earlier start are not this one's, and a log that was begun anew is read whole."""
    places = ServerPlaces(tmp_path)
    places.logs.mkdir()
    (places.logs / "web.log").write_text(NO_DATABASE)
    (places.logs / "es.log").write_text("x" * 5000)
    marks = LogMarks.now(places)
    (places.logs / "es.log").write_text(PORT_TAKEN)
    assert marks.cause().kind == "port"


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """A log that the server's account replaced by a link leads to no other file."""
    (tmp_path / "secret").write_text(f"{AT}0 ERROR planted\n")
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "web.log").symlink_to(tmp_path / "secret")
    assert "planted" not in str(LogMarks(ServerPlaces(tmp_path), {}).cause())
