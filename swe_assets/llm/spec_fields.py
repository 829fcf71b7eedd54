"""The fields of one [models.ID] table, each held to its type and range, and what they mean together."""

import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

from swe_assets.errors import ConfigurationError
from swe_assets.llm.addresses import safe_url
from swe_assets.llm.providers import DEFAULT_KEYS, DEFAULT_MODELS, DEFAULT_TEMPERATURES
from swe_assets.llm.specs import ModelSpec, Structured

_KEY_NAME = re.compile(r"[A-Z][A-Z0-9_]{1,63}", re.ASCII)
_LIKE_A_KEY = re.compile(r"(?=.*[a-z0-9])[A-Za-z0-9._~+/=-]{16,}", re.ASCII)
_SPOKEN_NAME = re.compile(r"[A-Z][A-Z0-9]{0,15}(?:_[A-Z0-9]{1,16})+", re.ASCII)
_NO_SERVICE = {"rehearsal", "replay"}
PROVIDER = "provider"
"""The word that leaves a parameter to the service."""


def checked_spec(name: str, table: Mapping[str, Any], where: str, providers: list[str]) -> ModelSpec:
    """Return the specification that a table means; raise ConfigurationError for the first wrong field."""
    unknown = sorted(table.keys() - FIELDS.keys())
    if unknown:
        known = ", ".join(FIELDS)
        raise ConfigurationError(f"{where}: unknown field {unknown[0][:60]!r}: the fields are {known}")
    fields: dict[str, Any] = {}
    for field, value in table.items():
        try:
            fields[field] = FIELDS[field](value)
        except ValueError as wrong:
            raise ConfigurationError(f"{where}: {field} {wrong}") from None
    provider = fields.get("provider")
    if provider not in providers:
        raise ConfigurationError(f"{where}: provider is {provider!r}: write one of {', '.join(providers)}")
    return _whole(name, fields, where)


def _whole(name: str, fields: dict[str, Any], where: str) -> ModelSpec:
    """Return the specification, a provider's own key by default; check what goes together."""
    provider = fields["provider"]
    fields.setdefault("model", DEFAULT_MODELS.get(provider, ""))
    fields.setdefault("temperature", DEFAULT_TEMPERATURES.get(provider, 0.0))
    if provider in {"anthropic", "openai", "replay"} and not fields["model"]:
        raise ConfigurationError(f"{where}: model is missing: write the name by which {provider} knows it")
    if provider in _NO_SERVICE and {"key", "base_url"} & fields.keys():
        raise ConfigurationError(f"{where}: {provider} calls no service: take key and base_url out")
    if "base_url" not in fields:
        fields.setdefault("key", DEFAULT_KEYS.get(provider))
    if (fields.get("price_in") is None) != (fields.get("price_out") is None):
        raise ConfigurationError(f"{where}: give price_in and price_out, or neither")
    if (fields.get("longer_max_tokens") or 1_000_001) <= (fields.get("max_tokens") or 0):
        raise ConfigurationError(f"{where}: longer_max_tokens is not longer than max_tokens: write more")
    if fields.get("api_version") and provider != "openai":
        raise ConfigurationError(f"{where}: api_version is for the provider openai alone (Azure)")
    if fields.get("seed") is not None and provider == "anthropic":
        raise ConfigurationError(f"{where}: anthropic takes no seed: leave it out")
    return ModelSpec(id=name, **fields)


def _text(value: object) -> str:
    """Return a short text of one line."""
    if not isinstance(value, str) or not value.strip() or not value.isprintable() or len(value) > 500:
        raise ValueError(f"is {_shown(value)}: write a short text in quotes")
    return value.strip()


def _key(value: object) -> str:
    """Return the name of an environment variable; what looks like a key itself is not repeated."""
    if isinstance(value, str) and _KEY_NAME.fullmatch(value) and not _is_like_a_key(value):
        return value
    if isinstance(value, str) and _is_like_a_key(value):
        raise ValueError(
            "looks like a key itself: write the NAME of an environment variable here, the key into .env, and "
            "replace a key that others may have read"
        )
    raise ValueError(f"is {_shown(value)}: write the name of an environment variable, such as HOUSE_API_KEY")


def _is_like_a_key(value: str) -> bool:
    """Tell whether a text may be a secret rather than the name of a variable."""
    return bool(_LIKE_A_KEY.fullmatch(value)) and not _SPOKEN_NAME.fullmatch(value)


def _address(value: object) -> str:
    """Return an address to which a key may be sent."""
    try:
        return safe_url(_text(value))
    except ConfigurationError as wrong:
        raise ValueError(f"is refused: {wrong}") from None


def _number(low: float, high: float) -> Callable[[object], float]:
    """Return a check for a number between two others, both included."""

    def check(value: object) -> float:
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            return float(value)
        raise ValueError(f"is {_shown(value)}: write a number from {low:g} to {high:g}")

    return check


def _whole_number(low: int, high: int) -> Callable[[object], int]:
    """Return a check for a whole number between two others, both included."""

    def check(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"is {_shown(value)}: write a whole number from {low} to {high}")
        return value

    return check


def _temperature(value: object) -> float | None:
    """Return a temperature, None for the word that leaves it to the service."""
    return None if value == PROVIDER else _number(0, 2)(value)


def _structured(value: object) -> Structured:
    """Return how an object is asked for."""
    for known in get_args(Structured):
        if value == known:
            return known  # type: ignore[no-any-return] # one of the literal's own words
    raise ValueError(f"is {_shown(value)}: write one of {', '.join(get_args(Structured))}")


def _shown(value: object) -> str:
    """Return a value as a message may show it: short, and never what looks like a key."""
    if isinstance(value, str) and _is_like_a_key(value):
        return "something that looks like a key"
    return f"{value!r}" if len(repr(value)) <= 80 else f"{repr(value)[:79]}…"


FIELDS: dict[str, Callable[[object], Any]] = {
    "provider": _text,
    "model": _text,
    "base_url": _address,
    "key": _key,
    "temperature": _temperature,
    "top_p": _number(0, 1),
    "seed": _whole_number(0, 2**31 - 1),
    "max_tokens": _whole_number(1, 1_000_000),
    "longer_max_tokens": _whole_number(1, 1_000_000),
    "timeout_s": _number(1, 3600),
    "requests_per_minute": _number(0.01, 1e6),
    "tokens_per_minute": _number(1, 1e9),
    "concurrency": _whole_number(1, 256),
    "price_in": _number(0, 1e5),
    "price_out": _number(0, 1e5),
    "structured": _structured,
    "api_version": _text,
}
"""Every field of a table, with what makes a value of it or raises ValueError in words."""
