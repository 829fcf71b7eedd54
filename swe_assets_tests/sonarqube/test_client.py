"""The web API client, on a stub that answers as servers of several versions do."""

from typing import Any

import pytest

from swe_assets.errors import (
    ComponentMissingError,
    MetricMissingError,
    SonarReplyError,
    SonarRightsError,
    SonarServerError,
    SonarTaskError,
)
from swe_assets.sonarqube.client import Analysis, SonarClient
from swe_assets.sonarqube.connection import SonarConnection
from swe_assets.sonarqube.measures import Measured, NotApplicable
from swe_assets.sonarqube.metrics import Metric, best_value_of
from swe_assets.sonarqube.versions import ServerVersions
from swe_assets_tests.http_stub import Asked, Served, serving
from swe_assets_tests.sonarqube.stub import PLANTED_TOKEN, STATUS, TREE, page, refused, row, sonar, status

PLUGINS = {"plugins": [{"key": "java", "version": "8"}, {"key": "python", "version": "5.12 (build 26629)"}]}
PROFILE = {
    "key": "99aac897",
    "name": "Sonar way",
    "language": "py",
    "isDefault": True,
    "activeRuleCount": 303,
    "rulesUpdatedAt": "2026-11-30T02:15:14+0000",
}
OTHER = {**PROFILE, "key": "other", "name": "Ours", "isDefault": False}
PROFILES = "api/qualityprofiles/search"
CREATE = "api/projects/create"
NCLOC, VIOLATIONS = Metric("ncloc", "INT"), Metric("violations", "INT", -1, best_value_of("violations"))


@pytest.mark.parametrize("word", ["UP", "STARTING", "DOWN", "DB_MIGRATION_NEEDED"])
def test_the_server_s_word(word: str) -> None:
    """The status is told at the first try and asked without the token."""
    with sonar({STATUS: status(word)}) as stub:
        assert stub.client().system_status() == word
    assert [("authorization" in one.headers, one.path) for one in stub.asked] == [(False, STATUS)]


def test_503_is_a_server_that_starts() -> None:
    """Before its web API is there a server answers 503."""
    with sonar({STATUS: Served(503, "<html>starting")}) as stub:
        assert stub.client().system_status() == "STARTING"


@pytest.mark.parametrize(
    "reply", [Served(200, "<html>"), Served(404), Served(200, {"status": 1}), Served(200, "[]")]
)
def test_something_else_listens(reply: Served) -> None:
    """An answer that is no status is no SonarQube's."""
    with sonar({STATUS: reply}) as stub, pytest.raises(SonarReplyError, match="not a SonarQube reply"):
        stub.client().system_status()


def test_status_of_a_server_that_is_down() -> None:
    """Where nothing listens one try is made and said."""
    with sonar({}) as stub:
        pass
    with pytest.raises(SonarServerError, match="no answer from SonarQube"):
        stub.client().system_status()
    assert stub.time.slept == []


@pytest.mark.parametrize(
    ("body", "signed"), [({"valid": True}, True), ({"valid": False}, False), ({}, False)]
)
def test_a_token_that_is_taken(body: dict[str, Any], signed: bool) -> None:
    """api/authentication/validate says 200 also for a wrong token: the field counts."""
    with sonar({"api/authentication/validate": Served(body=body)}) as stub:
        assert stub.client().signed_in() is signed


def test_versions() -> None:
    """Server, Python analyser and the default profile are told."""
    routes = {
        "api/plugins/installed": Served(body=PLUGINS),
        PROFILES: Served(body={"profiles": [OTHER, PROFILE]}),
    }
    with sonar(routes) as stub:
        assert stub.client().versions() == ServerVersions(
            "25.11.0.114957", "5.12 (build 26629)", "99aac897", "Sonar way", "2026-11-30T02:15:14+0000", 303
        )


def test_versions_of_a_project_without_the_right_to_plugins() -> None:
    """A token that may not see the plugins gets None for the analyser; a project has its own profile."""
    routes = {"api/plugins/installed": refused(403, "no"), PROFILES: Served(body={"profiles": [OTHER]})}
    with sonar(routes) as stub:
        found = stub.client().versions("p")
    assert (found.python_plugin, found.profile_name) == (None, "Ours")
    assert stub.asked[-1].params == {"language": "py", "project": "p"}


def test_a_server_without_python() -> None:
    """A server that cannot analyse Python is told so before a scan."""
    routes = {"api/plugins/installed": Served(body={"plugins": []}), PROFILES: Served(body={"profiles": []})}
    with sonar(routes) as stub, pytest.raises(SonarReplyError, match="no quality profile for Python"):
        stub.client().versions()


