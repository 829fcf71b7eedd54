"""A service that speaks OpenAI's chat completions, quick and deaf: it waits, answers, and counts.

Raw HTTP on asyncio: a call costs it some tenths of a millisecond, so that what is measured is the client's.
Each question's answer depends on the question alone. It runs in a process of its own:

    python -m benchmarks.judge_stub [--latency 0.2] [--fail-share 0.1]
"""

import asyncio
import hashlib
import json
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import click

WORDS = "O trecho alterado corrige a causa-raiz relatada e preserva os contratos existentes da função. "
FAULTS = ("busy", "broken", "dropped", "no object", "empty")
"""How a call fails where it is to fail: 503, 500, a dropped line, text that is no object, no text."""


def fingerprint(question: str) -> str:
    """Return the digest by which the service counts a question, the last message's text."""
    return hashlib.sha256(question.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass
class Told:
    """What the service counted: requests by question, the most at once, moments of the first and the last."""

    counts: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    at_once: int = 0
    most: int = 0
    first: float = 0.0
    last: float = 0.0

    @property
    def span_s(self) -> float:
        """Return the seconds from the first request to the last reply."""
        return self.last - self.first


class Line(asyncio.Protocol):
    """One connection, which is kept open for further requests."""

    def __init__(self, told: Told, latency_s: float, fail_share: float) -> None:
        self.told, self.latency_s, self.fail_share = told, latency_s, fail_share
        self.unread = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the line to answer on."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Take what came; answer once a request is whole."""
        self.unread += data
        head, gap, rest = self.unread.partition(b"\r\n\r\n")
        if not gap:
            return
        length = next(
            (int(row[15:]) for row in head.split(b"\r\n") if row[:15].lower() == b"content-length:"), 0
        )
        if len(rest) >= length:
            self.unread = rest[length:]
            self.asked(head.split(b" ", 1)[0], rest[:length])

    def asked(self, method: bytes, body: bytes) -> None:
        """Answer a question after the latency; tell the counts, or forget them, at once."""
        if method != b"POST":
            self.send(200, vars(self.told))
            if method == b"DELETE":
                self.told.__init__()  # type: ignore[misc]  # counted anew from nothing
            return
        told, question = self.told, json.loads(body)
        said = question["messages"][-1]["content"]
        mark = fingerprint(said)
        told.counts[mark] += 1
        told.first = told.first or time.time()
        told.at_once += 1
        told.most = max(told.most, told.at_once)
        fails = told.counts[mark] == 1 and int(mark[:8], 16) < self.fail_share * 2**32
        fault = FAULTS[int(mark[8:16], 16) % len(FAULTS)] if fails else ""
        asyncio.get_running_loop().call_later(self.latency_s, self.answer, question, mark, fault)

    def answer(self, question: dict[str, Any], mark: str, fault: str) -> None:
        """Send the answer, or fail as told."""
        told = self.told
        told.at_once -= 1
        told.failed += bool(fault)
        told.last = time.time()
        if fault == "dropped":
            self.transport.abort()
        elif fault in ("busy", "broken"):
            self.send(503 if fault == "busy" else 500, {"error": {"message": fault, "type": fault}})
        else:
            text = "" if fault == "empty" else "Sem objeto." if fault else json.dumps(judged(question, mark))
            self.send(200, completion(text, mark))

    def send(self, status: int, said: object) -> None:
        """Send one reply."""
        body = json.dumps(said).encode()
        head = f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        self.transport.write(head.encode() + body)


def judged(question: dict[str, Any], mark: str) -> dict[str, Any]:
    """Return the object that is asked for: a verdict that is unlike any other, or the measures of one."""
    schema = question.get("response_format", {}).get("json_schema", {}).get("schema", {})
    if "M_profundidade" in schema.get("properties", {}):
        names = ("profundidade", "integridade", "defesa")
        values = {f"M_{name}": 2 for name in names}
        words = {f"just_{name}": f"dito no raciocínio {mark[:6]}" for name in names}
        return {**values, **words, **{f"origem_{name}": "texto" for name in names}}
    return {
        "resolve_issue": int(mark[0], 16) % 2 == 0,
        "score_confianca": 1 + int(mark[1], 16) % 5,
        "raciocinio_analitico": f"Caso {mark}: " + WORDS * 6,
    }


def completion(text: str, mark: str) -> dict[str, Any]:
    """Return a whole reply of the wire format."""
    message = {"role": "assistant", "content": text, "refusal": None}
    return {
        "id": f"chatcmpl-{mark[:24]}",
        "object": "chat.completion",
        "created": 1_764_000_000,
        "model": "stub-judge-001",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 2_000, "completion_tokens": 200, "total_tokens": 2_200},
    }


@dataclass(frozen=True)
class Stub:
    """A running service as its client sees it."""

    url: str

    def told(self) -> Told:
        """Return what it counted."""
        with urllib.request.urlopen(self.url, timeout=30) as reply:  # noqa: S310 - our own loopback address
            said = json.loads(reply.read())
        return Told(**{**said, "counts": Counter(said["counts"])})

    def forget(self) -> Told:
        """Return what it counted and let it count anew."""
        told = self.told()
        anew = urllib.request.Request(self.url, method="DELETE")  # noqa: S310 - likewise
        urllib.request.urlopen(anew, timeout=30).close()  # noqa: S310 - likewise
        return told


@contextmanager
def stub(*, latency_s: float = 0.2, fail_share: float = 0.0) -> Iterator[Stub]:
    """Run the service in a process of its own while the block runs."""
    options = [f"--latency={latency_s}", f"--fail-share={fail_share}"]
    command = [sys.executable, "-m", "benchmarks.judge_stub", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Stub(f"http://127.0.0.1:{int(process.stdout.readline())}/v1/")
        finally:
            process.terminate()


async def serve(latency_s: float, fail_share: float) -> None:
    """Serve until the process is ended; print the port."""
    told = Told()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Line(told, latency_s, fail_share), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@click.command()
@click.option("--latency", default=0.2, show_default=True, help="Seconds before each answer.")
@click.option("--fail-share", default=0.0, show_default=True, help="Share of questions that fail at first.")
def main(latency: float, fail_share: float) -> None:
    """Answer as a judge would, after a wait."""
    asyncio.run(serve(latency, fail_share))


if __name__ == "__main__":
    main()
