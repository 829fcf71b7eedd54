"""What a service sent, read as JSON without trust: fields of another type than promised count as absent."""

import json
from typing import Any

from swe_assets.llm.outcomes import InfrastructureError


def served_object(text: str) -> dict[str, Any]:
    """Return a reply's JSON object; raise InfrastructureError, to be tried again, where it is none.

    The service may bill it all the same.
    """
    try:
        served = json.loads(text, parse_constant=_not_json)
    except (ValueError, RecursionError) as problem:
        kind = type(problem).__name__
    else:
        if isinstance(served, dict):
            return served
        kind = f"a JSON {type(served).__name__}"
    failure = InfrastructureError(f"unreadable reply ({kind})", retryable=True)
    failure.perhaps_billed = True
    raise failure


def text_in(holder: object, name: str) -> str:
    """Return a field that is a text, else an empty one."""
    value = holder.get(name) if isinstance(holder, dict) else None
    return value if isinstance(value, str) else ""


def count_in(holder: object, name: str) -> int | None:
    """Return a field that is a whole number from zero, else None."""
    value = holder.get(name) if isinstance(holder, dict) else None
    return value if type(value) is int and value >= 0 else None


def items_in(holder: object, name: str) -> list[dict[str, Any]]:
    """Return the objects in a field that is a list, else an empty list."""
    value = holder.get(name) if isinstance(holder, dict) else None
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _not_json(word: str) -> float:
    """Refuse NaN and Infinity, which JSON does not have."""
    raise ValueError(word)
