"""What the assets about judges read of an instance."""

import pytest

from swe_assets.patch_quality.judged import why_unmeasured


@pytest.mark.parametrize(
    ("reason", "only_tests", "expected"),
    [
        ("only_tests", True, "only_tests"),
        ("only_tests", False, "only_tests_in_python"),
        ("no_python", False, "no_python"),
        ("", False, ""),
    ],
)
def test_of_tests_alone_is_a_patch_of_no_other_file(reason: str, only_tests: bool, expected: str) -> None:
    """A patch of Python tests and, say, a C file can pass, and is not counted among those of tests alone."""
    assert why_unmeasured(reason, {"flags": {"only_tests": only_tests}}) == expected
