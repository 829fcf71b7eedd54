"""The providers by name: our own, those that a user registers, and those of installed packages."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from swe_assets.errors import ConfigurationError
from swe_assets.llm.model_settings import Factory, ModelSettings
from swe_assets.llm.protocol import ChatModel, Provider
from swe_assets.llm.specs import ModelSpec

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "swe_assets.providers"
"""The group of entry points under which an installed package names its providers."""

DEFAULT_MODELS = {"gemini": "gemini-2.5-flash"}
DEFAULT_KEYS = {
    "gemini": "GEMINI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "openai": "OPENAI_API_KEY",
}
"""The variables of the providers' own services; a base URL of one's own names its own, or none."""

DEFAULT_TEMPERATURES: dict[str, float | None] = {"anthropic": None}
"""Where 0 is not it: newer models of Anthropic refuse any temperature."""


def register(provider: str, factory: Factory) -> None:
    """Add a provider under a name.

    The factory gets the model's name and the settings, ``settings.spec`` among them; what it returns is a
    Provider (``send``), which is given attempts, limits, budget and call store, or a complete ChatModel
    (``complete``), which is left as it is. Raises ConfigurationError where the name is taken or has a colon.
    """
    if provider in _PROVIDERS or ":" in provider or not provider.strip():
        raise ConfigurationError(f"provider name {provider!r} is taken or not usable: choose another")
    _PROVIDERS[provider] = factory


def known_providers() -> list[str]:
    """Return the names of all providers, sorted."""
    return sorted({*_PROVIDERS, *(point.name for point in _entry_points())})


def factory_of(provider: str) -> Factory | None:
    """Return what makes a provider's models, None for a provider that is not known.

    Raises ConfigurationError where an installed package names a provider that cannot be loaded.
    """
    if provider in _PROVIDERS:
        return _PROVIDERS[provider]
    for point in _entry_points():
        if point.name == provider:
            try:
                factory: Factory = point.load()
            except Exception as problem:
                said = f"provider {provider!r} of {point.value!r} cannot be loaded ({type(problem).__name__})"
                raise ConfigurationError(f"{said}: repair or uninstall its package") from problem
            return factory
    return None


def default_spec(provider: str, model: str) -> ModelSpec:
    """Return the specification of a model that is named as ``provider`` or ``provider:model`` alone."""
    model = model or DEFAULT_MODELS.get(provider, "")
    name = f"{provider}:{model}" if model else provider
    temperature = DEFAULT_TEMPERATURES.get(provider, 0.0)
    key = DEFAULT_KEYS.get(provider)
    return ModelSpec(id=name, provider=provider, model=model, key=key, temperature=temperature)


def _entry_points() -> list["EntryPoint"]:
    """Return the providers that installed packages name."""
    from importlib.metadata import entry_points

    return list(entry_points(group=ENTRY_POINTS))


def _spec(settings: ModelSettings) -> ModelSpec:
    """Return the specification, which the registry has put into the settings."""
    assert settings.spec is not None  # noqa: S101 - as the registry's contract says
    return settings.spec


def _rehearsal(variant: str, settings: ModelSettings) -> ChatModel:
    """Make the offline twin, or one of its three tempers."""
    from swe_assets.llm.rehearsal import RehearsalModel

    return RehearsalModel(variant, spec=_spec(settings))


def _replay(variant: str, settings: ModelSettings) -> ChatModel:
    """Make a replay of a recording."""
    from swe_assets.llm.replay import ReplayModel

    if not variant:
        raise ConfigurationError("'replay' needs the recording's path: write replay:PATH")
    return ReplayModel(Path(variant).expanduser(), spec=_spec(settings))


def _gemini(_model: str, settings: ModelSettings) -> Provider:
    """Make a Gemini model."""
    from swe_assets.llm.gemini import GeminiProvider

    return GeminiProvider(_spec(settings))


def _anthropic(model: str, settings: ModelSettings) -> Provider:
    """Make a model of Anthropic."""
    from swe_assets.llm.anthropic import AnthropicProvider

    return AnthropicProvider(_with_model(model, settings))


def _openai(model: str, settings: ModelSettings) -> Provider:
    """Make a model of OpenAI or of a service that speaks its API."""
    from swe_assets.llm.openai_compatible import OpenAICompatibleProvider

    return OpenAICompatibleProvider(_with_model(model, settings))


def _with_model(model: str, settings: ModelSettings) -> ModelSpec:
    """Return the specification; raise where it names no model and there is none to choose for the user."""
    spec = _spec(settings)
    if not model:
        raise ConfigurationError(f"{spec.provider!r} needs a model: write {spec.provider}:MODEL")
    return replace(spec, model=model)


_PROVIDERS: dict[str, Factory] = {
    "rehearsal": _rehearsal,
    "replay": _replay,
    "gemini": _gemini,
    "anthropic": _anthropic,
    "openai": _openai,
}
