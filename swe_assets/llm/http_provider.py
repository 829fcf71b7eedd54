"""What providers that are asked over HTTP have in common: a key of their own, one client, typed failures."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar
from urllib.parse import urlsplit

from swe_assets.errors import ConfigurationError
from swe_assets.llm.addresses import safe_url
from swe_assets.llm.keys import find_key, withhold_from_logs, without_key
from swe_assets.llm.outcomes import CallError, InfrastructureError, InvalidReplyError
from swe_assets.llm.plain_text import excerpt
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.specs import ModelSpec

if TYPE_CHECKING:
    import httpx2
    from pydantic import SecretStr

Client = TypeVar("Client")


class HttpProvider(ABC, Generic[Client]):
    """A service behind an SDK: one attempt a ``send``, its outcome typed, its key kept to itself.

    The key is the one that ``spec.key`` names, in the environment or in SWE_ASSETS_HOME's ``.env``; no
    variable of an SDK stands in for it or moves the address. Nothing is read, imported or called before
    ``check`` or the first ``send``. ``send`` may be called by many threads at once.
    """

    rehearsal = False
    own_url: ClassVar[str]
    """The service's own address, for a spec that names none."""
    takes: ClassVar[frozenset[str]]
    """The ways of asking for an object that the service knows."""
    schema_form: ClassVar[int] = 1
    """Counted up whenever a provider sends the same schema in another form: the answers' keys hold it."""

    def __init__(self, spec: ModelSpec, *, key: "SecretStr | None" = None) -> None:
        if spec.structured not in self.takes:
            known = ", ".join(sorted(self.takes))
            raise ConfigurationError(
                f"model {spec.id!r} has structured = {spec.structured!r}, which {spec.provider} does not "
                f"take: write one of {known}"
            )
        self.spec = spec
        self._base_url = safe_url(self.own_url if spec.base_url is None else spec.base_url)
        self._key = key
        self._client: Client | None = None
        self._connecting = threading.Lock()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.spec.id!r})"

    @property
    def address(self) -> str:
        """Return the address that is asked, the service's own where the spec names none."""
        return self._base_url

    def check(self) -> None:
        """Raise ConfigurationError at once where the key is missing or cannot be one."""
        if self._key is None and self.spec.key:
            self._key = find_key(self.spec.key)

    def provenance(self) -> dict[str, str]:
        """Return provider, model and parameters, and the address where it is not the service's own."""
        spec = self.spec
        said = {name: str(value) for name, value in spec.parameters().items()}
        if self._base_url != self.own_url:
            said["base_url"] = self._base_url
        if spec.structured != "json_schema":
            said["structured"] = spec.structured
        if spec.api_version:
            said["api_version"] = spec.api_version
        return {"provider": spec.provider, "model": spec.model, **said}

    def send(self, request: ChatRequest) -> ChatReply:
        """Make one attempt; whatever an SDK raises, and all that it holds, ends here."""
        self.check()
        try:
            reply, ended = self._ask(self._connected(), request)
            reply = _told_usage(self._without_key(reply))
            if ended is None:
                return reply
            ended.served, failure = reply, ended
        except ConfigurationError:
            raise
        except CallError as caught:
            failure = caught
        except Exception as problem:  # an SDK's, the line's, or that of a reply of another shape
            failure = self._failure(problem)
            failure.perhaps_billed = failure.status is None and not _never_asked(problem)
        failure.reason = excerpt(self._clean(failure.reason), 600)
        failure.args, failure.__context__, failure.__cause__ = (failure.reason,), None, None
        try:
            raise failure.with_traceback(None)
        finally:
            del failure  # which would hold this frame, and the frame it

    @abstractmethod
    def _connect(self, http: "httpx2.Client", key: str) -> Client:
        """Return the SDK's client on a guarded line, its own retries switched off."""

    @abstractmethod
    def _auth(self, key: str) -> dict[str, str]:
        """Return the headers that carry the key."""

    @abstractmethod
    def _ask(self, client: Client, request: ChatRequest) -> tuple[ChatReply, CallError | None]:
        """Make one call; return its reply as served and, where it is no answer, why.

        Raises CallError where nothing was served, or whatever the SDK raises.
        """

    @abstractmethod
    def _refused(self, problem: Exception) -> CallError | None:
        """Return the failure of an error status that the SDK raised, None for any other exception."""

    def _failed(self, status: int, headers: Mapping[str, str], body: object) -> CallError:
        """Return the failure of an error status as most services tell it, the key taken out first."""
        from swe_assets.llm.http_failure import failure_of_status

        return failure_of_status(status, self._clean(dict(headers)), self._clean(body))

    def _connected(self) -> Client:
        """Return the one client, made by the first thread that comes."""
        with self._connecting:
            if self._client is None:
                from swe_assets.llm.guarded_http import guarded_client

                key = self._key.get_secret_value() if self._key else ""
                if self._key:
                    withhold_from_logs(self._key)
                auth, spec = self._auth(key) if key else {}, self.spec
                http = guarded_client(self._base_url, auth, spec.timeout_s, spec.concurrency)
                self._client = self._connect(http, key)
            return self._client

    def _failure(self, problem: Exception) -> CallError:
        """Return the typed failure of an exception that is not ours."""
        refused = self._refused(problem)
        if refused is not None:
            return refused
        import httpx2

        from swe_assets.llm.guarded_http import AddressRefusedError, ReplyTooLargeError

        cause = problem.__cause__ or problem
        line = cause if isinstance(cause, httpx2.HTTPError) else problem
        if isinstance(line, ReplyTooLargeError):
            return InvalidReplyError(str(line))
        if isinstance(line, AddressRefusedError):
            return InfrastructureError(str(line))
        if isinstance(line, httpx2.HTTPError):
            host = urlsplit(self._base_url).netloc
            return InfrastructureError(f"{type(line).__name__} from {host}", retryable=True)
        return InfrastructureError(f"unreadable reply ({type(problem).__name__})", retryable=True)

    def _without_key(self, reply: ChatReply) -> ChatReply:
        """Return a reply with the key taken out of all that a service said."""
        if self._key is None:
            return reply
        said = (reply.text, reply.served_model, reply.finish_reason)
        text, served, finish = (self._clean(words) for words in said)
        raw = self._clean(reply.raw)
        return replace(reply, text=text, served_model=served, finish_reason=finish, raw=raw)

    def _clean(self, value: Any) -> Any:
        """Return a value without the key."""
        return value if self._key is None else without_key(value, self._key)

    def _temperature(self, request: ChatRequest) -> float | None:
        """Return the temperature to send; a spec of None sends none, since some models refuse any."""
        if self.spec.temperature is None or request.temperature is None:
            return self.spec.temperature
        return request.temperature

    def _max_tokens(self, request: ChatRequest) -> int | None:
        """Return the token limit to send, None for the service's own."""
        return request.max_tokens or self.spec.max_tokens


def _told_usage(reply: ChatReply) -> ChatReply:
    """Return a reply whose usage is what the service told: no prompt and no text takes 0 tokens or fewer."""
    tokens_in = reply.tokens_in if (reply.tokens_in or 0) > 0 else None
    tokens_out = reply.tokens_out
    if tokens_out is not None and (tokens_out < 0 or (tokens_out == 0 and reply.text)):
        tokens_out = None
    return replace(reply, tokens_in=tokens_in, tokens_out=tokens_out)


def _never_asked(problem: Exception) -> bool:
    """Tell whether a request did not wholly reach the service, so that it cannot bill it."""
    import httpx2

    from swe_assets.llm.guarded_http import AddressRefusedError

    before = (
        AddressRefusedError,
        httpx2.ConnectError,
        httpx2.ConnectTimeout,
        httpx2.PoolTimeout,
        httpx2.WriteError,
        httpx2.WriteTimeout,
    )
    return isinstance(problem, before) or isinstance(problem.__cause__, before)


def seconds_since(started: float) -> float:
    """Return the seconds since a moment of ``time.monotonic``."""
    return time.monotonic() - started
