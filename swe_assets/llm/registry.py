"""Models by name: an id of models.toml, ``provider``, ``provider:model``, ``replay:PATH``."""

from dataclasses import replace
from typing import cast

from swe_assets.errors import ConfigurationError
from swe_assets.llm.called_model import CalledModel
from swe_assets.llm.model_settings import Factory, ModelSettings
from swe_assets.llm.pace import pace_of
from swe_assets.llm.protocol import ChatModel, Provider
from swe_assets.llm.providers import factory_of, register
from swe_assets.llm.spec_file import spec_named
from swe_assets.llm.specs import ModelSpec

__all__ = ["Factory", "ModelSettings", "model_named", "register", "spec_named"]


def model_named(name: str, settings: ModelSettings | None = None) -> ChatModel:
    """Return the model of that name, ready to be called.

    A provider's single attempts come wrapped: five attempts, the pace of its service, and the settings'
    services. Raises ConfigurationError for an unknown name (the message lists the known ones), a wrong
    models.toml and, unless ``check`` is False, a missing key.
    """
    settings = settings or ModelSettings()
    spec = _spec(name, settings)
    factory = factory_of(spec.provider)
    if factory is None:
        raise ConfigurationError(f"model {spec.id!r} has the unknown provider {spec.provider!r}")
    made = factory(spec.model, replace(settings, spec=spec))
    if settings.check and callable(check := getattr(made, "check", None)):
        check()
    return _called(made, settings)


def _spec(name: str, settings: ModelSettings) -> ModelSpec:
    """Return the specification, with what the settings say instead of it."""
    spec = settings.spec or spec_named(name, settings.folder)
    if settings.base_url is not None:
        spec = replace(spec, base_url=settings.base_url)
    return spec if settings.timeout_s is None else replace(spec, timeout_s=settings.timeout_s)


def _called(made: ChatModel | Provider, settings: ModelSettings) -> ChatModel:
    """Return a complete model as it is, and a provider with all that is built around its attempts."""
    if callable(getattr(made, "complete", None)):
        return cast("ChatModel", made)
    provider, services = cast("Provider", made), settings.services
    pace = pace_of(provider.spec, services.stop)
    return CalledModel(provider, services, policy=settings.policy, pace=pace, sleep=settings.sleep)
