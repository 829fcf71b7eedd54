"""Where the tests find the real data that lies beside the checkout, if it is there."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent


def shared_root() -> Path:
    """Return the folder of real data: SWE_SHARED, or ../shared beside the checkout."""
    return Path(os.environ.get("SWE_SHARED") or CHECKOUT.parent / "shared")


def shared(*parts: str) -> Path:
    """Return a path in the real data, or skip the test that asks for it where it is absent."""
    path = shared_root().joinpath(*parts)
    if not path.exists():
        pytest.skip(f"real data not here: {path.name}")
    return path


def cases(kind: str) -> list[dict[str, Any]]:
    """Return the cases of one kind, from SWE_CASES or the real data; an empty list where neither is."""
    return _cases(kind, "patch_quality")


def blind_cases(kind: str) -> list[dict[str, Any]]:
    """Return the blind benchmark's cases of one kind, from SWE_CASES or the real data; likewise."""
    return _cases(kind, "blind")


def _cases(kind: str, folder: str) -> list[dict[str, Any]]:
    named = os.environ.get("SWE_CASES")
    path = Path(named) if named else shared_root() / "data" / folder / "cases.jsonl"
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")
    return [row for row in map(json.loads, filter(str.strip, lines)) if row["kind"] == kind]
