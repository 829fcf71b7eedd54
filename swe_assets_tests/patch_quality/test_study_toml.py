"""study.toml's writer: what it writes, the standard library reads back equal."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swe_assets.errors import StudyError
from swe_assets.patch_quality.study_toml import to_toml

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
SCALARS = TEXTS | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=5))
def test_round_trip(table: dict[str, Any]) -> None:
    """Any nesting of texts, numbers, truth values, lists and tables comes back equal."""
    assert tomllib.loads(to_toml(table)) == table


def test_control_characters() -> None:
    """Every control character survives, in keys and in values."""
    text = "".join(map(chr, range(0x20))) + '"\\\x7f\x85\u2028'
    assert tomllib.loads(to_toml({text: text})) == {text: text}


def test_lone_surrogates() -> None:
    """A lone surrogate, which no file can hold, becomes the replacement character."""
    assert "\ufffd" in tomllib.loads(to_toml({"a": "x\ud800y"}))["a"]


def test_no_injection() -> None:
    """A value cannot end its string and begin a key of its own."""
    hostile = '"\njudge = "gemini'
    assert tomllib.loads(to_toml({"name": hostile})) == {"name": hostile}


def test_no_form() -> None:
    """A value that TOML has no form for is an error."""
    with pytest.raises(StudyError, match="no form for None"):
        to_toml({"a": None})
