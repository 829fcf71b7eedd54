"""The analyser on a real server: equal in both modes, exact on odd files, never from a foreign project."""

from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from swe_assets.analysers.embedded import EmbeddedAnalyser
from swe_assets.analysers.projects import Project
from swe_assets.analysers.protocol import STRUCTURE_KEYS, FileMeasures, SourceFile
from swe_assets.errors import StaleAnalysisError
from swe_assets.sonarqube.connection import SonarConnection
from swe_assets_tests.analysers.metrics_case import content_of
from swe_assets_tests.shared_data import cases
from swe_assets_tests.sonarqube.scanned import (
    analyser,
    handed_over,
    named,
    package,
    read_back,
    scanned,
)

PACKAGES = ("json", "concurrent.futures", "wsgiref", "html", "xml.dom")
ODD_PATHS = (
    "a,b.py",
    "with space/é ç/x.py",
    "glob*?[x]/{a,b}.py",
    "sonar-project.properties/x.py",
    ".hidden/x.py",
    "Case/x.py",
    "case/x.py",
    "漢字/" + "x" * 120 + ".py",
    "/".join(["deep"] * 120) + "/x.py",
    "new\nline.py",
    "pkg/__init__.py",
    "pkg/__INIT__.py",
)


@pytest.fixture
def server(sonar_server: SonarConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Name the session's real server in the environment."""
    for name, value in named(sonar_server, tmp_path / "cache").items():
        monkeypatch.setenv(name, value)


def scope() -> str:
    """Return a study's name that no other test uses."""
    return f"test-{uuid4().hex[:12]}"


def comparable(file: FileMeasures) -> FileMeasures:
    """Return a file's measures without those of duplications, which batches do not look for."""
    numbers = {key: n for key, n in file.measures.items() if not key.startswith("duplicated_")}
    absent = tuple(key for key in file.not_applicable if not key.startswith("duplicated_"))
    return replace(file, measures=numbers, not_applicable=absent)


def test_modules_of_a_batch_equal_separate_projects(server: None) -> None:
    """Packages whose files import each other: every metric of every file is the same in both modes."""
    projects = [package(name) for name in PACKAGES]
    name = scope()
    batch = scanned(analyser(name), projects)
    alone = scanned(analyser(name, "per-instance"), projects)
    for one in projects:
        both = [found[one.instance_id].sides["patched"] for found in (batch, alone)]
        first, second = ([comparable(file) for file in side.files] for side in both)
        assert first == second, one.instance_id
        assert sum(file.measures["violations"] for file in first) > 0
        assert "duplicated_lines" in both[1].own and "duplicated_lines" not in both[0].own


def test_odd_paths_and_files(server: None) -> None:
    """Whatever it is called, each file is found and its eight structural measures are the embedded ones."""
    content = b"def f(x):\n    return x if x else None\n"
    files = tuple(SourceFile(path, content + b"y = %d\n" % n) for n, path in enumerate(ODD_PATHS))
    broken = SourceFile("broken, not.py", b"x = 1\ndef (\n")
    empty = SourceFile("empty.py", b"")
    one = Project("odd", "patched", (*files, broken, empty), (SourceFile("case/__init__.py", b""),))
    found = scanned(analyser(scope()), [one, Project("other", "patched", (empty,))])
    measured = dict(zip((f.path for f in one.files), found["odd"].sides["patched"].files, strict=True))
    expected = {
        file.path: own for file, own in zip(one.files, EmbeddedAnalyser().measure(one.files), strict=True)
    }
    for path in (*ODD_PATHS, "empty.py"):
        assert measured[path].parsed
        assert [measured[path].measures[key] for key in STRUCTURE_KEYS] == [
            expected[path].measures[key] for key in STRUCTURE_KEYS
        ]
    assert measured["broken, not.py"].reason == "no longer parses: SonarQube could not parse it, line 2"
    assert measured["broken, not.py"].measures["lines"] == 3
    assert "ncloc" in measured["broken, not.py"].not_measured


def test_single_files(server: None) -> None:
    """Files without a study are projects of their own, answered in their order, the same name twice too."""
    files = [
        SourceFile("a.py", b"x = 1\n"),
        SourceFile("a.py", b"if x:\n    y = 2\n"),
        SourceFile("b.py", b""),
    ]
    found = analyser("measure").measure(files)
    assert [one.path for one in found] == ["a.py", "a.py", "b.py"]
    assert [one.measures["complexity"] for one in found] == [0, 1, 0]


def test_the_cases_of_metrics(server: None) -> None:
    """Each small source of the collected cases has the structural measures that were once measured."""
    collected = cases("metrics")
    if not collected:
        pytest.skip("the cases are not here")
    projects = [Project(c["id"], "patched", (SourceFile("case.py", content_of(c)),)) for c in collected]
    found = scanned(analyser(scope()), projects)
    for case in collected:
        (file,) = found[case["id"]].sides["patched"].files
        assert file.parsed == case["expected"]["parsed"], case["id"]
        for key in STRUCTURE_KEYS:
            assert file.measures.get(key) == case["expected"].get(key), (case["id"], key)


def test_a_foreign_project_never_enters(server: None) -> None:
    """After someone else scanned into the same project, the recorded instance fails and says so."""
    name = scope()
    one = Project("i", "patched", (SourceFile("a.py", b"x = 1\n"),))
    other = Project("i", "patched", (SourceFile("a.py", b"if x:\n    y = 2\n"),))
    using = analyser(name, "per-instance")
    handed = handed_over(using, [one])
    handed_over(analyser(name, "per-instance"), [other])
    found = read_back(using, [one], handed)
    assert isinstance(found["i"].error, StaleAnalysisError)


def test_a_second_submission_scans_no_base_again(server: None) -> None:
    """Base measures are kept by content: another study takes them, receipt and numbers, without a scan."""
    base = package("json", "base", "i")
    first = analyser(scope())
    before = scanned(first, [base, Project("i", "patched", (SourceFile("a.py", b"x = 1\n"),))])
    second = analyser(scope())
    handed = handed_over(second, [base])
    assert handed["i"].receipts["base"]["kept"] is True
    again = read_back(second, [base], handed)
    assert again["i"].sides["base"] == before["i"].sides["base"]
