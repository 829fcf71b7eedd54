"""Reading back: only the recorded analysis, only what was uploaded, each file once."""

from pathlib import Path
from typing import Any

import pytest

from swe_assets.analysers.projects import Claim, ReadBack, SideMeasures
from swe_assets.errors import SonarServerError, StaleAnalysisError
from swe_assets.sonarqube.client import SonarClient
from swe_assets.sonarqube.kept import KeptMeasures
from swe_assets.sonarqube.metrics import Metric
from swe_assets.sonarqube.patience import Patience
from swe_assets.sonarqube.readback import Reader, additive_keys, measures_from, measures_record
from swe_assets_tests.http_stub import Asked, Served, serving
from swe_assets_tests.sonarqube.fake_scan import FakeServer, fake_server
from swe_assets_tests.sonarqube.stub import page, row

METRICS = (
    Metric("ncloc", "INT"),
    Metric("complexity", "INT"),
    Metric("violations", "INT", -1, 0.0),
    Metric("duplicated_lines", "INT", -1, 0.0),
    Metric("sqale_debt_ratio", "PERCENT", -1, 0.0),
)


def receipt(**how: Any) -> dict[str, Any]:
    """Return the receipt of a module with one file."""
    usual = {"project": "p", "task": "T1", "analysis": "A1", "module": "m1", "uploaded": "ab" * 32}
    return {**usual, "components": {"a.py": "m1/a.py"}, "stopped_at_line": {}, **how}


def claim(instance_id: str = "i", side: str = "patched", **how: Any) -> Claim:
    """Return a claim of one file on one side."""
    return Claim(instance_id, {side: ["a.py"]}, {side: receipt(**how)}, tuple)


def reader(server: FakeServer, folder: Path, *, duplications: bool = True) -> Reader:
    """Return a reader that does not wait long."""
    client = SonarClient(server.connection, patience=Patience(attempts=1, sleep=lambda _: None))
    return Reader(
        client, KeptMeasures(folder, {"v": "1"}), duplications=duplications, keeps=("base",), metrics=METRICS
    )


def held(server: FakeServer, *files: str) -> None:
    """Let the server hold analysis A1 of project p with these files."""
    server.files["p"], server.last["p"] = list(files), "A1"


def read_one(server: FakeServer, folder: Path, one: Claim, **how: Any) -> ReadBack:
    """Read one claim."""
    (found,) = reader(server, folder, **how).read([one])
    return found


def test_a_file_s_measures(tmp_path: Path) -> None:
    """What the server has for a file is what comes back, and the module's own numbers with it."""
    with fake_server() as server:
        held(server, "m1/a.py", "m2/b.py")
        found = read_one(server, tmp_path, claim()).sides["patched"]
    assert found.files[0].measures["ncloc"] == 3
    assert found.files[0].parsed
    assert found.own["violations"] == 2


@pytest.mark.parametrize("files", [(), ("m1/b.py",), ("m1/a.py", "m1/b.py"), ("m2/a.py",)])
def test_other_files_than_were_uploaded(tmp_path: Path, files: tuple[str, ...]) -> None:
    """A file that lacks, or that nobody uploaded, and nothing of the analysis is taken."""
    with fake_server() as server:
        held(server, *files, "m3/z.py")
        found = read_one(server, tmp_path, claim())
    assert isinstance(found.error, StaleAnalysisError)


def test_another_analysis(tmp_path: Path) -> None:
    """A later analysis is not the recorded one: the message names both and what to do."""
    with fake_server() as server:
        held(server, "m1/a.py")
        found = read_one(server, tmp_path, claim(analysis="A0"))
    assert isinstance(found.error, StaleAnalysisError)
    assert all(word in str(found.error) for word in ("'A1'", "'A0'", "run again"))


def test_a_project_that_is_gone(tmp_path: Path) -> None:
    """A deleted project is scanned anew by the next run."""
    with fake_server() as server:
        found = read_one(server, tmp_path, claim())
    assert isinstance(found.error, StaleAnalysisError)


def test_an_analysis_that_ends_while_it_is_read(tmp_path: Path) -> None:
    """A new analysis between the questions is noticed after the last of them."""
    asked = []

    def answer(one: Asked) -> Served:
        if one.path.endswith("component_tree"):
            return (
                page(row("m1", "DIR", ncloc=1)) if "strategy" in one.params else page(row("m1/a.py", ncloc=1))
            )
        asked.append(one.path)
        return Served(body={"analyses": [{"key": f"A{len(asked)}", "date": "2026"}]})

    with serving(answer) as (url, _):
        found = read_one(FakeServer(url=url), tmp_path, claim())
    assert isinstance(found.error, StaleAnalysisError)


def test_the_others_are_read_all_the_same(tmp_path: Path) -> None:
    """One stale instance fails alone."""
    with fake_server() as server:
        held(server, "m1/a.py")
        found = list(reader(server, tmp_path).read([claim("i", analysis="A0"), claim("j")]))
    assert [one.error is None for one in found] == [False, True]


def test_a_tree_is_read_once_for_all_its_modules(tmp_path: Path) -> None:
    """A hundred instances of one batch are a handful of requests."""
    with fake_server() as server, serving(server.answer) as (url, asked):
        held(server, *(f"m{n}/a.py" for n in range(100)))
        server.url = url.rstrip("/")
        claims = [claim(f"i{n}", module=f"m{n}", components={"a.py": f"m{n}/a.py"}) for n in range(100)]
        assert not any(one.error for one in reader(server, tmp_path).read(claims))
    assert len(asked) <= 6


