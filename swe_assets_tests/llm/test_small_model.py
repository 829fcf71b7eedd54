"""A real small model behind a real server, through the real SDK: the plumbing holds, quality is not asked."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

import psutil  # type: ignore[import-untyped] # it has no types
import pytest

from swe_assets.errors import ServiceError
from swe_assets.judging.payload import build_payload
from swe_assets.judging.prompts import Prompts
from swe_assets.judging.verdict import Verdict, judge
from swe_assets.llm.attempts import RetryPolicy
from swe_assets.llm.call_store import CallStore
from swe_assets.llm.called_model import CalledModel, CallServices
from swe_assets.llm.openai_compatible import OpenAICompatibleProvider
from swe_assets.llm.outcomes import CallError, InfrastructureError, Outcome
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.small_model import NAME, SmallModel
from swe_assets.patch_quality.sample import Sample
from swe_assets_tests.shared_data import shared_root

pytestmark = pytest.mark.skipif(find_spec("xllamacpp") is None, reason="the extra small-model is not here")

THREE = ("sympy__sympy-19637", "pallets__flask-5014", "astropy__astropy-7166")
SHAPE = {"resolve_issue": bool, "score_confianca": int, "raciocinio_analitico": str}


@pytest.fixture(scope="module")
def running() -> Iterator[SmallModel]:
    """Run one server for the module."""
    with SmallModel() as model:
        yield model


def payloads(sample: Sample) -> list[dict[str, str]]:
    """Return three judge's questions: real issues with their patches, or the sample's where none are here."""
    path = shared_root() / "data" / "swebench" / "slice12" / "instances_12.jsonl"
    path = path if path.is_file() else sample.dataset
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["instance_id"] in THREE] or rows[:3]
    prompts = Prompts.load()
    return [
        build_payload(row["instance_id"], row["problem_statement"], row["patch"], prompts) for row in rows
    ]


def is_typed(record: dict[str, Any]) -> bool:
    """Tell whether a record is a verdict that names the small model, or an error of a known outcome."""
    if "error" in record:
        return record["error"].partition(":")[0] in get_args(Outcome)
    verdict = Verdict.model_validate({name: record["evaluation"][name] for name in SHAPE})
    return record["evaluation"]["judge"]["model"] == NAME and 1 <= verdict.score_confianca <= 5


def has_the_shape(reply: ChatReply) -> bool:
    """Tell whether a reply is an object of the schema's very fields and types, or was cut before its end."""
    if reply.finish_reason == "length":
        return True
    said = json.loads(reply.text)
    shape = {name: type(value) for name, value in said.items()}
    return shape == SHAPE and said["score_confianca"] in range(1, 6)


def test_three_patches_are_judged_end_to_end(running: SmallModel, sample: Sample, tmp_path: Path) -> None:
    """Each reply has the schema's very shape, each record is a verdict or a typed outcome, one a verdict."""
    store, spec = CallStore(tmp_path), replace(running.spec, max_tokens=64)
    policy = RetryPolicy(attempts=1)
    model = CalledModel(OpenAICompatibleProvider(spec), CallServices(store), policy=policy)
    records = [judge(payload, model) for payload in payloads(sample)]
    assert [is_typed(record) for record in records] == [True] * 3
    assert any("evaluation" in record for record in records), records
    replies = [kept.reply for kept in (*store.answers(), *store.failed())]
    assert [has_the_shape(reply) for reply in replies] == [True] * 3


def test_whatever_it_says_is_marked(running: SmallModel) -> None:
    """Model asked for, model served and provenance say that this is no judge."""
    provider = OpenAICompatibleProvider(running.spec)
    with pytest.raises(CallError) as cut:
        provider.send(ChatRequest("Be brief.", "Count to ninety.", max_tokens=4))
    served = cut.value.served
    assert cut.value.outcome == "truncated"
    assert served is not None
    assert {served.model, served.served_model, provider.provenance()["model"]} == {NAME}
    assert served.tokens_out == 4


def test_a_question_that_is_too_long_is_this_one_s_fault(running: SmallModel) -> None:
    """A question above the context is refused by the server, and no other is touched."""
    with pytest.raises(InfrastructureError, match="too long for the model") as refused:
        OpenAICompatibleProvider(running.spec).send(ChatRequest("s", "word " * 20_000))
    assert not refused.value.retryable


def test_a_server_that_is_killed_is_a_dropped_line() -> None:
    """After a kill the next call fails as one to be tried again, and nothing stays behind."""
    with SmallModel(threads=1) as model:
        provider = OpenAICompatibleProvider(model.spec)
        os.kill(model.pid, signal.SIGKILL)
        with pytest.raises(InfrastructureError, match=r"127\.0\.0\.1") as gone:
            provider.send(ChatRequest("s", "u"))
    assert gone.value.retryable
    with pytest.raises(ServiceError, match="call start"):
        _ = model.pid


def test_the_server_ends_with_whoever_started_it() -> None:
    """A starter that is killed leaves no server behind."""
    code = "from swe_assets.llm.small_model import SmallModel as S; m=S(); m.start(); print(m.pid); input()"
    starter = subprocess.Popen(
        [sys.executable, "-u", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert starter.stdout is not None
    server = psutil.Process(int(starter.stdout.readline()))
    starter.kill()
    starter.communicate()
    until = time.monotonic() + 20
    while server.is_running() and time.monotonic() < until:
        time.sleep(0.1)
    assert not server.is_running()
