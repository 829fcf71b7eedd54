"""The analyser sonarqube beside its server: what it says of itself while that is up, down, or changed."""

from pathlib import Path

import pytest

from swe_assets.analysers.measured_here import in_two_steps
from swe_assets.analysers.projects import Claim
from swe_assets.analysers.settings import AnalyserSettings
from swe_assets.analysers.sonarqube import SonarQubeAnalyser
from swe_assets.errors import AnalyserUnavailableError, ConfigurationError, SonarServerError
from swe_assets_tests.http_stub import Served
from swe_assets_tests.sonarqube.stub import PLANTED_TOKEN, STATUS, Routes, sonar, status

PROFILE = {
    "key": "k1",
    "name": "Ruff way",
    "language": "py",
    "isDefault": True,
    "activeRuleCount": 303,
    "rulesUpdatedAt": "2026-11-30T02:15:14+0000",
}
UP: Routes = {
    "api/plugins/installed": Served(body={"plugins": [{"key": "python", "version": "5.12"}]}),
    "api/qualityprofiles/search": Served(body={"profiles": [PROFILE]}),
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a home and cache of the test's own, with no server named."""
    for name, folder in (("SWE_ASSETS_HOME", "home"), ("SWE_ASSETS_CACHE", "cache")):
        (tmp_path / folder).mkdir()
        monkeypatch.setenv(name, str(tmp_path / folder))
    monkeypatch.delenv("SONAR_HOST_URL", raising=False)
    monkeypatch.delenv("SONAR_TOKEN", raising=False)
    return tmp_path


def analyser(home: Path, url: str | None, monkeypatch: pytest.MonkeyPatch) -> SonarQubeAnalyser:
    """Return a study's analyser with a server named, or none."""
    if url is not None:
        monkeypatch.setenv("SONAR_HOST_URL", url)
        monkeypatch.setenv("SONAR_TOKEN", PLANTED_TOKEN)
    return SonarQubeAnalyser(AnalyserSettings("study", memory=home / "analyser.json"))


def test_what_the_numbers_depend_on(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Server, plugin, profile with its rules, and mode; any of them makes records stale."""
    with sonar(UP) as stub:
        found = analyser(home, stub.url, monkeypatch)
        assert found.violations_source == "SonarQube 25.11.0.114957, profile Ruff way, python plugin 5.12"
        assert found.provenance()["active_rules"] == "303"
        assert found.provenance()["profile_updated_at"] == PROFILE["rulesUpdatedAt"]
        assert found.notice == ""


def test_a_server_that_is_down_is_remembered(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The study is planned with what the server last said, and that is said."""
    with sonar(UP) as stub:
        known = analyser(home, stub.url, monkeypatch).provenance()
    later = analyser(home, "http://127.0.0.1:1", monkeypatch)
    assert later.provenance() == known
    assert "SonarQube was not asked" in later.notice
    assert PLANTED_TOKEN not in later.notice + (home / "analyser.json").read_text()


@pytest.mark.parametrize("url", [None, "http://127.0.0.1:1"])
def test_a_server_never_seen(home: Path, monkeypatch: pytest.MonkeyPatch, url: str | None) -> None:
    """Without any server the study still loads and is planned; nothing is made up of what is not known."""
    found = analyser(home, url, monkeypatch)
    assert found.provenance()["server"] == "unknown"
    assert "swe-assets sonar up" in found.notice
    assert not (home / "analyser.json").exists()


def test_no_server_stops_the_work(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both steps say what to do, so that the stage stops and the next run goes on."""
    found = analyser(home, None, monkeypatch)
    with pytest.raises(AnalyserUnavailableError, match="swe-assets sonar up"):
        list(found.hand_over([]))
    with pytest.raises(AnalyserUnavailableError, match="swe-assets sonar up"):
        list(found.read([Claim("i", {}, {}, tuple)]))


def test_taking_it_as_one_of_two_steps_asks_nobody(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A study whose analyser is a server is opened without a request."""
    with sonar(dict(UP)) as stub:
        found = analyser(home, stub.url, monkeypatch)
        assert in_two_steps(found) is found
        assert stub.asked == []


def test_an_answer_that_is_none_stops_the_work(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy's page, or no list of metrics, is no instance's fault: the stage stops and says so."""
    routes = {**UP, "api/qualityprofiles/search": Served(body={"profiles": []})}
    with sonar(routes) as stub:
        with pytest.raises(AnalyserUnavailableError, match="no quality profile for Python"):
            list(analyser(home, stub.url, monkeypatch).hand_over([]))
        routes |= {**UP, "api/metrics/search": Served(body={"nothing": []})}
        with pytest.raises(AnalyserUnavailableError, match="no list 'metrics'"):
            list(analyser(home, stub.url, monkeypatch).read([Claim("i", {}, {}, tuple)]))


def test_a_server_that_changed_meanwhile(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that was planned for one version is not done on another; the next run plans anew."""
    routes = dict(UP)
    with sonar(routes) as stub:
        found = analyser(home, stub.url, monkeypatch)
        found.provenance()
        routes[STATUS] = status(version="26.1.0.1")
        with pytest.raises(SonarServerError, match=r"server changed; run again"):
            list(found.hand_over([]))
        assert analyser(home, stub.url, monkeypatch).provenance()["server"] == "26.1.0.1"


def test_a_memory_that_is_torn(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A note that cannot be read is as none."""
    (home / "analyser.json").write_text('{"server": ')
    assert analyser(home, None, monkeypatch).provenance()["server"] == "unknown"


def test_a_mode_that_there_is_not() -> None:
    """The message names the modes."""
    with pytest.raises(ConfigurationError, match="batch or per-instance"):
        SonarQubeAnalyser(AnalyserSettings(mode="both"))
