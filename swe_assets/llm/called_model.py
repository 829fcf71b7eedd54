"""A provider made into a model: kept answers first, then attempts within pace and budget, then kept."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from swe_assets.errors import StoreError, WaitEndedError
from swe_assets.llm.attempts import Caller, RetryPolicy, answered
from swe_assets.llm.call_store import answer_key
from swe_assets.llm.outcomes import CallError, CallsCancelledError
from swe_assets.llm.protocol import Answers, ChatModel, ChatReply, ChatRequest, Meter, Pace, Provider
from swe_assets.llm.specs import ModelSpec

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CallServices:
    """What the models of one run share.

    ``answers``: where valid answers are kept, None keeps none. ``meter`` counts and bounds the money.
    ``stop``: once set no further call begins and every wait ends, with CallsCancelledError; what is under
    way is let come to its end and kept.
    """

    answers: Answers | None = None
    meter: Meter | None = None
    stop: threading.Event = field(default_factory=threading.Event)


class CalledModel:
    """A ChatModel around a provider's single attempts; any number of threads may share one.

    An answer is kept before ``complete`` returns it, and found again by all that shaped it; only valid ones
    are kept, and one that no longer satisfies its request is asked for anew. Threads and processes that
    want the same answer pay for it once. What a provider rehearses costs nothing: it is neither kept, nor
    paced, nor metered.
    """

    def __init__(
        self,
        provider: Provider,
        services: CallServices | None = None,
        *,
        policy: RetryPolicy | None = None,
        pace: Pace | None = None,
        name: str | None = None,
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        self._provider = provider
        self._services = services or CallServices()
        policy = policy or RetryPolicy()
        longer = policy.longer_limit or provider.spec.longer_max_tokens
        self._policy = replace(policy, longer_limit=longer)
        self._name = name or provider.spec.id
        paid = not provider.rehearsal
        self._answers = self._services.answers if paid else None
        self._meter = self._services.meter if paid else None
        self._caller = Caller(
            provider.send,
            spec=provider.spec,
            policy=self._policy,
            meter=self._meter,
            pace=pace if paid else None,
            stop=self._services.stop,
            sleep=sleep,
            unusable=self._keep_failed,
        )

    def __repr__(self) -> str:
        return f"CalledModel({self._name!r})"

    @property
    def spec(self) -> ModelSpec:
        """The model's settings."""
        return self._provider.spec

    @property
    def name(self) -> str:
        """The name under which studies know this model."""
        return self._name

    @property
    def rehearsal(self) -> bool:
        """Whether answers are made up offline and must be labelled wherever they show."""
        return self._provider.rehearsal

    def check(self) -> None:
        """Raise ConfigurationError at once where no call could be made, such as for a missing key."""
        self._provider.check()

    def provenance(self) -> dict[str, str]:
        """Return what the answers depend on besides the request."""
        return self._provider.provenance()

    def key(self, request: ChatRequest) -> str:
        """Return the key under which the answer to a request is kept."""
        return answer_key(self._provider, request)

    def complete(self, request: ChatRequest) -> ChatReply:
        """Return the kept answer, or ask for one in up to five attempts and keep it.

        Raises CallError as ChatModel says, and StoreError where the call store cannot be used.
        """
        answers = self._answers
        if answers is None:
            return self._caller.complete(request)
        places = self.places(request)
        kept = self._kept(answers, places)
        if kept is not None:
            return kept
        try:
            with answers.claim(places[0][0], self._services.stop):
                return self._kept(answers, places, claimed=True) or self._asked(answers, request)
        except WaitEndedError as ended:
            raise CallsCancelledError(f"the run was interrupted: {ended}") from ended

    def kept(self, request: ChatRequest) -> ChatReply | None:
        """Return the kept answer that ``complete`` would give, or None; nothing is sent."""
        return None if self._answers is None else self._kept(self._answers, self.places(request))

    def places(self, request: ChatRequest) -> list[tuple[str, ChatRequest]]:
        """Return the requests of which an answer would do, by key: as asked, or with a longer limit."""
        longer = self._policy.longer(request, self.spec.max_tokens)
        return [(self.key(one), one) for one in (request, longer) if one is not None]

    def _kept(
        self, answers: Answers, places: list[tuple[str, ChatRequest]], *, claimed: bool = False
    ) -> ChatReply | None:
        """Return an answer that is kept and still satisfies its request, or None.

        One that does not is put aside where its claim is held, so that nobody reads or writes it meanwhile.
        """
        for key, request in places:
            kept = answers.find(key)
            if kept is None:
                continue
            try:
                reply = answered(kept, request)
            except CallError as wrong:
                if claimed:
                    said = "the kept answer %s is no longer valid (%s): it is put aside and asked for anew"
                    logger.warning(said, key, wrong)
                    answers.put_aside(key)
                continue
            if self._meter is not None:
                self._meter.reused(self.spec, reply)
            return reply
        return None

    def _asked(self, answers: Answers, request: ChatRequest) -> ChatReply:
        """Ask the service, and keep what it answered under the request that it answered."""
        answers.check_room()
        sent, reply = self._caller.ask(request)
        answers.keep(self.key(sent), sent, reply, self._about())
        return reply

    def _about(self) -> dict[str, Any]:
        """Return what is kept beside a reply."""
        return {"model": self._name, "provenance": self.provenance(), "parameters": self.spec.parameters()}

    def _keep_failed(self, request: ChatRequest, reply: ChatReply, failure: CallError) -> None:
        """Keep a reply that is no answer, for audit; that it cannot be kept does not hide why it is none."""
        if self._answers is None:
            return
        about = {**self._about(), "outcome": failure.outcome, "failure": failure.reason}
        try:
            self._answers.keep_failed(self.key(request), request, reply, about)
        except StoreError as wrong:
            logger.warning("a reply that could not be used was not kept for audit (%s)", wrong)


def call_threads(model: ChatModel) -> int:
    """Return how many threads may ask a model at once.

    A called model lets no more calls be under way than it may; a quarter more threads than that keep it at
    this number while some of them store an answer or wait to try again. Another model gets as many as its
    ``spec`` allows, and one that has none a single thread.
    """
    spec = getattr(model, "spec", None)
    allowed = 1 if spec is None else int(spec.concurrency)
    return allowed + max(1, allowed // 4) if isinstance(model, CalledModel) else allowed
