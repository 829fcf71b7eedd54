"""The rule that says which files are tests."""

import gzip
import json
import re

import pytest

from swe_assets.repositories import is_test_path
from swe_assets_tests.shared_data import shared

TESTS = [
    "tests/data.json",
    "pkg/tests/helpers.py",
    "test/x.py",
    "testing/python/integration.py",
    "a/test_suite/x.py",
    "auth_tests/models.py",
    "test_mod.py",
    "pkg/mod_test.py",
    "pkg/tests.py",
    "conftest.py",
    "Tests/Test_Upper.PY",
]
NOT_TESTS = [
    "pkg/mod.py",
    "pkg/attest.py",
    "contest/mod.py",
    "pkg/latest.py",
    "pkg/testify.py",
    "docs/testing.txt",
    "pkg/test_data.json",
    "protests/mod.py",
    "tests",
]


@pytest.mark.parametrize("path", TESTS)
def test_a_test_is_known_by_its_folder_or_name(path: str) -> None:
    """A file in a test folder or with a test's name is a test, in any case."""
    assert is_test_path(path)


@pytest.mark.parametrize("path", NOT_TESTS)
def test_other_files_are_no_tests(path: str) -> None:
    """A name that only contains the word, or a data file outside a test folder, is none."""
    assert not is_test_path(path)


def test_splits_swe_bench_as_its_authors_did() -> None:
    """No file of the 500 gold patches is a test, and every file of the test patches is."""
    with gzip.open(shared("data", "swebench", "verified_500.jsonl.gz"), "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for column, wanted in (("patch", False), ("test_patch", True)):
        paths = {path for row in rows for path in re.findall(r"^\+\+\+ b/(.*)$", row[column], re.MULTILINE)}
        assert len(paths) > 300
        assert {is_test_path(path) for path in paths} == {wanted}
