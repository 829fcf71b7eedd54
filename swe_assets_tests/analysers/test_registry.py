"""Analysers by name."""

import pytest

from swe_assets.analysers.registry import analyser_named, analyser_names, register_analyser
from swe_assets.errors import ConfigurationError


@pytest.mark.parametrize("name", analyser_names())
def test_each_known_name_gives_its_analyser(name: str) -> None:
    """What is registered under a name goes by that name."""
    assert analyser_named(name).name == name


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    """The message quotes the name that was asked for and those that exist."""
    with pytest.raises(ConfigurationError, match=r"'sonar'.*embedded"):
        analyser_named("sonar")


def test_a_taken_name_is_refused() -> None:
    """Nobody replaces an analyser under the feet of a study."""
    with pytest.raises(ConfigurationError, match="'embedded'"):
        register_analyser("embedded", lambda: analyser_named("embedded"))
