"""The benchmarks of judging run, and their stub counts, fails and answers as they say."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks import judge_calls, judge_kills, judge_layer, judge_memory
from benchmarks.judge_beside_inspect import write_questions
from benchmarks.judge_stub import Stub, fingerprint, stub
from benchmarks.judge_study import both_passes, pin, requests, write_models
from swe_assets.judging.verdict import Verdict
from swe_assets.llm.call_store import CallStore
from swe_assets.llm.called_model import CallServices
from swe_assets.llm.protocol import ChatModel


@pytest.fixture
def service() -> Iterator[Stub]:
    """Give a stub that answers at once."""
    with stub(latency_s=0.01) as running:
        yield running


def model(service: Stub, folder: Path, concurrency: int = 8) -> ChatModel:
    """Return the stub as a model that keeps its answers."""
    return judge_layer.model_at(service.url, CallServices(CallStore(folder)), concurrency)


def test_the_stub_answers_the_real_sdk(service: Stub, tmp_path: Path) -> None:
    """A verdict comes through the openai SDK, is counted under its question, and is another for each."""
    asked = requests(3)
    replies = [model(service, tmp_path).complete(one) for one in asked]
    assert (
        len({reply.value.raciocinio_analitico for reply in replies if isinstance(reply.value, Verdict)}) == 3
    )
    told = service.told()
    assert told.counts == {fingerprint(one.user): 1 for one in asked}
    assert (told.most, told.failed, replies[0].served_model) == (1, 0, "stub-judge-001")


def test_the_stub_fails_a_share_of_the_questions_once(tmp_path: Path) -> None:
    """With every question failing at first each is asked twice and answered, whatever the fault."""
    asked = requests(20)
    with stub(latency_s=0.01, fail_share=1.0) as failing, ThreadPoolExecutor(20) as pool:
        replies = list(pool.map(model(failing, tmp_path, 20).complete, asked))
        told = failing.told()
    assert [reply.attempts for reply in replies] == [2] * 20
    assert (told.failed, set(told.counts.values())) == (20, {2})


def test_the_stub_forgets(service: Stub, tmp_path: Path) -> None:
    """After it was asked to forget, it counts from nothing."""
    model(service, tmp_path).complete(requests(1)[0])
    assert service.forget().counts.total() == 1
    assert service.told().counts.total() == 0


def test_both_passes_ask_what_judging_asks(service: Stub, tmp_path: Path) -> None:
    """The list of both passes' questions is what judging one instance after the other asks."""
    judge_calls.layer(service, tmp_path / "kept", 5, 8)
    kept = {str(answer.request["user"]) for answer in CallStore(tmp_path / "kept").answers()}
    assert kept == {request.user for request in both_passes(5)}
    assert write_questions(tmp_path / "questions.jsonl", 5) == 10


def test_the_layer_loses_nothing(service: Stub, tmp_path: Path) -> None:
    """Ten calls are measured, none is lost, and no more were under way than allowed."""
    found = judge_calls.layer(service, tmp_path / "kept", 5, 2)
    assert (found.calls, found.lost, found.failed) == (10, 0, 0)
    assert found.span_s > 0 and found.row(1.0)[0] == "call layer alone"


def test_memory_is_watched() -> None:
    """The memory of a process is told after each hundred instances, and grows little in so few."""
    found = judge_memory.memory_over(400, 16, 0.001)
    assert list(found.at) == [200, 400]
    assert 0 < found.growth < 2 and found.peak_mib >= max(found.at.values()) * 0.9


def test_a_killed_run_is_resumed(tmp_path: Path) -> None:
    """Of a run killed once in its midst no kept answer is paid for again and no record is lost."""
    with stub(latency_s=0.1) as service:
        write_models(tmp_path / "home", service, 2)
        pin(tmp_path / "home", 12)
        tally = judge_kills.kill_and_resume(service, tmp_path / "home", 12, [2.5], judge_kills.BARE)
    assert (tally.paid_twice, tally.lost) == (0, 0)
    assert tally.kept[0] >= 1 and tally.again <= 2
