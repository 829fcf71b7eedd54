"""A model that answers from a recorded JSONL file: a real run repeated without key or network."""

import hashlib
import json
from pathlib import Path
from typing import Any

from swe_assets.errors import ConfigurationError
from swe_assets.llm.attempts import answered
from swe_assets.llm.outcomes import InfrastructureError
from swe_assets.llm.protocol import ChatModel, ChatReply, ChatRequest

_KEPT = ("model", "served_model", "finish_reason", "tokens_in", "tokens_out")


def recorded_line(request: ChatRequest, reply: ChatReply, model: ChatModel) -> str:
    """Return the line, without its newline, under which a replay finds this reply again."""
    row = {
        "request": request.fingerprint(),
        "text": reply.text,
        "model": reply.model,
        "served_model": reply.served_model,
        "finish_reason": reply.finish_reason,
        "tokens_in": reply.tokens_in,
        "tokens_out": reply.tokens_out,
        "rehearsal": model.rehearsal,
    }
    return json.dumps(row, ensure_ascii=True)


class ReplayModel:
    """Answers what was recorded for the same system prompt, user prompt and parameters; it calls nothing.

    A recording of rehearsed answers stays a rehearsal. Raises ConfigurationError for a file that is not a
    recording.
    """

    def __init__(self, path: Path) -> None:
        self.name = f"replay:{path}"
        try:
            content = path.read_bytes()
        except OSError as problem:
            raise ConfigurationError(f"recording {str(path)!r} cannot be read: {problem.strerror}") from None
        self._sha256 = hashlib.sha256(content).hexdigest()
        self._rows = _rows(content, path)
        self.rehearsal = any(row.get("rehearsal") for row in self._rows.values())

    def complete(self, request: ChatRequest) -> ChatReply:
        """Answer what was recorded, or raise InfrastructureError where nothing was."""
        row = self._rows.get(request.fingerprint())
        if row is None:
            raise InfrastructureError(f"nothing recorded for this {request.purpose} request in {self.name!r}")
        known = {
            key: row[key] for key in ("model", "served_model", "finish_reason", "tokens_in", "tokens_out")
        }
        return answered(ChatReply(text=row["text"], raw=dict(row), **known), request)

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