def test_a_receipt_of_other_files(tmp_path: Path) -> None:
    """A receipt that names other files than the record, or none, is not believed."""
    with fake_server() as server:
        held(server, "m1/b.py")
        found = read_one(server, tmp_path, claim(components={"b.py": "m1/b.py"}))
        none = read_one(server, tmp_path, Claim("i", {"patched": ["a.py"]}, {}, tuple))
    assert isinstance(found.error, StaleAnalysisError)
    assert isinstance(none.error, StaleAnalysisError)


def test_a_side_without_files(tmp_path: Path) -> None:
    """Nothing uploaded is nothing measured, and nothing is asked."""
    with fake_server() as server:
        found = read_one(server, tmp_path, Claim("i", {"base": []}, {"base": {}}, tuple))
    assert found.sides["base"].files == ()


def test_a_server_that_is_down_stops_all(tmp_path: Path) -> None:
    """Nothing can be read of a server that does not answer."""
    with pytest.raises(SonarServerError):
        read_one(FakeServer(url="http://127.0.0.1:1"), tmp_path, claim())


def test_a_file_that_did_not_parse(tmp_path: Path) -> None:
    """A file without measures on the server has a reason, with the line that the scanner's log gave."""
    with fake_server(broken={"m1/a.py"}) as server:
        held(server, "m1/a.py")
        found = read_one(server, tmp_path, claim(stopped_at_line={"a.py": 7}))
    (file,) = found.sides["patched"].files
    assert not file.parsed
    assert file.reason == "no longer parses: SonarQube could not parse it, line 7"


def test_a_log_alone_breaks_no_file(tmp_path: Path) -> None:
    """A file that the server measured parsed, whatever stands in the log of its batch."""
    with fake_server() as server:
        held(server, "m1/a.py")
        (file,) = read_one(server, tmp_path, claim(stopped_at_line={"a.py": 7})).sides["patched"].files
    assert file.parsed
    assert file.measures["ncloc"] == 3


def test_a_file_that_the_server_left_out(tmp_path: Path) -> None:
    """Where one of two uploaded files lacks, the message says what leaves files out."""
    with fake_server() as server:
        held(server, "m1/a.py")
        both = {"a.py": "m1/a.py", "huge.py": "m1/huge.py"}
        one = Claim("i", {"patched": list(both)}, {"patched": receipt(components=both)}, tuple)
        found = read_one(server, tmp_path, one)
    assert isinstance(found.error, StaleAnalysisError)
    assert "lacks the files ['m1/huge.py'] and has [] besides" in str(found.error)
    assert "above 20 MB" in str(found.error)


def test_a_metric_that_the_version_lacks(tmp_path: Path) -> None:
    """A file that parsed, on a server without one of the study's metrics, has the reason and no 0."""
    with fake_server() as server:
        held(server, "m1/a.py")
        (file,) = read_one(server, tmp_path, claim()).sides["patched"].files
    assert file.parsed
    assert "cognitive_complexity" not in file.measures
    assert "no measure of" in str(file.reason) and "cognitive_complexity" in str(file.reason)


def test_duplications_are_not_applicable_in_batches(tmp_path: Path) -> None:
    """Where they were not looked for there is no 0."""
    with fake_server() as server:
        held(server, "m1/a.py")
        off = read_one(server, tmp_path, claim(), duplications=False).sides["patched"].files[0]
        on = read_one(server, tmp_path, claim()).sides["patched"].files[0]
    assert "duplicated_lines" in off.not_applicable
    assert "duplicated_lines" not in off.measures
    assert on.measures["duplicated_lines"] == 0


def test_base_measures_are_kept_and_read_without_a_server(tmp_path: Path) -> None:
    """The base side of one study serves another, whose receipt says so; the patched side does not."""
    with fake_server() as server:
        held(server, "m1/a.py")
        one = reader(server, tmp_path)
        first = [found.sides for found in one.read([claim("i", "base"), claim("j", uploaded="cd" * 32)])]
    down = FakeServer(url="http://127.0.0.1:1")
    again = read_one(down, tmp_path, claim("k", "base", kept=True)).sides["base"]
    assert again == first[0]["base"]
    assert KeptMeasures(tmp_path, {"v": "1"}).get("cd" * 32) is None


def test_kept_measures_that_are_gone(tmp_path: Path) -> None:
    """Where the kept file was lost after the receipt was written the next run scans."""
    found = read_one(FakeServer(url="http://127.0.0.1:1"), tmp_path, claim("k", "base", kept=True))
    assert isinstance(found.error, StaleAnalysisError)


def test_what_is_kept_is_what_was_read() -> None:
    """Measures survive their record, whatever their kind."""
    side = SideMeasures((), {"ncloc": 3, "sqale_debt_ratio": 0.4}, ("ncloc",))
    assert measures_from(measures_record(side)) == side
    with pytest.raises(StaleAnalysisError, match="another form"):
        measures_from({"files": [{}]})


def test_which_metrics_are_sums() -> None:
    """Counts and minutes add up over files; ratios, ratings and efforts to reach a rating do not."""
    more = (Metric("sqale_index", "WORK_DUR"), Metric("effort_to_reach_maintainability_rating_a", "WORK_DUR"))
    assert additive_keys((*METRICS, *more, Metric("sqale_rating", "RATING"))) == (
        "ncloc",
        "complexity",
        "violations",
        "duplicated_lines",
        "sqale_index",
    )
