"""One case of kind metrics: a source and what a real SonarQube said of it."""

import base64
from typing import Any

from swe_assets.analysers.protocol import STRUCTURE_KEYS
from swe_assets.analysers.python.structure import measure_structure


def content_of(case: dict[str, Any]) -> bytes:
    """Return a case's source as bytes, in the encoding that it names."""
    given = case["input"]
    if "source_b64" in given:
        return base64.b64decode(given["source_b64"])
    return str(given["source"]).encode(given.get("encoding", "utf-8"), "surrogatepass")


def check_metrics_case(case: dict[str, Any]) -> None:
    """Assert that the structural keys and whether the source parses are what SonarQube said.

    The case's violations and rules are SonarQube's own, for its adapter, and not compared.
    """
    found, expected = measure_structure(content_of(case)), case["expected"]
    assert (found.reason is None) == expected["parsed"], found.reason
    assert found.measures == {key: expected[key] for key in STRUCTURE_KEYS if key in expected}
