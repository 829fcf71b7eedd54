"""Models are found by name, and a name that is not known is answered with those that are."""

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.llm.registry import ModelSettings, model_named, register
from swe_assets.llm.rehearsal import RehearsalModel


@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        ("rehearsal", "rehearsal"),
        (" gemini ", "gemini:gemini-2.5-flash"),
        ("gemini:gemini-2.5-pro", "gemini:gemini-2.5-pro"),
    ],
)
def test_known_names(name: str, known_as: str) -> None:
    """A known name gives the model that says so, ready for its provenance."""
    assert model_named(name, ModelSettings(check=False)).name == known_as


@pytest.mark.parametrize("name", ["", "gpt", "Gemini", ":x"])
def test_unknown_names(name: str) -> None:
    """An unknown name is quoted and the known ones listed."""
    with pytest.raises(ConfigurationError, match=r"unknown judge .*gemini, gemini:MODEL, rehearsal"):
        model_named(name)


@pytest.mark.parametrize("name", ["rehearsal:x", "replay", "replay: ", "openai", "anthropic:"])
def test_names_with_a_wrong_part(name: str) -> None:
    """A variant where there is none, or none where there must be one, is refused with the right form."""
    with pytest.raises(ConfigurationError, match="write"):
        model_named(name)


@pytest.mark.parametrize("provider", ["rehearsal", "a:b", " "])
def test_names_that_cannot_be_registered(provider: str) -> None:
    """A taken or impossible provider name is refused."""
    with pytest.raises(ConfigurationError, match="taken or not usable"):
        register(provider, lambda variant, settings: RehearsalModel())
