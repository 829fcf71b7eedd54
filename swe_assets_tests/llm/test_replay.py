"""A recording answers what was asked when it was made, and nothing else."""

from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.llm.outcomes import InfrastructureError
from swe_assets.llm.protocol import ChatRequest
from swe_assets.llm.registry import model_named
from swe_assets.llm.rehearsal import RehearsalModel
from swe_assets.llm.replay import ReplayModel, recorded
from swe_assets_tests.llm.loopback import said, service

REQUEST = ChatRequest("sistema", "pergunta \ud800")


def test_a_real_reply_comes_back(tmp_path: Path) -> None:
    """A recorded reply of a service is given back without the service, and is no rehearsal."""
    with service(said("olá\u2028")) as running:
        model = running.model()
        reply = model.complete(ChatRequest("s", "u"))
        (tmp_path / "r.jsonl").write_text(
            recorded(ChatRequest("s", "u").fingerprint(), reply, rehearsal=False) + "\n"
        )
    replay = model_named(f"replay:{tmp_path / 'r.jsonl'}")
    again = replay.complete(ChatRequest("s", "u"))
    assert (again.text, again.served_model, again.tokens_out) == ("olá\u2028", "gemini-2.5-flash-001", 27)
    assert replay.rehearsal is False


def test_a_rehearsal_stays_a_rehearsal(tmp_path: Path) -> None:
    """A recording of the offline twin is labelled as one, and its provenance is its content."""
    twin = RehearsalModel()
    path = tmp_path / "r.jsonl"
    path.write_text(recorded(REQUEST.fingerprint(), twin.complete(REQUEST), rehearsal=True) + "\n\n")
    replay = ReplayModel(path)
    assert replay.rehearsal
    assert replay.complete(REQUEST).text == twin.complete(REQUEST).text
    assert len(replay.provenance()["model"]) == 64


@pytest.mark.parametrize(
    "other",
    [
        ChatRequest("s", "v"),
        ChatRequest("t", "u"),
        ChatRequest("s", "u", temperature=0.5),
        ChatRequest("s", "u", max_tokens=1),
    ],
)
def test_another_request_has_no_answer(other: ChatRequest, tmp_path: Path) -> None:
    """A request that differs in any part that is sent was not recorded."""
    twin, asked, path = RehearsalModel(), ChatRequest("s", "u"), tmp_path / "r.jsonl"
    path.write_text(recorded(asked.fingerprint(), twin.complete(asked), rehearsal=True))
    with pytest.raises(InfrastructureError, match="nothing recorded"):
        ReplayModel(path).complete(other)


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"request": "x", "text": 1}', "\xff"])
def test_what_is_not_a_recording_is_refused(line: str, tmp_path: Path) -> None:
    """A line that is no recorded reply is named by its number."""
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"\n" + line.encode("latin-1"))
    with pytest.raises(ConfigurationError, match="line 2: not a recorded reply"):
        ReplayModel(path)


def test_a_recording_that_is_not_there(tmp_path: Path) -> None:
    """A path where nothing lies is refused with the reason."""
    with pytest.raises(ConfigurationError, match="No such file"):
        ReplayModel(tmp_path / "none")
