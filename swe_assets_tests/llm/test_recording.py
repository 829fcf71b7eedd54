"""What was paid for once is handed on as a recording, and replayed without key or network."""

from pathlib import Path

import pytest

from swe_assets.judging.verdict import Verdict
from swe_assets.llm.call_store import CallStore
from swe_assets.llm.called_model import CalledModel, CallServices
from swe_assets.llm.outcomes import InfrastructureError
from swe_assets.llm.protocol import ChatRequest
from swe_assets.llm.recording import write_recording
from swe_assets.llm.registry import model_named
from swe_assets_tests.llm.loopback import GOOD, PLANTED_KEY, service
from swe_assets_tests.llm.loopback_wire import WIRES

REQUEST = ChatRequest("s", "u", schema=Verdict)
AGAIN = ChatRequest("s", "u", schema=Verdict, sample=2)
OTHER = GOOD.replace("true", "false")


def test_kept_answers_become_a_recording(tmp_path: Path) -> None:
    """Each kept answer of a model is replayed under its own sample; another sample was not recorded."""
    services, path = CallServices(CallStore(tmp_path / "calls")), tmp_path / "r.jsonl"
    with service(WIRES[2].said(GOOD), WIRES[2].said(OTHER)) as running:
        model = CalledModel(running.provider("openai"), services)
        assert model.kept(REQUEST) is None
        model.complete(REQUEST)
        model.complete(AGAIN)
    kept = [(one, reply) for one in (REQUEST, AGAIN, AGAIN) if (reply := model.kept(one)) is not None]
    assert write_recording(kept, path) == 2
    replay = model_named(f"replay:{path}")
    assert [replay.complete(one).text for one in (REQUEST, AGAIN)] == [GOOD, OTHER]
    assert replay.complete(REQUEST).served_model == "gpt-test-001"
    assert not replay.rehearsal
    assert PLANTED_KEY not in path.read_text()
    with pytest.raises(InfrastructureError, match="nothing recorded"):
        replay.complete(ChatRequest("s", "u", schema=Verdict, sample=3))
