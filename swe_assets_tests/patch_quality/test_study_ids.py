"""Which names and ids can be folders and partitions."""

import pytest

from swe_assets.errors import StudyError
from swe_assets.patch_quality.study_ids import check_ids, check_name


@pytest.mark.parametrize("name", ["a", "rag_gpt4", "a" * 40])
def test_good_names(name: str) -> None:
    """A small letter, then small letters, digits and underscores, 40 at most."""
    assert check_name(name) == name


@pytest.mark.parametrize("name", ["", "1a", "A", "a-b", "a" * 41, "a\n", "../a", "ä", "a.b", ".a"])
def test_bad_names(name: str) -> None:
    """Anything else is refused and shown."""
    with pytest.raises(StudyError, match="cannot be the name of a study"):
        check_name(name)


def test_good_ids() -> None:
    """The ids of the public benchmarks can be partitions."""
    check_ids(["astropy__astropy-12907", "scikit-learn__scikit-learn-10297", "a.b+c@1=2", "_x", "a" * 200])


@pytest.mark.parametrize(
    ("instance_id", "says"),
    [
        ("a/b", "has '/'"),
        ("a\\b", "in it"),
        ("..", "has '..' in it"),
        ("a...b", "has '..' in it"),
        ("a\0", r"has '\\x00'"),
        ("a\nb", r"has '\\n'"),
        ("a b", "has ' '"),
        ("a,b", "has ','"),
        ("é", "has 'é'"),
        ("a\u202eb", r"has '\\u202e'"),
        ("\ud800", r"has '\\ud800'"),
        (".git", r"begins with '\.'"),
        ("-rf", "begins with '-'"),
        ("a" * 201, "longer than 200"),
        ("", "is empty"),
    ],
)
def test_bad_ids(instance_id: str, says: str) -> None:
    """An id that could leave its folder or break a range is refused with its fault."""
    with pytest.raises(StudyError, match=says):
        check_ids(["fine", instance_id])


def test_ids_that_differ_by_case() -> None:
    """Ids that a file system without case could not tell apart are refused together."""
    with pytest.raises(StudyError, match="'a__B', 'a__b'"):
        check_ids(["a__B", "a__c", "a__b"])
