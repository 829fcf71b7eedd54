"""A submission's metadata.yaml as plain, bounded values that can be shown and written to study.toml."""

import math
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from swe_assets.errors import InputError
from swe_assets.patch_quality.inputs.json_records import read_text
from swe_assets.patch_quality.inputs.sources import Source

MOST_BYTES = 256 * 1024
MOST_VALUES = 1_000
MOST_CHARACTERS = 4_000
DEPTH = 8


def read_metadata(source: Source) -> dict[str, Any]:
    """Return the mapping in a YAML file: texts, numbers, truth values, lists and mappings, no nulls.

    Only safe tags are read. Raises InputError for YAML that is not a mapping, has aliases (a few bytes can
    stand for billions of values), or is larger or deeper than the bounds of this module.
    """
    import yaml

    if source.size > MOST_BYTES:
        raise InputError(f"{source.given} has {source.size:,} bytes; metadata may have {MOST_BYTES:,}")
    text = read_text(source)
    if len(text) > MOST_BYTES:
        raise InputError(f"{source.given} has {len(text):,} characters; metadata may have {MOST_BYTES:,}")
    try:
        _check_events(yaml.parse(text, Loader=yaml.SafeLoader), source.given)
        value = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError, TypeError) as wrong:
        raise InputError(f"{source.given} is not usable YAML: {' '.join(str(wrong).split())[:200]}") from None
    if not isinstance(value, dict):
        raise InputError(f"{source.given} is YAML, but no mapping")
    budget = [MOST_VALUES]
    plain = _plain(value, source.given, budget, DEPTH)
    assert isinstance(plain, dict)  # noqa: S101 - a mapping stays one
    return plain


def _check_events(events: Iterable[Any], given: str) -> None:
    """Raise InputError at the first alias, or as soon as there are too many values or levels.

    The parser itself takes time that grows with the square of the depth.
    """
    import yaml

    depth = 0
    for number, event in enumerate(events):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent):
            raise InputError(f"{given} uses YAML aliases, which are not read")
        if depth > DEPTH or number > 4 * MOST_VALUES:
            raise _too_much(given)


def _too_much(given: str) -> InputError:
    """Return the error for metadata out of bounds."""
    return InputError(f"{given} has more than {MOST_VALUES} values or is nested deeper than {DEPTH}")


def _plain(value: Any, given: str, budget: list[int], depth: int) -> Any:
    """Return a YAML value as texts, numbers, truth values, lists and mappings."""
    budget[0] -= 1
    if budget[0] < 0 or depth < 0:
        raise _too_much(given)
    if isinstance(value, dict):
        pairs = ((_text(key), _plain(item, given, budget, depth - 1)) for key, item in value.items())
        return {key: item for key, item in pairs if item is not None}
    if isinstance(value, list | tuple | set):
        items = (_plain(item, given, budget, depth - 1) for item in value)
        return [item for item in items if item is not None]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) < 2**63:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return _text(value)


def _text(value: Any) -> str:
    """Return a scalar as a text of bounded length that UTF-8 can hold."""
    if isinstance(value, date | datetime):
        return value.isoformat()
    text = hex(value) if isinstance(value, int) and not isinstance(value, bool) else str(value)
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + "…"
