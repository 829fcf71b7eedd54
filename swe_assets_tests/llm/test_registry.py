"""Models are found by name, and a name that is not known is answered with those that are."""

from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.llm.called_model import CalledModel
from swe_assets.llm.protocol import ChatRequest
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


PACKAGE = """
from swe_assets.llm.protocol import ChatReply

class Provider:
    rehearsal = False
    def __init__(self, model, settings):
        self.spec = settings.spec
    def check(self): pass
    def send(self, request):
        return ChatReply(f"{self.spec.model} {self.spec.top_p}", self.spec.model, "served", "stop")
    def provenance(self):
        return {"provider": "plugged", "model": self.spec.model}
"""


@pytest.fixture
def plugged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with two providers, one of which cannot be loaded."""
    about = tmp_path / "plugged_judge-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged-judge\nVersion: 1\n")
    named = "plugged = plugged_judge:Provider\nbroken = plugged_judge:Missing\n"
    (about / "entry_points.txt").write_text(f"[swe_assets.providers]\n{named}")
    (tmp_path / "plugged_judge.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(tmp_path)


def test_an_installed_package_brings_a_provider(
    plugged: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A provider of an entry point is known by name and in models.toml, and gets attempts around it."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path))
    (tmp_path / "models.toml").write_text('[models.mine]\nprovider="plugged"\nmodel="m"\ntop_p=0.5\n')
    by_name, by_file = model_named("plugged:x"), model_named("mine")
    assert isinstance(by_name, CalledModel)
    assert by_name.complete(ChatRequest("s", "u")).text == "x None"
    assert by_file.complete(ChatRequest("s", "u")).text == "m 0.5"


def test_a_package_that_cannot_be_loaded(plugged: None) -> None:
    """A provider whose package is broken is refused with its place."""
    with pytest.raises(ConfigurationError, match=r"'broken' of 'plugged_judge:Missing' cannot be loaded"):
        model_named("broken")
