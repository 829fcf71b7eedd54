"""models.toml gives the models that a user names, and says what to write where it is wrong."""

from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.llm.registry import ModelSettings, model_named
from swe_assets.llm.spec_file import read_specs, spec_named, specs
from swe_assets.llm.specs import ModelSpec

WHOLE = """
[models.house]
provider = "openai"
model = "qwen3-32b"
base_url = "http://127.0.0.1:8000/v1"
key = "HOUSE_API_KEY"
temperature = 0.5
top_p = 0.9
seed = 7
max_tokens = 2000
timeout_s = 30
requests_per_minute = 60
tokens_per_minute = 100000
concurrency = 8
price_in = 0.1
price_out = 0.2
structured = "json_object"
"""


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return an empty SWE_ASSETS_HOME."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path))
    return tmp_path


def write(folder: Path, text: str) -> Path:
    """Write a models.toml and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "models.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_field_is_read(home: Path) -> None:
    """Each field of a table stands in the specification, its address with a slash at its end."""
    write(home, WHOLE)
    assert spec_named("house") == ModelSpec(
        id="house",
        provider="openai",
        model="qwen3-32b",
        base_url="http://127.0.0.1:8000/v1/",
        key="HOUSE_API_KEY",
        temperature=0.5,
        top_p=0.9,
        seed=7,
        max_tokens=2000,
        timeout_s=30.0,
        requests_per_minute=60.0,
        tokens_per_minute=100000.0,
        concurrency=8,
        price_in=0.1,
        price_out=0.2,
        structured="json_object",
    )


def test_a_model_of_the_file_is_called_as_it_says(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An id gives a model whose name is the id and whose provenance holds what shapes its answers."""
    write(home, WHOLE)
    monkeypatch.setenv("HOUSE_API_KEY", "house-secret-1")
    model = model_named("house")
    assert model.name == "house"
    assert model.provenance() == {
        "provider": "openai",
        "model": "qwen3-32b",
        "temperature": "0.5",
        "top_p": "0.9",
        "seed": "7",
        "max_tokens": "2000",
        "base_url": "http://127.0.0.1:8000/v1/",
        "structured": "json_object",
    }


def test_a_study_s_own_file_wins(home: Path) -> None:
    """An id in a study's folder hides that of the home; the others stay."""
    write(home, '[models.a]\nprovider="gemini"\nmodel="g1"\n[models.b]\nprovider="gemini"\nmodel="g2"\n')
    write(home / "study", '[models.a]\nprovider = "gemini"\nmodel = "g3"\n')
    found = specs(home / "study")
    assert {name: spec.model for name, spec in found.items()} == {"a": "g3", "b": "g2"}
    assert model_named("a", ModelSettings(check=False, folder=home / "study")).provenance()["model"] == "g3"


@pytest.mark.parametrize(
    ("provider", "key"), [("gemini", "GEMINI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY")]
)
def test_own_services_have_their_keys(provider: str, key: str, home: Path) -> None:
    """A service's own address goes with its usual key; an address of one's own with none but the named."""
    write(
        home,
        f'[models.a]\nprovider="{provider}"\nmodel="m"\n[models.b]\nprovider="{provider}"\nmodel="m"\n'
        'base_url="https://proxy.example/"\n',
    )
    assert (spec_named("a").key, spec_named("b").key) == (key, None)


