"""Measures that a server once gave for a project, kept by its content, so that it is not scanned again."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swe_assets.storage.atomic import to_json, write_bytes

FORMAT = "1"


@dataclass(frozen=True)
class Kept:
    """What is kept of one project: the receipt of its scan, and its measures as the server gave them."""

    receipt: Mapping[str, Any]
    measures: Mapping[str, Any]


class KeptMeasures:
    """A folder of measures, shared by all studies of a user; one small file a project.

    A file is found by the project's content and by all that its numbers depend on. It begins with the
    SHA-256 of the rest and repeats what it is for: one that is torn, changed or another's is not used.
    """

    def __init__(self, folder: Path, provenance: Mapping[str, str]) -> None:
        self.folder = folder
        self._provenance = dict(provenance)

    def name(self, content: str) -> str:
        """Return the name under which a project with this content is kept."""
        return hashlib.sha256(to_json([FORMAT, content, self._provenance]).encode()).hexdigest()

    def get(self, content: str) -> Kept | None:
        """Return what is kept of a project, None where there is nothing that can be trusted."""
        try:
            seal, _, body = self._path(content).read_bytes().partition(b"\n")
        except OSError:
            return None
        if hashlib.sha256(body).hexdigest().encode() != seal:
            return None
        try:
            found = json.loads(body)
            if found["content"] != content or found["provenance"] != self._provenance:
                return None
            return Kept(found["receipt"], found["measures"])
        except (ValueError, KeyError, TypeError):
            return None

    def put(self, content: str, receipt: Mapping[str, Any], measures: Mapping[str, Any]) -> None:
        """Keep a project's measures; raises StoreError where the folder cannot be written."""
        kept = {
            "content": content,
            "provenance": self._provenance,
            "receipt": dict(receipt),
            "measures": dict(measures),
        }
        body = to_json(kept).encode()
        write_bytes(self._path(content), hashlib.sha256(body).hexdigest().encode() + b"\n" + body)

    def _path(self, content: str) -> Path:
        name = self.name(content)
        return self.folder / name[:2] / f"{name}.json"
