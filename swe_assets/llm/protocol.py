"""The one door to a language model: a request goes in, a reply or a typed failure comes out."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pydantic import BaseModel


@dataclass(frozen=True)
class ChatRequest:
    """One question to a model.

    ``schema``: a pydantic model that the reply's JSON object must satisfy, or None for free text.
    ``max_tokens``: None leaves the provider's own limit. ``purpose``: a word for logs and budgets.
    """

    system: str
    user: str
    schema: "type[BaseModel] | None" = None
    temperature: float = 0.0
    max_tokens: int | None = None
    purpose: str = "chat"

    def fingerprint(self) -> str:
        """Return the sha256 (hex) of all that a provider is sent."""
        sent = [self.system, self.user, self.schema is not None, self.temperature, self.max_tokens]
        return hashlib.sha256(json.dumps(sent, ensure_ascii=True).encode("ascii")).hexdigest()


@dataclass(frozen=True)
class ChatReply:
    """One answer of a model.

    ``model``: the name asked for; ``served_model``: the version that the service says answered.
    ``tokens_out`` counts thinking as services bill it. ``latency_s``: seconds of the attempt that answered.
    ``raw``: the reply as served, without secrets. ``value``: the validated object where a schema was
    given; ``notes``: what was repaired or ignored on the way to it.
    """

    text: str
    model: str
    served_model: str
    finish_reason: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    latency_s: float = 0.0
    attempts: int = 1
    raw: dict[str, Any] = field(default_factory=dict, repr=False)
    value: "BaseModel | None" = None
    notes: tuple[str, ...] = ()


class ChatModel(Protocol):
    """A language model, real or rehearsed.

    ``complete`` answers or raises a ``CallError`` of swe_assets.llm.outcomes; a ``StopCallsError`` means
    that the caller must stop calling; a ``ConfigurationError`` means that nothing was called.
    """

    @property
    def name(self) -> str:
        """The name under which the registry knows this model."""

    @property
    def rehearsal(self) -> bool:
        """Whether answers are made up offline and must be labelled wherever they show."""

    def complete(self, request: ChatRequest) -> ChatReply:
        """Answer one request."""

    def provenance(self) -> dict[str, str]:
        """Return what the answers depend on besides the request: provider, model, parameters, version."""
