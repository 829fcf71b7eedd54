"""The one door to a language model: a request goes in, a reply or a typed failure comes out."""

import hashlib
import json
import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from swe_assets.llm.specs import ModelSpec

if TYPE_CHECKING:
    from pydantic import BaseModel


@dataclass(frozen=True)
class ChatRequest:
    """One question to a model.

    ``schema``: a pydantic model that the reply's JSON object must satisfy, or None for free text.
    ``temperature`` and ``max_tokens``: None leaves what the model's own settings say. ``purpose``: a word
    for logs and budgets. ``sample``: 1 for the first answer, 2 for a second one to the same question, …
    """

    system: str
    user: str
    schema: "type[BaseModel] | None" = None
    temperature: float | None = None
    max_tokens: int | None = None
    purpose: str = "chat"
    sample: int = 1

    def fingerprint(self) -> str:
        """Return the sha256 (hex) of all of the request that shapes its answer."""
        schema = None if self.schema is None else schema_digest(self.schema)
        sent = [self.system, self.user, schema, self.temperature, self.max_tokens, self.sample]
        return hashlib.sha256(json.dumps(sent, ensure_ascii=True).encode("ascii")).hexdigest()


@cache
def schema_digest(schema: "type[BaseModel]") -> str:
    """Return the sha256 (hex) of a model's JSON schema (2020-12), keys sorted."""
    written = json.dumps(schema.model_json_schema(), sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(written.encode("ascii")).hexdigest()


@dataclass(frozen=True)
class ChatReply:
    """One answer of a model.

    ``model``: the name asked for; ``served_model``: the version that the service says answered.
    ``tokens_out`` counts thinking as services bill it. ``latency_s``: seconds of the attempt that answered.
    ``raw``: the reply as served, or as its SDK read it (Gemini), without secrets. ``value``: the validated
    object where a schema was given; ``notes``: what was repaired or ignored on the way to it. ``stored``:
    taken from the call store, so that nothing was sent and nothing is paid.
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
    stored: bool = False


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


class Provider(Protocol):
    """A service that answers: one file each, its SDK imported when first used, safe to share among threads.

    It makes single attempts; attempts, limits, budget and the call store are built around it once.
    """

    @property
    def spec(self) -> ModelSpec:
        """The model's settings."""

    @property
    def rehearsal(self) -> bool:
        """Whether answers are made up offline and must be labelled wherever they show."""

    def check(self) -> None:
        """Raise ConfigurationError at once where no call could be made, such as for a missing key."""

    def send(self, request: ChatRequest) -> ChatReply:
        """Make one attempt: return the reply as served (not yet validated) or raise a typed CallError."""

    def provenance(self) -> dict[str, str]:
        """Return what the answers depend on besides the request: provider, model, parameters, version."""


class Meter(Protocol):
    """What counts and bounds the money of calls; safe to share among threads."""

    def admit(self, spec: ModelSpec, request: ChatRequest) -> float:
        """Reserve what one attempt may cost and return it (USD); raise StopCallsError above the budget."""

    def settle(self, spec: ModelSpec, reserved: float, reply: ChatReply | None) -> None:
        """Replace a reservation by what the attempt did cost; None where nothing was served."""

    def reused(self, spec: ModelSpec, reply: ChatReply) -> None:
        """Count an answer that came from the call store and cost nothing."""


class Pace(Protocol):
    """What keeps calls within a service's limits; one a model, shared among threads."""

    def acquire(self, tokens: int) -> None:
        """Wait until a call of about so many tokens may be sent; raise CallsCancelledError when cancelled."""

    def answered(self, reserved: int, used: int, *, content: bool = True) -> None:
        """Say that a call is over, with the tokens it was thought to take and took, and whether served."""

    def pushed_back(self, wait_s: float | None) -> None:
        """Say that the service wants fewer calls, and how long it wants none (None: it did not say)."""


class Answers(Protocol):
    """Where valid answers are kept by all that shapes them; many threads and processes may write."""

    def find(self, key: str) -> ChatReply | None:
        """Return the kept answer without its validated value, or None; a torn file counts as none."""

    def check_room(self) -> None:
        """Raise StoreError where an answer could not be kept, before it is paid for."""

    def keep(
        self, key: str, request: ChatRequest, reply: ChatReply, about: Mapping[str, Any] | None = None
    ) -> None:
        """Keep a valid answer durably, with what is known about its model; one already there stays."""

    def put_aside(self, key: str) -> None:
        """Take an answer that can no longer be used out of what is found, and keep it for audit."""

    def keep_failed(
        self, key: str, request: ChatRequest, reply: ChatReply, about: Mapping[str, Any] | None = None
    ) -> None:
        """Keep a reply that could not be used, for audit alone; ``find`` never gives it."""

    def claim(self, key: str, stop: threading.Event | None = None) -> AbstractContextManager[None]:
        """Hold the right to pay for an answer; WaitEndedError where stop is set while another holds it."""
