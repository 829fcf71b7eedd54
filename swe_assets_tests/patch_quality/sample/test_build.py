"""What the built sample holds, and that it is the same on every machine."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from swe_assets.errors import ConfigurationError, InputError
from swe_assets.patch_quality.sample import Sample, build
from swe_assets.patch_quality.sample.build import UNKNOWN


def rows(path: Path) -> list[dict[str, Any]]:
    """Read JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def refs(bare: Path) -> str:
    """List every object of a bare repository with its id and kind."""
    listing = ["git", "-C", str(bare), "cat-file", "--batch-all-objects", "--batch-check"]
    return subprocess.run(listing, capture_output=True, text=True, check=True).stdout


def test_second_build_is_the_same(sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another build, with other git settings and another clock zone, has the same bytes and git objects."""
    config = tmp_path / "gitconfig"
    config.write_text("[user]\nname = Somebody\n[init]\ndefaultBranch = trunk\n[core]\nautocrlf = true\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2001-01-01T00:00:00")
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    other = build(tmp_path / "other")
    for one, two in zip(vars_of(sample), vars_of(other), strict=True):
        assert one.read_bytes() == two.read_bytes()
    for bare in sorted(sample.repos.iterdir()):
        assert refs(bare) == refs(other.repos / bare.name) != ""


def vars_of(sample: Sample) -> tuple[Path, Path, Path]:
    """Return the three input files."""
    return sample.predictions, sample.results, sample.dataset


def test_known_commit_ids(sample: Sample) -> None:
    """The commit ids are the ones this sample has always had."""
    heads = {}
    for bare in sorted(sample.repos.iterdir()):
        asked = ["git", "-C", str(bare), "rev-parse", "main"]
        heads[bare.name] = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    assert heads == HEADS


HEADS = {
    "swe-sample__atlas.git": "7051ad4a6d8cf4784b5307cfd611a91e8d7b0698",
    "swe-sample__ledger.git": "04f157da8cef15ede0bda95ae46621d48bdc4daa",
    "swe-sample__relay.git": "8ee033f2f191460a620ce70b4ed3a3b45ce38d1a",
}


def test_base_commits_exist(sample: Sample) -> None:
    """Every base commit is in its repository, and each repository's instances start from several commits."""
    bases: dict[str, set[str]] = {}
    for row in rows(sample.dataset):
        bases.setdefault(row["repo"], set()).add(row["base_commit"])
    for repo, commits in bases.items():
        bare = sample.repos / f"{repo.replace('/', '__')}.git"
        assert commits <= {line.split()[0] for line in refs(bare).splitlines() if " commit " in line}
        assert len(commits) >= 4


def test_dataset_is_like_swe_bench(sample: Sample) -> None:
    """At least 80 instances with unique ids, text in three languages, some of it with CRLF."""
    dataset = rows(sample.dataset)
    texts = [row["problem_statement"] for row in dataset]
    assert len({row["instance_id"] for row in dataset}) == len(dataset) >= 80
    assert all(
        row["patch"].startswith("diff --git") and row["test_patch"] and row["version"] for row in dataset
    )
    assert {"base_commit", "repo"} <= dataset[0].keys()
    assert 5 < sum("\r\n" in text for text in texts) < 40
    assert any("ã" in text for text in texts)
    assert any("应当" in text for text in texts)
    assert not any("{" in text.split("```")[0] for text in texts)


def test_predictions_as_they_really_come(sample: Sample) -> None:
    """One line is there twice, one id is unknown, one instance has no prediction, one patch is null."""
    ids = [row["instance_id"] for row in rows(sample.predictions)]
    known = {row["instance_id"] for row in rows(sample.dataset)}
    assert set(ids) - known == {UNKNOWN}
    assert len(known - set(ids)) == 1
    assert len(ids) == len(set(ids)) + 1
    assert sum(row["model_patch"] is None for row in rows(sample.predictions)) == 1


def test_results_know_their_ids(sample: Sample) -> None:
    """Every resolved id is in the dataset and in the predictions."""
    resolved = json.loads(sample.results.read_text())["resolved"]
    predicted = {row["instance_id"] for row in rows(sample.predictions)}
    assert set(resolved) <= predicted & {row["instance_id"] for row in rows(sample.dataset)}


def test_keeps_what_is_there(tmp_path: Path) -> None:
    """A sample that is there is kept, and built anew only by force."""
    made = build(tmp_path / "sample")
    made.results.write_text("mine")
    build(tmp_path / "sample")
    assert made.results.read_text() == "mine"
    build(tmp_path / "sample", force=True)
    assert "resolved" in json.loads(made.results.read_text())
    assert [path.name for path in tmp_path.iterdir()] == ["sample"]


@pytest.mark.parametrize("force", [False, True])
def test_never_replaces_other_files(tmp_path: Path, force: bool) -> None:
    """A folder that holds anything but a sample is refused, forced or not, and left as it is."""
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="something else than a sample"):
        build(tmp_path, force=force)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without git the error says so, and no half a sample is left behind."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigurationError, match="install git"):
        build(tmp_path / "sample")
    assert list(tmp_path.iterdir()) == []
