"""The key comes from the environment, then from .env; a missing or impossible one is refused at once."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from swe_assets.errors import ConfigurationError
from swe_assets.llm import keys
from swe_assets.llm.keys import find_key, withhold_from_logs
from swe_assets.llm.registry import ModelSettings, model_named

NAME = "GEMINI_API_KEY"


def test_a_key_may_come_while_records_are_filtered() -> None:
    """The keys that a filter goes through are not changed under it: a further key makes a new set."""
    withhold_from_logs(SecretStr("planted-key-one"))
    before = keys._withheld.keys
    going = iter(before)
    withhold_from_logs(SecretStr("planted-key-two"))
    assert {*going} == {*before}
    assert {"planted-key-one", "planted-key-two"} <= keys._withheld.keys


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each test starts without a key, its home an empty folder."""
    monkeypatch.delenv(NAME, raising=False)
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path))


def test_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A key in the environment wins over one in .env."""
    (tmp_path / ".env").write_text(f"{NAME}=from-file\n")
    monkeypatch.setenv(NAME, " from-environment ")
    assert find_key(NAME).get_secret_value() == "from-environment"


@pytest.mark.parametrize(
    "line", [f"{NAME}=from-file", f"export {NAME}='from-file'", f'{NAME} = "from-file" # x']
)
def test_the_file_is_read(line: str, tmp_path: Path) -> None:
    """A line of .env gives the key, also where the environment has a blank one."""
    (tmp_path / ".env").write_text(f"OTHER=1\n{line}\n")
    assert find_key(NAME).get_secret_value() == "from-file"


def test_a_missing_key_is_refused_before_any_call(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without GEMINI_API_KEY the model is refused with the way out; GOOGLE_API_KEY does not stand in."""
    monkeypatch.setenv("GOOGLE_API_KEY", "AIzaAnother")
    with pytest.raises(
        ConfigurationError, match=r"GEMINI_API_KEY is not set: export .*\.env.*rehearsal"
    ) as refused:
        model_named("gemini")
    assert "AIzaAnother" not in str(refused.value)


def test_provenance_needs_no_key() -> None:
    """What a Gemini verdict depends on can be said without a key."""
    model = model_named("gemini", ModelSettings(check=False))
    assert model.provenance() == {
        "provider": "gemini",
        "model": "gemini-2.5-flash",
        "temperature": "0.0",
    }


@pytest.mark.parametrize("key", ["two words", "chave-ção", "a\u200bb", "a\tb"])
def test_an_impossible_key_is_refused_unsaid(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that no header could carry is refused without being quoted."""
    monkeypatch.setenv(NAME, key)
    with pytest.raises(ConfigurationError, match="copy it anew") as refused:
        find_key(NAME)
    assert key not in str(refused.value)


def test_an_unreadable_file_is_refused_unsaid(tmp_path: Path) -> None:
    """A .env that is not UTF-8 is refused without quoting its bytes."""
    (tmp_path / ".env").write_bytes(b"GEMINI_API_KEY=secret\xff\n")
    with pytest.raises(ConfigurationError, match=r"\.env.*cannot be read") as refused:
        find_key(NAME)
    assert "secret" not in str(refused.value) + repr(refused.value.__context__)


def test_nothing_in_a_value_is_expanded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A dollar sign in the file stands for itself."""
    (tmp_path / ".env").write_text(f"{NAME}=a${{HOME}}b\n")
    assert find_key(NAME).get_secret_value() == "a${HOME}b"
