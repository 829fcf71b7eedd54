"""metadata.yaml as plain values, and hostile YAML held in bounds."""

import tomllib
from collections.abc import Callable

import pytest

from swe_assets.errors import InputError
from swe_assets.patch_quality.inputs.metadata import read_metadata
from swe_assets.patch_quality.inputs.sources import Source
from swe_assets.patch_quality.study_toml import to_toml

Opened = Callable[..., Source]
LEADERBOARD = """
info:
  name: RAG + GPT 4 (1106)
  site: https://example.org
  logs: null
tags:
  checked: true
  model: [gpt-4-1106]
  date: 2024-04-02
  share: 2.8
"""


def test_leaderboard_metadata(opened: Opened) -> None:
    """The leaderboard's form comes as plain values, dates as text, nulls left out, and fits TOML."""
    found = read_metadata(opened(LEADERBOARD, "metadata.yaml"))
    assert found["info"] == {"name": "RAG + GPT 4 (1106)", "site": "https://example.org"}
    assert found["tags"] == {"checked": True, "model": ["gpt-4-1106"], "date": "2024-04-02", "share": 2.8}
    assert tomllib.loads(to_toml(found)) == found


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: &a [x]\nb: [*a, *a]", "aliases"),
        ("a: !!python/object/apply:os.system ['true']", "not usable YAML"),
        ("[" * 10_000, "nested deeper"),
        ("- " * 5_000, "nested deeper"),
        ("a: " + "[" * 20 + "]" * 20, "nested deeper"),
        ("a: [" + "x," * 2000 + "]", "more than 1000 values"),
        ("- a", "no mapping"),
        ("", "no mapping"),
        ("a: [", "not usable YAML"),
        ("a: " + "9" * 5000, "not usable YAML"),
        ("a\0b: 1", "NUL bytes"),
    ],
)
def test_refused(opened: Opened, text: str, says: str) -> None:
    """YAML that is no mapping, or out of bounds, is an error."""
    with pytest.raises(InputError, match=says):
        read_metadata(opened(text))


@pytest.mark.parametrize(
    "value", [".nan", ".inf", "0x" + "f" * 40, "!!binary aGk=", "'\\ud800'", "'" + "x" * 9000 + "'"]
)
def test_strange_values_become_texts(opened: Opened, value: str) -> None:
    """Values that TOML or UTF-8 cannot hold become short texts."""
    found = read_metadata(opened(f"a: {value}"))
    assert tomllib.loads(to_toml(found)) == found
    assert len(str(found["a"])) < 5000
