"""models.toml: the models that a user names, each with provider, parameters, limits and price."""

import re
import tomllib
from pathlib import Path
from typing import Any

from swe_assets.errors import ConfigurationError
from swe_assets.home import home
from swe_assets.llm.providers import default_spec, known_providers
from swe_assets.llm.spec_fields import checked_spec
from swe_assets.llm.specs import ModelSpec

FILE_NAME = "models.toml"
RESERVED = ("rehearsal", "replay")
"""Names that say what an answer is: no model of a service may bear one."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
MAX_BYTES = 1_000_000


def spec_named(name: str, folder: Path | None = None) -> ModelSpec:
    """Return the specification that a name means.

    An id of ``folder``'s models.toml comes first, then one of SWE_ASSETS_HOME's, then ``provider``,
    ``provider:model`` and ``replay:PATH``. Raises ConfigurationError for an unknown name (the message lists
    the known ones) and for a models.toml that cannot be used.
    """
    name = name.strip()
    named = specs(folder)
    if name in named:
        return named[name]
    provider, _, model = name.partition(":")
    if provider not in known_providers():
        known = ", ".join([*sorted(named), *known_names()])
        raise ConfigurationError(f"unknown judge {name!r}: choose one of {known}, or add it to {place()}")
    return default_spec(provider, model.strip())


def known_names() -> list[str]:
    """Return the forms of names that need no models.toml."""
    own = ["gemini", "gemini:MODEL", "rehearsal", "rehearsal:strict", "rehearsal:balanced"]
    own += ["rehearsal:lenient", "replay:PATH", "anthropic:MODEL", "openai:MODEL"]
    return own + [name for name in known_providers() if name not in {form.partition(":")[0] for form in own}]


def place() -> Path:
    """Return where the models.toml of SWE_ASSETS_HOME lies or would lie."""
    return home() / FILE_NAME


def specs(folder: Path | None = None) -> dict[str, ModelSpec]:
    """Return all models of SWE_ASSETS_HOME's models.toml and of the folder's, which wins, by id."""
    found = read_specs(place())
    if folder is not None and folder.resolve() != home():
        found |= read_specs(folder / FILE_NAME)
    return found


def read_specs(path: Path) -> dict[str, ModelSpec]:
    """Return the models of one file by id, in its order; an empty dict where there is no file.

    Raises ConfigurationError, naming file, model and field, for anything that is not as it should be.
    """
    if not path.exists():
        return {}
    tables = _tables(path)
    return {name: _spec(name, table, path) for name, table in tables.items()}


def _tables(path: Path) -> dict[str, Any]:
    """Return the tables under ``models`` of a file."""
    shown = str(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ConfigurationError(f"{shown!r} is larger than {MAX_BYTES} bytes: it holds more than models")
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        kind = type(problem).__name__
        raise ConfigurationError(f"{shown!r} cannot be read ({kind}): make it UTF-8 text") from None
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        where = re.search(r"\(at .*\)", str(problem))
        said = where[0] if where else ""
        raise ConfigurationError(f"{shown!r} is not TOML {said}: see docs/reference/models-toml.md") from None
    unknown = sorted(content.keys() - {"models"})
    if unknown:
        raise ConfigurationError(f"{shown!r} has {unknown[0]!r}: it holds [models.ID] tables alone")
    tables = content.get("models", {})
    if not isinstance(tables, dict):
        raise ConfigurationError(f"{shown!r} has models = …: write a table [models.ID] for each model")
    return tables


def _spec(name: str, table: object, path: Path) -> ModelSpec:
    """Return one model; raise ConfigurationError for a name that none may bear or a field that is wrong."""
    where = f"{str(path)!r}, [models.{name}]"
    if not _ID.fullmatch(name):
        raise ConfigurationError(
            f"{str(path)!r} names a model {name[:80]!r}: use up to 64 letters, digits, '.', '_' and '-'"
        )
    if name in RESERVED:
        raise ConfigurationError(f"{where}: the name {name!r} is taken: choose another")
    if not isinstance(table, dict):
        raise ConfigurationError(f"{where} is no table: write its fields below [models.{name}]")
    return checked_spec(name, table, where, known_providers())
