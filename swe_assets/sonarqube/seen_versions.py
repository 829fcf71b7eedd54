"""The versions a server last said of itself, so that a study can be planned while it is down."""

import json
from pathlib import Path

from swe_assets.storage.atomic import to_json, write_text


def remember(path: Path, provenance: dict[str, str]) -> None:
    """Write what a server said, unless it is written already."""
    if recall(path) != provenance:
        write_text(path, to_json(provenance) + "\n")


def recall(path: Path) -> dict[str, str] | None:
    """Return what was last written, None where there is nothing that can be read."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    whole = isinstance(found, dict) and all(isinstance(value, str) for value in found.values())
    return found if whole else None
