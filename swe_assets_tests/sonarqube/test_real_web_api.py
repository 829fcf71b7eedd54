"""The web API client on a real server: what is asked and answered there."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from swe_assets.errors import ComponentMissingError, SonarReplyError, SonarRightsError
from swe_assets.services.folders import cache_dir
from swe_assets.sonarqube.client import SonarClient
from swe_assets.sonarqube.connection import SonarConnection
from swe_assets.sonarqube.distribution import SERVER, scanner_home
from swe_assets.sonarqube.java import SCANNER_JAVA, find_java
from swe_assets.sonarqube.measures import Measured, NotApplicable, NotMeasured
from swe_assets.sonarqube.metrics import ZERO_WHEN_ABSENT, Metric
from swe_assets.sonarqube.project_keys import project_key
from swe_assets.sonarqube.scanner import Running, ScannerTools, run_scanner
from swe_assets.sonarqube.scanner_log import Unparsed, unparsed_in_log
from swe_assets.sonarqube.tree import Tree
from swe_assets_tests.sonarqube.shared_server import START_SECONDS

pytestmark = [pytest.mark.timeout(START_SECONDS), pytest.mark.xdist_group("sonar")]
GOOD = "def f(x):\n    if x:\n        return 1\n    return 2\n"
BROKEN = "def f(x:\n  pass\n"
FILES = {
    "one/a/b/good.py": GOOD,
    "two/good.py": GOOD,
    "two/p q/bad, [1]é.py": BROKEN,
    "three/__init__.py": "",
}


@pytest.fixture
def client(sonar_server: SonarConnection) -> Iterator[SonarClient]:
    """Give a client of the session's server."""
    with SonarClient(sonar_server) as client:
        yield client


@pytest.fixture
def project(client: SonarClient) -> Iterator[str]:
    """Give the key of a project that is deleted after the test."""
    key = project_key("Web API", uuid.uuid4().hex)
    yield key
    client.delete_project(key)


def scan(connection: SonarConnection, project: str, root: Path) -> tuple[str, str]:
    """Scan FILES as one project of modules; return the task's id and the scanner's log."""
    for name, content in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    modules = sorted({name.split("/")[0] for name in FILES})
    lines = [
        f"sonar.projectKey={project}",
        f"sonar.projectBaseDir={root}",
        f"sonar.modules={','.join(modules)}",
    ]
    lines += [
        "sonar.scm.disabled=true",
        "sonar.scanner.skipJreProvisioning=true",
        "sonar.cpd.exclusions=**/*",
    ]
    lines += [f"sonar.scanner.metadataFilePath={root / 'report-task.txt'}"]
    for module in modules:
        lines += [f"{module}.sonar.projectBaseDir={root / module}", f"{module}.sonar.sources=."]
    settings = root / "scan.properties"
    settings.write_text("\n".join(lines) + "\n", encoding="utf-8")
    java = find_java(SCANNER_JAVA, what="the SonarQube scanner").path.resolve().parent.parent
    tools = ScannerTools(
        scanner_home() / "bin" / "sonar-scanner", java, cache_dir() / "sonarqube" / "scanner"
    )
    upload = run_scanner(tools, connection, root, settings, root / "log", seconds=600, running=Running())
    return upload.task_id, upload.log.read_text(encoding="utf-8")


def test_a_real_server_tells_its_versions(client: SonarClient) -> None:
    """State, token, analyser and profile of the server are those of its version."""
    assert client.system_status() == "UP"
    assert client.signed_in()
    found = client.versions()
    assert found.server == SERVER.version
    assert found.python_plugin == "5.12 (build 26629)"
    assert (found.profile_name, found.active_rules) == ("Sonar way", 303)


def test_a_real_server_s_metrics(client: SonarClient) -> None:
    """25.11 has 119 visible numbers, among them all that count 0 where absent, but that of 9.9."""
    found = {metric.key: metric for metric in client.numeric_metrics()}
    assert len(found) == 119
    assert found["ncloc"] == Metric("ncloc", "INT", -1, None, "Size")
    assert ZERO_WHEN_ABSENT - set(found) == {"wont_fix_issues"}


def test_a_project_s_life(client: SonarClient, project: str) -> None:
    """A project is made once, has no analysis yet, is refused in other case, and can go twice."""
    client.ensure_project(project, "Projeto é")
    client.ensure_project(project, "Projeto é")
    assert client.last_analysis(project) is None
    with pytest.raises(SonarReplyError, match="project_key"):
        client.ensure_project(project.upper(), "n")
    client.delete_project(project)
    client.delete_project(project)
    with pytest.raises(ComponentMissingError, match="not found"):
        client.component_tree(project, client.numeric_metrics())


def test_a_key_that_is_not_allowed(client: SonarClient) -> None:
    """The server's own rule for keys stands in the message, with the way out."""
    with pytest.raises(SonarReplyError, match=r"Malformed key.*project_key"):
        client.ensure_project("a/b c", "n")


def test_a_wrong_token(sonar_server: SonarConnection) -> None:
    """A token that nobody made is not signed in, and is refused with the way out."""
    client = SonarClient(SonarConnection(sonar_server.url, "squ_" + "0" * 40, "a test"))
    assert client.signed_in() is False
    with pytest.raises(SonarRightsError, match=r"wrong, expired or revoked.*from a test"):
        client.numeric_metrics()


def test_a_real_scan(
    client: SonarClient, sonar_server: SonarConnection, project: str, tmp_path: Path
) -> None:
    """A scan's task, analysis and tree come back; what did not parse is nowhere a number."""
    task_id, log = scan(sonar_server, project, tmp_path)
    assert unparsed_in_log(log) == (Unparsed("two/p q/bad, [1]é.py", 2),)
    done = client.wait_for_task(task_id, timeout=300)
    analysis = client.last_analysis(project)
    assert analysis is not None
    assert (done.task_id, done.component_key, done.analysis_id) == (task_id, project, analysis.id)
    check_tree(client.component_tree(project, client.numeric_metrics()))


def check_tree(tree: Tree) -> None:
    """Assert what FILES measure, the functions counted by hand."""
    assert list(tree.files) == sorted(FILES)
    assert list(tree.children) == ["one", "three", "two"]
    assert tree.unparsed == ("two/p q/bad, [1]é.py",)
    good, empty = tree.files["one/a/b/good.py"], tree.files["three/__init__.py"]
    for measures in (good, tree.children["one"]):
        numbers = measures.numbers()
        keys = ("ncloc", "lines", "complexity", "cognitive_complexity", "statements", "functions")
        assert [numbers[key] for key in keys] == [4, 5, 2, 1, 4, 1]
        assert (numbers["violations"], numbers["sqale_rating"]) == (0, 1)
    assert (empty.parsed, empty["ncloc"], empty["violations"]) == (
        True,
        Measured(0),
        Measured(0, stored=False),
    )
    assert isinstance(empty["coverage"], NotApplicable)
    assert isinstance(tree.children["two"]["violations"], NotMeasured)
    assert tree.own.numbers()["files"] == 4