def test_metrics_come_from_all_pages() -> None:
    """The list of metrics is paged; only visible numbers are kept, in the server's order."""
    first = {
        "metrics": [{"key": f"k{n}", "type": "INT"} for n in range(500)],
        "total": 503,
        "p": 1,
        "ps": 500,
    }
    last = [
        {"key": "z", "type": "PERCENT"},
        {"key": "d", "type": "DATA"},
        {"key": "h", "type": "INT", "hidden": True},
    ]
    with sonar({"api/metrics/search": [Served(body=first), Served(body={**first, "metrics": last})]}) as stub:
        found = stub.client().numeric_metrics()
    assert [metric.key for metric in found] == [f"k{n}" for n in range(500)] + ["z"]
    assert [one.params for one in stub.asked[1:]] == [{"ps": "500", "p": "1"}, {"ps": "500", "p": "2"}]


def test_a_project_is_made_once() -> None:
    """The key and name go as a form."""
    with sonar({CREATE: Served(body={"project": {}})}) as stub:
        stub.client().ensure_project("p:x", "Projeto é")
    assert (stub.asked[-1].method, stub.asked[-1].params) == ("POST", {"project": "p:x", "name": "Projeto é"})


@pytest.mark.parametrize(
    "said",
    [
        'Could not create Project with key: "p:x". A similar key already exists: "p:x"',
        "Could not create Project, key already exists: p:x",
        "A project with key 'p:x' already exists",
    ],
)
def test_a_project_that_is_there(said: str) -> None:
    """Every version's words for a key that is taken count as made."""
    with sonar({CREATE: refused(400, said)}) as stub:
        stub.client().ensure_project("p:x", "n")


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (refused(400, 'A similar key already exists: "P:X"'), SonarReplyError, "'P:X' is there.*project_key"),
        (refused(400, "Malformed key for Project: 'a/b c'."), SonarReplyError, "project_key"),
        (refused(403, "Insufficient privileges"), SonarRightsError, "'Create Projects'"),
    ],
)
def test_a_project_that_cannot_be_made(reply: Served, kind: type[Exception], words: str) -> None:
    """Another's key, a key that is not allowed and a missing right are each said."""
    with sonar({CREATE: reply}) as stub, pytest.raises(kind, match=words):
        stub.client().ensure_project("p:x", "n")


def test_deleting_twice_is_harmless() -> None:
    """A project that is gone is deleted."""
    with sonar({"api/projects/delete": [Served(204), refused(404, "Project 'p' not found")]}) as stub:
        stub.client().delete_project("p")
        stub.client().delete_project("p")


def test_a_task_is_waited_for_through_a_restart() -> None:
    """A server that goes away while its task is waited for is asked again; the task's own words are kept."""
    pending = Served(body={"task": {"id": "T", "status": "PENDING"}})
    failed = Served(body={"task": {"id": "T", "status": "FAILED", "errorMessage": "boom"}})
    with (
        sonar({"api/ce/task": [pending, Served(503), Served(fault="dropped"), failed]}) as stub,
        pytest.raises(SonarTaskError, match="boom"),
    ):
        stub.client().wait_for_task("T", timeout=60)
    assert stub.asked[-1].params == {"id": "T", "additionalFields": "warnings"}


def test_a_task_that_nobody_knows() -> None:
    """A task that the server does not have is said by name."""
    with (
        sonar({"api/ce/task": refused(404, "No activity found for task 'T'")}) as stub,
        pytest.raises(ComponentMissingError, match="'T'"),
    ):
        stub.client().wait_for_task("T", timeout=60)


@pytest.mark.parametrize(
    ("reply", "analysis"),
    [
        (
            Served(body={"analyses": [{"key": "A2", "date": "d2"}, {"key": "A1", "date": "d1"}]}),
            Analysis("A2", "d2"),
        ),
        (Served(body={"analyses": []}), None),
        (refused(404, "Component key 'p' not found"), None),
    ],
)
def test_the_last_analysis(reply: Served, analysis: Analysis | None) -> None:
    """The newest stands first; a project without one, or none at all, has none."""
    with sonar({"api/project_analyses/search": reply}) as stub:
        assert stub.client().last_analysis("p") == analysis


