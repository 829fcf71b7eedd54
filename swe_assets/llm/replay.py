"""A model that answers from a recorded JSONL file: a real run repeated without key or network."""

import hashlib
import json
from pathlib import Path
from typing import Any

from swe_assets.errors import ConfigurationError
from swe_assets.llm.attempts import answered
from swe_assets.llm.outcomes import InfrastructureError
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.specs import ModelSpec

_KEPT = ("model", "served_model", "finish_reason", "tokens_in", "tokens_out")


def recorded(fingerprint: str, reply: ChatReply, *, rehearsal: bool) -> str:
    """Return the line, without its newline, of a reply to the request of that fingerprint."""
    kept = {name: getattr(reply, name) for name in (*_KEPT, "attempts")}
    row = {"request": fingerprint, "text": reply.text, **kept, "rehearsal": rehearsal}
    return json.dumps(row, ensure_ascii=True)


class ReplayModel:
    """Answers what was recorded for the same prompts, schema, parameters and sample; it calls nothing.

    A recording of rehearsed answers stays a rehearsal. It is a Provider and a ChatModel, safe to share among
    threads. Raises ConfigurationError for a file that is not a recording.
    """

    def __init__(self, path: Path, *, spec: ModelSpec | None = None) -> None:
        self.spec = spec or ModelSpec(id=f"replay:{path}", provider="replay", model=str(path))
        self.name = self.spec.id
        try:
            content = path.read_bytes()
        except OSError as problem:
            raise ConfigurationError(f"recording {str(path)!r} cannot be read: {problem.strerror}") from None
        self._sha256 = hashlib.sha256(content).hexdigest()
        self._rows = _rows(content, path)
        self.rehearsal = any(row.get("rehearsal") for row in self._rows.values())

    def __repr__(self) -> str:
        return f"ReplayModel({self.spec.model!r})"

    def check(self) -> None:
        """Do nothing: the recording was read when this was made."""

    def complete(self, request: ChatRequest) -> ChatReply:
        """Answer one request; see ``send``."""
        return answered(self.send(request), request)

    def send(self, request: ChatRequest) -> ChatReply:
        """Answer what was recorded, or raise InfrastructureError where nothing was."""
        row = self._rows.get(request.fingerprint())
        if row is None:
            raise InfrastructureError(f"nothing recorded for this {request.purpose} request in {self.name!r}")
        kept = {key: row[key] for key in _KEPT}
        return ChatReply(text=row["text"], raw=dict(row), attempts=row.get("attempts", 1), **kept)

    def provenance(self) -> dict[str, str]:
        """Return that this is a replay, and the sha256 of its recording."""
        return {"provider": "replay", "model": self._sha256}


def _rows(content: bytes, path: Path) -> dict[str, dict[str, Any]]:
    """Return the recorded rows by request; a later row for the same request wins."""
    rows = {}
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            complete = isinstance(row, dict) and row.keys() >= {"request", "text", *_KEPT}
            complete = complete and isinstance(row["text"], str)
        except ValueError:
            complete = False
        if not complete:
            raise ConfigurationError(f"recording {str(path)!r}, line {number}: not a recorded reply")
        rows[row["request"]] = row
    return rows
