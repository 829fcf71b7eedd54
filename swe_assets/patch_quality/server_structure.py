"""Measures in the structure in which SonarQube's web API gives them (api/measures/component_tree)."""

from collections.abc import Mapping
from typing import Any


def as_component_tree(payload: Mapping[str, Any], side: str, receipt: Mapping[str, Any]) -> dict[str, Any]:
    """Return one side as a reply of component_tree: the base component, then its files, values as text.

    Keys and paths are those on the server, as the receipt has them; `name` is the path in the repository.
    """
    project, module = receipt.get("project", ""), receipt.get("module", "")
    places = receipt.get("components", {})
    files = [file for file in payload["files"] if file["side"] == side]
    return {
        "paging": {"pageIndex": 1, "pageSize": max(1, len(files)), "total": len(files)},
        "analysis": receipt.get("analysis", ""),
        "baseComponent": {
            "key": f"{project}:{module}" if module else project,
            "qualifier": "DIR" if module else "TRK",
            "path": module,
            "measures": _measures(payload["own"][side]),
        },
        "components": [
            {
                "key": f"{project}:{places.get(file['path'], file['path'])}",
                "name": file["path"],
                "path": places.get(file["path"], file["path"]),
                "qualifier": "FIL",
                "language": "py",
                "measures": _measures(file["measures"]),
            }
            for file in files
        ],
    }


def _measures(numbers: Mapping[str, float]) -> list[dict[str, str]]:
    return [{"metric": key, "value": str(value)} for key, value in sorted(numbers.items())]