def test_a_tree_of_many_keys_and_pages() -> None:
    """Keys go 75 a call and files 500 a page; every value comes to its file, in order, once."""
    metrics = [NCLOC, *(Metric(f"m{n}", "INT") for n in range(150))]
    with serving(_big_server) as (url, asked):
        tree = SonarClient(SonarConnection(url.rstrip("/"), PLANTED_TOKEN, "a test")).component_tree(
            "p", metrics
        )
    assert list(tree.files) == [f"m/f{n:04}.py" for n in range(601)]
    for measures in (*tree.files.values(), tree.children["m"], tree.own):
        assert list(measures.numbers()) == [metric.key for metric in metrics]
    assert tree.files["m/f0600.py"]["m149"] == Measured(149)
    keys = [one.params["metricKeys"].split(",") for one in asked if one.path == TREE]
    assert max(map(len, keys)) == 75
    assert len(keys) == 3 * (1 + 2)


def _big_server(asked: Asked) -> Served:
    """Answer as a server with one module of 601 files whose metric mN is N, one file on two pages."""
    if asked.path != TREE:
        return status()
    values = {
        key: key.removeprefix("m") if key != "ncloc" else 7 for key in asked.params["metricKeys"].split(",")
    }
    rows = [row("m", "DIR", **values)]
    if "strategy" not in asked.params:
        rows = [row(f"m/f{n:04}.py", "FIL", **values) for n in range(601)]
    first = (int(asked.params["p"]) - 1) * 500
    return page(*rows[max(0, first - 1) : first + 500], total=len(rows), base=values)


def test_a_metric_that_vanished_is_not_applicable() -> None:
    """A key that the server has lost since the list was made fails a call; the rest is asked without it."""
    lost = refused(404, "The following metric keys are not found: gone")
    with sonar({TREE: [lost, page(row("a.py", ncloc=1))]}) as stub:
        tree = stub.client().component_tree("p", [NCLOC, Metric("gone", "INT"), VIOLATIONS])
    assert isinstance(tree.files["a.py"]["gone"], NotApplicable)
    assert tree.files["a.py"].numbers() == {"ncloc": 1, "violations": 0}
    assert [one.params["metricKeys"] for one in stub.asked[1:3]] == [
        "ncloc,gone,violations",
        "ncloc,violations",
    ]


def test_a_lost_metric_that_was_not_asked_for() -> None:
    """A server that misses what nobody asked for is not asked for ever."""
    with (
        sonar({TREE: refused(404, "The following metric keys are not found: other")}) as stub,
        pytest.raises(MetricMissingError, match="other"),
    ):
        stub.client().component_tree("p", [NCLOC])


def test_whether_a_file_parsed_is_always_asked() -> None:
    """A metric that tells parsed from unparsed goes along unasked, and is not given back."""
    with sonar({TREE: page(row("a.py", ncloc=1), row("b.py"))}) as stub:
        tree = stub.client().component_tree("p", [VIOLATIONS])
    assert stub.asked[1].params["metricKeys"] == "ncloc,violations"
    assert tree.files["a.py"].numbers() == {"violations": 0}
    assert (tree.files["b.py"].numbers(), tree.unparsed) == ({}, ("b.py",))


def test_components_that_change_between_calls() -> None:
    """Another scan that ends between two calls is noticed, not mixed in."""
    metrics = [NCLOC, *(Metric(f"m{n}", "INT") for n in range(80))]
    with (
        sonar({TREE: [page(row("a.py", ncloc=1)), page(row("b.py", ncloc=1))]}) as stub,
        pytest.raises(SonarReplyError, match="changed while they were read"),
    ):
        stub.client().component_tree("p", metrics)


def test_a_component_that_may_not_be_browsed() -> None:
    """404 is said with both its causes."""
    with (
        sonar({TREE: refused(404, "Component key 'p' not found")}) as stub,
        pytest.raises(
            ComponentMissingError, match="'p' not found; it is not there, or the token may not browse"
        ),
    ):
        stub.client().component_tree("p", [NCLOC])


def test_files_of_9_9() -> None:
    """A 9.9 reply, with `periods` and a BRC-free tree, is read with a Basic token."""
    old = row("a.py", ncloc=3)
    old["measures"].append({"metric": "new_violations", "periods": [{"index": 1, "value": "2"}]})
    with sonar({STATUS: status(version="9.9.8.100196"), TREE: page(old)}) as stub:
        tree = stub.client().component_tree("p", [NCLOC, Metric("new_violations", "INT")])
    assert tree.files["a.py"].numbers() == {"ncloc": 3, "new_violations": 2}
    assert stub.asked[-1].headers["authorization"].startswith("Basic ")


def test_a_client_closes_and_opens_again() -> None:
    """A closed client is usable; leaving a with block closes it."""
    with sonar({"api/authentication/validate": Served(body={"valid": True})}) as stub:
        with stub.client() as client:
            assert client.signed_in()
        assert client.signed_in()