def test_what_newer_claude_models_refuse_is_not_sent_unasked(home: Path) -> None:
    """Anthropic gets no temperature unless the file says one; elsewhere 0, if not left to the provider."""
    write(
        home,
        '[models.a]\nprovider="anthropic"\nmodel="m"\n[models.b]\nprovider="anthropic"\nmodel="m"\n'
        'temperature=0.0\n[models.c]\nprovider="openai"\nmodel="m"\ntemperature="provider"\n',
    )
    assert [spec_named(name).temperature for name in "abc"] == [None, 0.0, None]
    assert spec_named("anthropic:m").temperature is None
    assert spec_named("openai:m").temperature == 0.0


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('modle = "x"', "unknown field 'modle': the fields are provider, model"),
        ("provider = 3", "provider is 3: write a short text"),
        ('provider = "gpt"', "provider is 'gpt': write one of anthropic, gemini"),
        ('model = ""', "model is '': write a short text"),
        ('base_url = "http://example.org/v1"', "base_url is refused: .*unprotected"),
        ('base_url = "https://u:hidden@example.org"', "base_url is refused: .*credentials"),
        ('key = "hk-hidden0123456789abcdef"', "key looks like a key itself: write the NAME"),
        ('key = "XKIAHIDDEN0123456789"', "key looks like a key itself"),
        ('key = "house key"', "key is 'house key': write the name"),
        ("temperature = 3", "temperature is 3: write a number from 0 to 2"),
        ("temperature = true", "temperature is True: write a number"),
        ("temperature = nan", "temperature is nan: write a number"),
        ('temperature = "warm"', "temperature is 'warm': write a number"),
        ('top_p = "0.5"', "top_p is '0.5': write a number from 0 to 1"),
        ("seed = 1.5", "seed is 1.5: write a whole number"),
        ("max_tokens = 0", "max_tokens is 0: write a whole number from 1"),
        ("max_tokens = 9\nlonger_max_tokens = 9", "longer_max_tokens is not longer than max_tokens"),
        ("timeout_s = inf", "timeout_s is inf: write a number"),
        ("concurrency = true", "concurrency is True: write a whole number"),
        ("requests_per_minute = -1", "requests_per_minute is -1"),
        ("price_in = 1", "give price_in and price_out, or neither"),
        ('structured = "yes"', "structured is 'yes': write one of json_schema, json_object, none"),
        ('api_version = "2024-10-21"\nprovider = "gemini"', "api_version is for the provider openai"),
        ('seed = 1\nprovider = "anthropic"', "anthropic takes no seed"),
        ('key = "A_KEY"\nprovider = "rehearsal"', "rehearsal calls no service"),
    ],
)
def test_a_wrong_field_is_named_with_the_way_out(line: str, says: str, tmp_path: Path) -> None:
    """The message names file, model and field and what to write, and repeats no secret."""
    own = "" if "provider" in line else 'provider = "openai"\n'
    model = "" if line.startswith("model") else 'model = "m"\n'
    path = write(tmp_path, f"[models.x]\n{own}{model}{line}\n")
    with pytest.raises(ConfigurationError, match=says) as wrong:
        read_specs(path)
    assert str(path) in str(wrong.value)
    assert "[models.x]" in str(wrong.value)
    assert "hidden" not in str(wrong.value).lower()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[models.x", "is not TOML"),
        ("[model.x]", "has 'model': it holds"),
        ("models = 3", "write a table"),
        ("[models]\nx = 3", "is no table"),
        ('[models."a b"]', "names a model 'a b'"),
        ('[models."../x"]', "names a model"),
        ("[models.rehearsal]", "the name 'rehearsal' is taken"),
        ('[models.x]\nprovider="gemini"\n[models.x]', "is not TOML"),
        ("[models.x]\nmodel = 'm'", "provider is None: write one of"),
        ('[models.x]\nprovider = "openai"', "model is missing"),
    ],
)
def test_a_wrong_file_is_refused(text: str, says: str, tmp_path: Path) -> None:
    """What is not tables of models is refused with what is wrong."""
    with pytest.raises(ConfigurationError, match=says):
        read_specs(write(tmp_path, text))


def test_a_broken_line_is_not_repeated(tmp_path: Path) -> None:
    """TOML's own message is left out: the line that it quotes may hold a secret."""
    path = write(tmp_path, '[models.x]\nkey = "sk-hidden" sk-hidden\n')
    with pytest.raises(ConfigurationError, match="is not TOML") as wrong:
        read_specs(path)
    assert "hidden" not in str(wrong.value)
    assert wrong.value.__cause__ is None


def test_no_file_names_no_model(home: Path) -> None:
    """Without a file the names of providers still work; an unknown one is answered with where to add it."""
    assert specs() == {}
    assert spec_named("gemini").model == "gemini-2.5-flash"
    with pytest.raises(ConfigurationError, match=r"unknown judge 'house'.*gemini.*models\.toml"):
        spec_named("house")


def test_unreadable_bytes_are_refused(tmp_path: Path) -> None:
    """A file that is not UTF-8 is refused unsaid."""
    path = tmp_path / "models.toml"
    path.write_bytes(b'[models.x]\nkey = "\xff"')
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_specs(path)
