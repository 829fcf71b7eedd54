"""Datasets from files and folders: the needed columns, exactly as they are."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from swe_assets.errors import DatasetError, InputError
from swe_assets.patch_quality.inputs.dataset import DatasetRow, LoadedDataset, check_row, read_dataset
from swe_assets.patch_quality.inputs.limits import Limits
from swe_assets.patch_quality.inputs.sources import Sources
from swe_assets_tests.patch_quality.inputs.hub_pages import ROWS, parquet
from swe_assets_tests.shared_data import shared

Read = Callable[..., LoadedDataset]
RECORDS = [dict(zip(ROWS, values, strict=True)) for values in zip(*ROWS.values(), strict=True)]
LINES = "".join(json.dumps(record) + "\n" for record in RECORDS)


@pytest.fixture
def read(tmp_path: Path, sources: Sources) -> Read:
    """Give a function that writes bytes or text to a file and reads it as a dataset."""

    def write_and_read(content: bytes | str) -> LoadedDataset:
        (tmp_path / "data").write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_dataset(str(tmp_path / "data"), sources)

    return write_and_read


@pytest.mark.parametrize(
    "content",
    [
        LINES,
        gzip.compress(LINES.encode()),
        json.dumps(RECORDS, indent=1),
        json.dumps({record["instance_id"]: record for record in RECORDS}),
        json.dumps({r["instance_id"]: {k: v for k, v in r.items() if k != "instance_id"} for r in RECORDS}),
        parquet(ROWS),
    ],
    ids=["lines", "gzip", "list", "keyed", "keyed without id", "parquet"],
)
def test_forms(read: Read, content: bytes | str) -> None:
    """Every form gives the same rows, texts byte for byte, in the file's order."""
    found = read(content)
    assert [row.problem_statement for row in found.rows.values()] == ROWS["problem_statement"]
    assert list(found.rows) == ROWS["instance_id"]


def test_saved_folder(tmp_path: Path, sources: Sources) -> None:
    """A folder that `datasets` saved is read by `datasets`, with a sha256 of all its files."""
    import datasets

    table = datasets.Dataset.from_dict(ROWS)
    table.save_to_disk(str(tmp_path / "one"))
    datasets.DatasetDict({"test": table}).save_to_disk(str(tmp_path / "splits"))
    one, splits = (read_dataset(str(tmp_path / name), sources) for name in ("one", "splits"))
    assert one.rows == splits.rows
    assert len(one.record["sha256"]) == 64
    with pytest.raises(DatasetError, match="no split 'dev'; its splits are 'test'"):
        read_dataset(str(tmp_path / "splits"), sources, split="dev")


def test_no_saved_folder(tmp_path: Path, sources: Sources) -> None:
    """Any other folder is refused with what a dataset may be."""
    with pytest.raises(DatasetError, match="none that `datasets` saved"):
        read_dataset(str(tmp_path), sources)


@pytest.mark.parametrize("form", ["json", "parquet"])
def test_missing_columns(read: Read, form: str) -> None:
    """Columns that are missing are named, all of them."""
    rows: dict[str, list[Any]] = {"instance_id": ["a"], "repo": ["o/r"]}
    content = parquet(rows) if form == "parquet" else json.dumps([{"instance_id": "a", "repo": "o/r"}])
    with pytest.raises(DatasetError, match="missing columns: base_commit, problem_statement; there are"):
        read(content)


def changed(**values: Any) -> str:
    """Return the two records as lines, the second with other values."""
    return json.dumps(RECORDS[0]) + "\n" + json.dumps(RECORDS[1] | values)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (changed(instance_id="o__r-1"), "more than once in the dataset: 'o__r-1'"),
        (changed(repo=None), "line 2: repo is None"),
        (changed(base_commit=7), "line 2: base_commit is 7"),
        (changed(instance_id=""), "line 2: instance_id is ''"),
        (changed(problem_statement=["x"]), r"line 2: problem_statement is \['x'\]"),
        ("[]", "the dataset has no rows"),
        ("[1]", "line 1: found 1"),
        ('{"a": 1}', "line 1: found 1"),
        (b"PAR1 and nothing else", "not readable parquet"),
        (gzip.compress(parquet(ROWS)), "parquet inside gzip"),
    ],
)
def test_refused(read: Read, content: bytes | str, says: str) -> None:
    """A dataset that cannot be used is an error that says what and where."""
    with pytest.raises(DatasetError, match=says):
        read(content)


def test_absent_statement(read: Read) -> None:
    """A null problem statement is an empty one."""
    assert read(changed(problem_statement=None)).rows["o__r-2"].problem_statement == ""


def test_single_row(read: Read) -> None:
    """One row alone on one line is one row, not an object keyed by id."""
    assert list(read(json.dumps(RECORDS[0])).rows) == ["o__r-1"]


def test_parquet_bomb(read: Read) -> None:
    """Parquet that decodes to more than the limit is refused."""
    rows = ROWS | {"problem_statement": ["x" * 100_000] * 2}
    with pytest.raises(DatasetError, match="more than 65,536 bytes of text"):
        read(parquet(rows))


@pytest.mark.parametrize("given", ["nothing-here", "dir/none.jsonl", "a/b/c", "-x/y", "a\0/b", "x" * 5000])
def test_neither_file_nor_name(sources: Sources, given: str) -> None:
    """What is no file and no name of a dataset is refused without asking the Hub."""
    with pytest.raises(DatasetError, match="no such file or folder, nor the name of a dataset"):
        read_dataset(given, sources)


@pytest.mark.parametrize(
    ("commit", "repo", "good"),
    [
        ("1" * 40, "o/r", True),
        ("abcdef1", "o/r.x-y_z", True),
        ("--upload-pack=x", "o/r", False),
        ("HEAD", "o/r", False),
        ("1" * 40, "../../x", False),
        ("1" * 40, "-o/r", False),
        ("1" * 40, "o/r/../x", False),
        ("1" * 40, "https://h/o", False),
    ],
)
def test_check_row(commit: str, repo: str, good: bool) -> None:
    """A commit must be hexadecimal and a repository a plain name, or the instance is named in an error."""
    row = DatasetRow("a__b-1", repo, commit, "")
    if good:
        check_row(row)
        return
    with pytest.raises(DatasetError, match=r"'a__b-1' is .*(not a commit id|OWNER/NAME)"):
        check_row(row)


def test_url(web: Any, sources: Sources) -> None:
    """A dataset behind a URL is told by its content, too."""
    from swe_assets_tests.patch_quality.inputs.web import Page

    web.pages["/d"] = Page(parquet(ROWS))
    assert read_dataset(web("/d"), sources).record["form"] == "parquet"


def test_real_dataset(tmp_path: Path) -> None:
    """The real 500 keep the carriage returns of 252 problem statements."""
    found = read_dataset(
        str(shared("data", "swebench", "verified_500.jsonl.gz")), Sources(tmp_path, Limits())
    )
    assert len(found.rows) == 500
    assert sum("\r" in row.problem_statement for row in found.rows.values()) == 252
    assert all(re.fullmatch("[0-9a-f]{40}", row.base_commit) for row in found.rows.values())


def test_lines_of_a_dataset_are_bounded(sources: Sources, tmp_path: Path) -> None:
    """A dataset over the limit is refused like any input."""
    (tmp_path / "d.jsonl").write_text(LINES * 1000)
    with pytest.raises(InputError, match="--max-input-bytes"):
        read_dataset(str(tmp_path / "d.jsonl"), sources)
