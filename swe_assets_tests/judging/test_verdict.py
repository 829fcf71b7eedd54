"""A verdict is exactly what was asked for, or an error record; never a default."""

from typing import Any

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.judging.extraction import Metrics
from swe_assets.judging.payload import build_payload
from swe_assets.judging.prompts import Prompts
from swe_assets.judging.verdict import Verdict, judge
from swe_assets.llm.object_schema import object_schema
from swe_assets.llm.outcomes import StopCallsError
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets_tests.llm.loopback import GOOD, failed, said, service

PAYLOAD = build_payload("demo__demo-1", "issue", "patch", Prompts.load())


def test_services_are_told_the_range() -> None:
    """The schema that a service gets names type, least and greatest of each number."""
    score = object_schema(Verdict)["properties"]["score_confianca"]
    depth = object_schema(Metrics)["properties"]["M_profundidade"]
    assert score == {"type": "integer", "minimum": 1, "maximum": 5}
    assert depth == {"type": "integer", "minimum": 1, "maximum": 3}


def judged(text: str) -> dict[str, Any]:
    """Return the record of a judge that says a text."""
    with service(said(text)) as running:
        return judge(PAYLOAD, running.model())


def test_a_verdict_and_who_gave_it() -> None:
    """An evaluation holds the three fields and beside them model, version, attempts, tokens and notes."""
    record = judged(GOOD[:-1] + ', "nota": 1}')
    assert record["instance_id"] == "demo__demo-1"
    assert record["evaluation"] == {
        "resolve_issue": True,
        "score_confianca": 4,
        "raciocinio_analitico": "corrige a causa-raiz",
        "judge": {
            "model": "gemini-2.5-flash",
            "served_model": "gemini-2.5-flash-001",
            "rehearsal": False,
            "attempts": 1,
            "finish_reason": "STOP",
            "tokens_in": 100,
            "tokens_out": 27,
            "notes": ["extra keys: 'nota'"],
        },
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("raciocinio_analitico", '"\\u200b \\u200b"'),
        ("resolve_issue", "1"),
        ("resolve_issue", '"true"'),
        ("resolve_issue", "null"),
        ("score_confianca", "true"),
        ("score_confianca", '"3"'),
        ("score_confianca", "3.5"),
        ("score_confianca", "0"),
        ("score_confianca", "6"),
        ("raciocinio_analitico", '""'),
        ("raciocinio_analitico", '" \\n"'),
        ("raciocinio_analitico", '["x"]'),
        ("raciocinio_analitico", '"\\ud800"'),
    ],
)
def test_a_field_of_another_kind_is_an_error(field: str, value: str) -> None:
    """No value is coerced, and the error names the field."""
    fields = {"resolve_issue": "true", "score_confianca": "3", "raciocinio_analitico": '"x"', field: value}
    record = judged("{" + ", ".join(f'"{key}": {text}' for key, text in fields.items()) + "}")
    assert record.keys() == {"instance_id", "error"}
    assert record["error"].startswith(f"invalid: {field}: ")
    assert record["error"].endswith("(after 5 attempts)")


def test_control_characters_are_spelled_out_in_the_record() -> None:
    """A NUL in the reasoning cannot reach a database or a terminal."""
    assert (
        judged(GOOD.replace("causa", "\\u0000"))["evaluation"]["raciocinio_analitico"]
        == "corrige a ⟨U+0000⟩-raiz"
    )


def test_a_service_that_says_stop_stops_the_caller() -> None:
    """A refused key is raised, so that no other instance is asked about."""
    with (
        service(failed(403, "denied", "PERMISSION_DENIED")) as running,
        pytest.raises(StopCallsError, match="denied"),
    ):
        judge(PAYLOAD, running.model())


class ForeignModel:
    """A provider of someone else's making, which validates nothing itself."""

    name, rehearsal = "foreign", False

    def __init__(self, text: str) -> None:
        self.text = text

    def complete(self, request: ChatRequest) -> ChatReply:
        """Answer the same text always, or find that nothing is configured."""
        if not self.text:
            raise ConfigurationError("nothing configured")
        return ChatReply(self.text, "foreign", "foreign-1", "STOP")

    def provenance(self) -> dict[str, str]:
        """Return nothing of use."""
        return {}


def test_a_foreign_provider_is_held_to_the_same_schema() -> None:
    """A provider that does not validate has its words validated by the judge."""
    assert judge(PAYLOAD, ForeignModel(GOOD))["evaluation"]["score_confianca"] == 4
    assert judge(PAYLOAD, ForeignModel("{}"))["error"].startswith(
        "invalid: resolve_issue missing; score_confianca"
    )


def test_a_missing_configuration_is_no_verdict_on_an_instance() -> None:
    """What keeps every call from being made is raised, not recorded as the instance's error."""
    with pytest.raises(ConfigurationError):
        judge(PAYLOAD, ForeignModel(""))
