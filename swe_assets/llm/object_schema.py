"""A pydantic model as the JSON schema that services take: objects closed, every field required."""

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel

_KEPT = {
    "$defs",
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "description",
    "enum",
    "items",
    "maximum",
    "maxItems",
    "minimum",
    "minItems",
    "properties",
    "required",
    "type",
}
"""Keywords that strict modes of services know; what they lack, such as lengths, our own reading checks."""

_NAMED = {"$defs", "properties"}
"""Keywords whose own keys are names, not keywords."""


@cache
def object_schema(schema: "type[BaseModel]") -> dict[str, Any]:
    """Return the JSON schema (2020-12, the part that services share) that a reply should satisfy."""
    closed = _closed(schema.model_json_schema())
    assert isinstance(closed, dict)  # noqa: S101 - a model's schema is an object
    return closed


def _closed(part: object) -> object:
    """Return a part of a schema with known keywords alone, its objects closed and wholly required."""
    if isinstance(part, list):
        return [_closed(item) for item in part]
    if not isinstance(part, dict):
        return part
    kept: dict[str, object] = {}
    for keyword, value in part.items():
        if keyword in _NAMED and isinstance(value, dict):
            kept[keyword] = {name: _closed(inner) for name, inner in value.items()}
        elif keyword in _KEPT:
            kept[keyword] = _closed(value)
    if isinstance(properties := kept.get("properties"), dict):
        kept |= {"additionalProperties": False, "required": list(properties)}
    return kept
