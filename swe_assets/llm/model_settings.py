"""What a provider is made with beside its name: specification, patience, and what the run's models share."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from swe_assets.llm.attempts import RetryPolicy
from swe_assets.llm.called_model import CallServices
from swe_assets.llm.protocol import ChatModel, Provider
from swe_assets.llm.specs import ModelSpec


@dataclass(frozen=True)
class ModelSettings:
    """How a model is made.

    ``base_url`` and ``timeout_s``: instead of those of the specification. ``check``: look for the key now;
    False builds a model whose provenance can be read without one. ``services``: the call store, the meter
    and the stop that a run's models share. ``spec``: instead of the one that the name gives. ``folder``: a
    study's own, whose models.toml wins.
    """

    base_url: str | None = None
    timeout_s: float | None = None
    policy: RetryPolicy = field(default_factory=RetryPolicy)
    sleep: Callable[[float], None] | None = None
    check: bool = True
    services: CallServices = field(default_factory=CallServices)
    spec: ModelSpec | None = None
    folder: Path | None = None


Factory = Callable[[str, ModelSettings], ChatModel | Provider]
"""Makes a provider, or a whole model, of the model's name (may be empty); ``settings.spec`` is set."""
