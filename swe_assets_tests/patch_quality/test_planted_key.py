"""Three services that echo their keys and fail in every way: no key is in anything that a study writes."""

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from swe_assets.patch_quality.sample import Sample
from swe_assets_tests.http_stub import Asked, Served, serving
from swe_assets_tests.llm.loopback import GOOD
from swe_assets_tests.llm.loopback_faults import FAULTS
from swe_assets_tests.llm.loopback_wire import WIRES, Wire
from swe_assets_tests.patch_quality.small_study import SmallStudy, small_study

KEYS = {
    wire.provider: f"plantedKey-{wire.provider}-0123456789-{wire.provider}-neverToBeSeen" for wire in WIRES
}
METRICS = json.dumps(
    {
        f"{kind}_{name}": value
        for name, number in (("profundidade", 2), ("integridade", 3), ("defesa", 2))
        for kind, value in (("M", number), ("just", "omisso"), ("origem", "fallback"))
    }
)
LOUD = (
    "import logging, sys; logging.basicConfig(level=1, stream=sys.stderr);"
    "from swe_assets.cli import main; sys.exit(main())"
)
"""The command line with every log record of every library written to stderr."""

PLAYED = [fault for fault in FAULTS if fault.wait_s is None and fault.ends != "stop_calls"]
REFUSED = [fault for fault in FAULTS if fault.reason == "the key was refused"]
FAULTS_HERE = PLAYED + REFUSED
"""All faults without a long wait; the last stops all calls of its judge."""


@dataclass(frozen=True)
class LoudStudy(SmallStudy):
    """A study whose every call logs all that it can, and what its services were asked, by provider."""

    asked: dict[str, list[Asked]] = field(default_factory=dict)

    def command(self, *arguments: str) -> list[str]:
        """Return the command line for a call."""
        return [sys.executable, "-c", LOUD, *arguments]


def echoed(reply: Served, key: str) -> Served:
    """Return a reply that says the key in a header, in its object and in its words."""
    headers = {**reply.headers, "x-echo": key, "set-cookie": f"k={key}"}
    if isinstance(reply.body, dict):
        words = json.dumps(reply.body).replace("slow down", f"slow down, {key}").replace("odd", f"odd {key}")
        return replace(reply, body={**json.loads(words), "echo": key}, headers=headers)
    body = f"{key} {reply.body}" if isinstance(reply.body, str) and not reply.fault else reply.body
    return replace(reply, body=body, headers=headers)


def good(wire: Wire, asked: Asked, key: str) -> Served:
    """Return an answer to either pass, its words holding the key."""
    verdict = GOOD.replace("corrige", f"a chave {key} corrige")
    return wire.said(METRICS if b"RACIOCINIO" in asked.body else verdict)


def faulty(wire: Wire, faults: list[Any]) -> Any:
    """Return a service that answers badly twice and then well, each fault once, and well from then on."""
    turn, key = count(), KEYS[wire.provider]

    def answer(asked: Asked) -> Served:
        at = next(turn)
        bad = at % 3 < 2 and at - at // 3 < len(faults)
        reply = faults[at - at // 3].reply(wire) if bad else good(wire, asked, key)
        return echoed(reply, key)

    return answer


def models(urls: dict[str, str]) -> str:
    """Return a models.toml of the three services."""
    lines = []
    for provider, url in urls.items():
        lines += [f"[models.{provider}-here]", f'provider = "{provider}"', 'model = "m"']
        lines += [f'base_url = "{url}"', f'key = "{provider.upper()}_HERE_KEY"', "timeout_s = 1"]
    return "\n".join(lines) + "\n"


@pytest.fixture
def study(tmp_path: Path, sample: Sample) -> Iterator[LoudStudy]:
    """Pin a study with a jury of the three services, their keys in .env; end them with the test."""
    made = small_study(tmp_path, sample, 40)
    loud = LoudStudy(made.home, made.sample, made.predictions, made.name)
    loud.environment.update(OPENAI_LOG="debug", ANTHROPIC_LOG="debug")
    with ExitStack() as stack:
        urls = {}
        for wire in WIRES:
            served = stack.enter_context(serving(faulty(wire, FAULTS_HERE)))
            urls[wire.provider], loud.asked[wire.provider] = served
        (made.home / "models.toml").write_text(models(urls), encoding="utf-8")
        env = "".join(f"{name.upper()}_HERE_KEY={key}\n" for name, key in KEYS.items())
        (made.home / ".env").write_text(env, encoding="utf-8")
        yield loud


def written(home: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every file below a home but the one that holds the keys."""
    for path in home.rglob("*"):
        if path.is_file() and path.name != ".env":
            yield str(path.relative_to(home)), path.read_bytes()


def test_no_key_is_in_anything_that_is_written(study: LoudStudy) -> None:
    """Records, kept answers, Dagster's storage, reports, logs and output hold no half of a key."""
    judges = [f"--judge={provider}-here" for provider in KEYS]
    said = [study.call("study", "update", study.name, *judges, "--yes")]
    said += [study.call("run", study.name, expected=None) for _ in range(2)]
    said += [study.call(*words, expected=None) for words in (("status", study.name), ("doctor", "--offline"))]
    output = "".join(done.stdout + done.stderr for done in said).encode()
    everything = [*written(study.home), ("output", output)]
    assert b"[key removed]" in b"".join(content for _, content in everything)
    assert output.count(b"httpcore2") > 100
    for wire in WIRES:
        asked = study.asked[wire.provider]
        last = len(FAULTS_HERE) - 1
        assert len(asked) > last + last // 2, "not every fault was met"
        assert {one.headers[wire.key_header] for one in asked} == {wire.key_prefix + KEYS[wire.provider]}
    for key in KEYS.values():
        halves = key[: len(key) // 2].encode(), key[len(key) // 2 :].encode()
        assert [name for name, content in everything if any(half in content for half in halves)] == []
