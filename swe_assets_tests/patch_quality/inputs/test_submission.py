"""A whole submission as one argument, from a folder or a web server."""

import gzip
import json
from pathlib import Path

import pytest

from swe_assets.errors import DownloadError, InputError
from swe_assets.patch_quality.inputs.sources import Sources
from swe_assets.patch_quality.inputs.submission import find_submission
from swe_assets_tests.patch_quality.inputs.web import Page, Web
from swe_assets_tests.shared_data import shared

BASE = "/o/experiments/main/evaluation/verified/20990101_demo"


def lay(folder: Path, **files: str) -> Path:
    """Write files, `__` standing for the folder's slash and `_dot_` for a dot, and return the folder."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_folder(tmp_path: Path, sources: Sources) -> None:
    """A folder in the leaderboard's layout gives its parts, its split's dataset, its metadata."""
    folder = tmp_path / "evaluation" / "verified" / "20990101_demo"
    lay(folder, all_preds_dot_jsonl="", results__results_dot_json="", metadata_dot_yaml="name: Demo")
    found = find_submission(str(folder), sources)
    assert (found.name, found.split, found.dataset) == (
        "20990101_demo",
        "verified",
        "SWE-bench/SWE-bench_Verified",
    )
    assert found.predictions == str(folder / "all_preds.jsonl")
    assert found.results == str(folder / "results" / "results.json")
    assert found.metadata == {"name": "Demo"}


@pytest.mark.parametrize(
    ("split", "dataset"),
    [("lite", "SWE-bench/SWE-bench_Lite"), ("test", "SWE-bench/SWE-bench"), ("mine", None)],
)
def test_split(tmp_path: Path, sources: Sources, split: str, dataset: str | None) -> None:
    """The folder above names the split, and the split its dataset; an unknown one none."""
    lay(tmp_path / split / "demo", preds_dot_json="")
    assert find_submission(str(tmp_path / split / "demo"), sources).dataset == dataset


def test_relative_folder(tmp_path: Path, sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative folder is recorded as given and as absolute."""
    lay(tmp_path / "verified" / "demo", preds_dot_json="")
    monkeypatch.chdir(tmp_path / "verified" / "demo")
    found = find_submission(".", sources)
    assert (found.given, found.location, found.name) == (".", str(tmp_path / "verified" / "demo"), "demo")


def test_reports_as_results(tmp_path: Path, sources: Sources) -> None:
    """Without a results file the folder of logs with reports is the results."""
    folder = lay(tmp_path / "demo", preds_dot_json="", logs__a__report_dot_json="{}")
    assert find_submission(str(folder), sources).results == str(folder / "logs")


def test_no_predictions(tmp_path: Path, sources: Sources) -> None:
    """A folder without predictions is an error that says what was looked for."""
    with pytest.raises(InputError, match=r"holds no predictions: looked for all_preds\.jsonl"):
        find_submission(str(tmp_path), sources)


def test_metadata_is_only_shown(tmp_path: Path, sources: Sources) -> None:
    """Metadata that cannot be read is left out and said, and the rest goes on."""
    folder = lay(tmp_path, preds_dot_json="", metadata_dot_yaml="a: &a [x]\nb: *a")
    found = find_submission(str(folder), sources)
    assert found.metadata == {}
    assert [note.code for note in found.notes] == ["metadata_not_read"]


def test_url(web: Web, sources: Sources) -> None:
    """A URL is asked for the known names in turn, plain and gzipped, and each file is fetched once."""
    web.pages[f"{BASE}/all_preds.jsonl.gz"] = Page(gzip.compress(b'{"a": "x"}'))
    web.pages[f"{BASE}/results/results.json"] = Page(json.dumps({"resolved": []}).encode())
    found = find_submission(web(BASE) + "/", sources)
    assert found.predictions == web(f"{BASE}/all_preds.jsonl.gz")
    assert (found.results, found.split, found.metadata) == (
        web(f"{BASE}/results/results.json"),
        "verified",
        {},
    )
    before = len(web.requests)
    assert sources.open(str(found.predictions)).gzipped
    assert len(web.requests) == before


def test_url_that_fails(web: Web, sources: Sources) -> None:
    """A server's failure is an error, not an absent file."""
    web.pages[f"{BASE}/all_preds.jsonl"] = Page(status=503)
    with pytest.raises(DownloadError, match="503"):
        find_submission(web(BASE), sources)


def test_secrets_of_the_url(web: Web, sources: Sources) -> None:
    """A submission's record has no secrets of its URL, which its files are still fetched with."""
    web.pages[f"{BASE}/preds.json"] = Page(b"{}")
    found = find_submission(web(BASE) + "?token=hunter2", sources)
    assert "hunter2" not in str(found.record())
    assert web.requests[-1][0].endswith("?token=hunter2")


@pytest.mark.parametrize(
    ("name", "results"),
    [
        ("polydev_hybrid_haiku45", "outcome.json"),
        ("vexp_claude_opus45_100", "outcome.jsonl.gz"),
        ("kat_coder_16gb_50", None),
    ],
)
def test_real_submissions(sources: Sources, name: str, results: str | None) -> None:
    """The real submissions' folders give their predictions, and the results of those that have them."""
    folder = shared("data", "swebench", "submissions", name)
    found = find_submission(str(folder), sources)
    assert found.results == (str(folder / results) if results else None)
    assert found.predictions is not None
