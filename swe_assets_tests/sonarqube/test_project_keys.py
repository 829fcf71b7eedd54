"""Any names make one allowed key, and no two the same."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swe_assets.errors import StudyError
from swe_assets.sonarqube.project_keys import LONGEST_KEY, project_key

ALLOWED = re.compile(r"[A-Za-z0-9_.:-]{1,400}", re.ASCII)
NAMES = st.lists(st.text(max_size=30), min_size=1, max_size=3).filter(any)


def test_plain_names_stay_readable() -> None:
    """An instance id is its own key."""
    assert project_key("estudo", "django__django-11734") == "estudo:django__django-11734"


def test_digits_alone_get_a_mark() -> None:
    """A key has at least one character that is no digit."""
    assert project_key("12345") == ".312345"


@given(NAMES)
def test_every_key_is_allowed(names: list[str]) -> None:
    """Whatever the names are, the server's rule for keys holds."""
    key = project_key(*names)
    assert ALLOWED.fullmatch(key)
    assert not key.isdigit()


@given(NAMES, NAMES)
def test_no_two_names_have_one_key(one: list[str], other: list[str]) -> None:
    """Different names have different keys, also for a server that does not tell upper from lower case."""
    assert (project_key(*one).lower() == project_key(*other).lower()) == (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("a", "b"), ("a:b",)),
        (("a",), ("A",)),
        (("a/b",), ("a.2fb",)),
        (("1",), (".311",)),
        (("x" * 500 + "a",), ("x" * 500 + "b",)),
        (("é" * 300,), ("é" * 299,)),
        (("a", ""), ("a",)),
    ],
)
def test_names_that_look_alike_differ(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    """Separators, escapes and cuts never make two names one."""
    keys = project_key(*one), project_key(*other)
    assert keys[0] != keys[1]
    assert all(len(key) <= LONGEST_KEY for key in keys)


@pytest.mark.parametrize("names", [(), ("",), ("", "")])
def test_no_name_is_no_key(names: tuple[str, ...]) -> None:
    """Without a name there is no project."""
    with pytest.raises(StudyError):
        project_key(*names)
