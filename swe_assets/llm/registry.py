"""Which models there are: rehearsal, gemini, gemini:MODEL, replay:PATH, and those that a user registers."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from swe_assets.errors import ConfigurationError
from swe_assets.llm.attempts import RetryPolicy
from swe_assets.llm.protocol import ChatModel


@dataclass(frozen=True)
class ModelSettings:
    """What a provider needs beside its name.

    ``base_url``: another address of the same API, None for the provider's own. ``timeout_s`` bounds one
    attempt. ``check``: look for the key now; False builds a model whose provenance can be read without one.
    """

    base_url: str | None = None
    timeout_s: float = 180.0
    policy: RetryPolicy = field(default_factory=RetryPolicy)
    sleep: Callable[[float], None] = time.sleep
    check: bool = True


Factory = Callable[[str, ModelSettings], ChatModel]
"""Makes a model of what follows the colon in its name (an empty text where nothing does)."""


def model_named(name: str, settings: ModelSettings | None = None) -> ChatModel:
    """Return the model of that name, ready to be called.

    Raises ConfigurationError for an unknown name (the message lists the known ones) and for a missing key.
    """
    provider, _, variant = name.strip().partition(":")
    if provider not in _PROVIDERS:
        known = ", ".join(sorted([*_PROVIDERS, "gemini:MODEL", "replay:PATH"]))
        raise ConfigurationError(f"unknown judge {name!r}: choose one of {known}")
    return _PROVIDERS[provider](variant.strip(), settings or ModelSettings())


def register(provider: str, factory: Factory) -> None:
    """Add a provider under a name; raises ConfigurationError where the name is taken or has a colon."""
    if provider in _PROVIDERS or ":" in provider or not provider.strip():
        raise ConfigurationError(f"provider name {provider!r} is taken or not usable: choose another")
    _PROVIDERS[provider] = factory


def _rehearsal(variant: str, settings: ModelSettings) -> ChatModel:  # noqa: ARG001 - a factory's signature
    """Make the offline twin."""
    from swe_assets.llm.rehearsal import RehearsalModel

    if variant:
        raise ConfigurationError(f"the rehearsal judge has no variant {variant!r}: write 'rehearsal'")
    return RehearsalModel()


def _gemini(variant: str, settings: ModelSettings) -> ChatModel:
    """Make a Gemini model, its key looked for at once unless only its provenance is wanted."""
    from swe_assets.llm.gemini import BASE_URL, DEFAULT_MODEL, GeminiModel

    model = GeminiModel(
        variant or DEFAULT_MODEL,
        base_url=settings.base_url or BASE_URL,
        timeout_s=settings.timeout_s,
        policy=settings.policy,
        sleep=settings.sleep,
    )
    if settings.check:
        model.check()
    return model


def _replay(variant: str, settings: ModelSettings) -> ChatModel:  # noqa: ARG001 - a factory's signature
    """Make a replay of a recording."""
    from swe_assets.llm.replay import ReplayModel

    if not variant:
        raise ConfigurationError("'replay' needs the recording's path: write replay:PATH")
    return ReplayModel(Path(variant).expanduser())


_PROVIDERS: dict[str, Factory] = {"rehearsal": _rehearsal, "gemini": _gemini, "replay": _replay}
