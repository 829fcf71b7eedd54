"""A provider over real HTTP and a service that counts what it is asked, for tests of paid calls."""

import json
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from swe_assets.llm.outcomes import InfrastructureError, StopCallsError, TruncatedError
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.specs import ModelSpec
from swe_assets.llm.waits import retry_after_s
from swe_assets_tests.http_stub import Asked, Served, serving


class Word(BaseModel):
    """The object that the service is asked for."""

    word: str


@dataclass
class HttpProvider:
    """Posts a request as JSON and reads the reply's text and finish reason from JSON."""

    url: str
    spec: ModelSpec = field(default_factory=lambda: ModelSpec("echo", "echo", "echo-1", concurrency=300))
    rehearsal: bool = False

    def check(self) -> None:
        """Say nothing: there is no key."""

    def provenance(self) -> dict[str, str]:
        """Return provider and model."""
        return {"provider": "echo", "model": self.spec.model}

    def send(self, request: ChatRequest) -> ChatReply:
        """Make one attempt."""
        asked = {"user": request.user, "sample": request.sample, "max_tokens": request.max_tokens}
        post = urllib.request.Request(self.url, json.dumps(asked).encode(), method="POST")  # noqa: S310 - our own loopback address
        try:
            with urllib.request.urlopen(post, timeout=30) as reply:  # noqa: S310 - likewise
                said = json.loads(reply.read())
        except urllib.error.HTTPError as failed:
            raise _failure(failed) from None
        except (OSError, ValueError) as dropped:
            raise InfrastructureError(f"dropped: {dropped}", retryable=True) from None
        if said["finish"] == "length":
            raise TruncatedError("cut by the token limit")
        return ChatReply(said["text"], "echo-1", "echo-1-served", said["finish"], 7, 3, raw=said)


def _failure(failed: urllib.error.HTTPError) -> InfrastructureError | StopCallsError:
    """Return what an error status means."""
    if failed.code in (401, 403):
        return StopCallsError("the key was refused", status=failed.code)
    wait = retry_after_s(dict(failed.headers))
    return InfrastructureError(str(failed.code), retryable=True, wait_s=wait, status=failed.code)


@dataclass
class Service:
    """A running service: its address, how often each question came, when, and how many at once."""

    url: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)
    at_once: int = 0
    most: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def provider(self, **settings: Any) -> HttpProvider:
        """Return a provider that calls this service."""
        return HttpProvider(self.url, ModelSpec("echo", "echo", "echo-1", **{"concurrency": 300, **settings}))


def said(text: str, finish: str = "stop") -> Served:
    """Return a reply of the service."""
    return Served(body={"text": text, "finish": finish})


def echoed(asked: dict[str, Any], _number: int) -> Served:
    """Answer with the question as the word that is asked for."""
    return said(json.dumps({"word": asked["user"]}))


@contextmanager
def counting(
    answer: Callable[[dict[str, Any], int], Served] = echoed, latency_s: float = 0.0
) -> Iterator[Service]:
    """Run a service; answer gets the question and how often any question came before."""
    running = Service()

    def served(asked: Asked) -> Served:
        question = json.loads(asked.body)
        with running.lock:
            number = running.counts.total()
            running.counts[question["user"]] += 1
            running.times.append(time.monotonic())
            running.at_once += 1
            running.most = max(running.most, running.at_once)
        time.sleep(latency_s)
        try:
            return answer(question, number)
        finally:
            with running.lock:
                running.at_once -= 1

    with serving(served) as (running.url, _):
        yield running


def in_threads(work: Callable[[int], object], count: int) -> list[object]:
    """Do the work with the numbers 0 to count - 1, a thread each; return results and exceptions in order."""
    results: list[object] = [None] * count

    def one(number: int) -> None:
        try:
            results[number] = work(number)
        except Exception as wrong:  # the test looks at it
            results[number] = wrong

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
