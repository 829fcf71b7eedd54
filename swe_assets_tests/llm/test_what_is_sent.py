"""What goes to Anthropic and to OpenAI-like services: the spec's parameters, the schema, and nothing else."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jsonschema  # type: ignore[import-untyped] # it has no types
import pytest
from pydantic import BaseModel

from swe_assets.errors import ConfigurationError
from swe_assets.judging.extraction import Metrics
from swe_assets.judging.verdict import Verdict
from swe_assets.llm.object_schema import object_schema
from swe_assets.llm.openai_compatible import OpenAICompatibleProvider
from swe_assets.llm.outcomes import InfrastructureError, InvalidReplyError, RefusedError
from swe_assets.llm.protocol import ChatRequest
from swe_assets.llm.specs import ModelSpec
from swe_assets_tests.http_stub import Served
from swe_assets_tests.llm.loopback import GOOD, PLANTED_KEY, service
from swe_assets_tests.llm.loopback_wire import WIRES, Wire

REQUEST = ChatRequest("Você é um juiz.", "Julgue.", schema=Verdict)
GEMINI, CLAUDE, OPENAI = WIRES
each_wire = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.provider)


def sent(wire: Wire, request: ChatRequest = REQUEST, **fields: Any) -> dict[str, Any]:
    """Return the body that a provider with these fields sends."""
    with service(wire.said(GOOD)) as running:
        running.provider(wire.provider, **fields).send(request)
    return running.requests[0]


def test_to_openai() -> None:
    """Both prompts, every parameter of the spec and a strict schema, by the names that all servers know."""
    body = sent(OPENAI, temperature=0.5, top_p=0.9, seed=7, max_tokens=50)
    schema = body.pop("response_format")["json_schema"]
    assert (schema["name"], schema["strict"]) == ("Verdict", True)
    assert schema["schema"] == object_schema(Verdict)
    assert body == {
        "model": "gpt-test",
        "messages": [
            {"role": "system", "content": "Você é um juiz."},
            {"role": "user", "content": "Julgue."},
        ],
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 7,
        "max_tokens": 50,
    }


def test_to_anthropic() -> None:
    """Both prompts, a token limit, which must be sent, and the schema without the bounds it cannot hold."""
    body = sent(CLAUDE, temperature=None)
    schema = body.pop("output_config")["format"]["schema"]
    assert schema["additionalProperties"] is False
    assert "minimum" not in schema["properties"]["score_confianca"]
    assert body == {
        "model": "claude-test",
        "max_tokens": 8192,
        "system": "Você é um juiz.",
        "messages": [{"role": "user", "content": "Julgue."}],
    }


def test_to_gemini() -> None:
    """The JSON schema goes as it is, beside the parameters of the spec."""
    config = sent(GEMINI, top_p=0.9, seed=7, max_tokens=50)["generationConfig"]
    assert config.pop("responseJsonSchema") == object_schema(Verdict)
    assert config == {
        "temperature": 0.0,
        "topP": 0.9,
        "seed": 7,
        "maxOutputTokens": 50,
        "candidateCount": 1,
        "responseMimeType": "application/json",
    }


def test_sampling_goes_to_the_older_claude_models_that_are_told_it() -> None:
    """A temperature and a top_p in the spec are sent, though the SDK no longer names them."""
    body = sent(CLAUDE, temperature=0.0, top_p=0.5)
    assert (body["temperature"], body["top_p"]) == (0.0, 0.5)


@each_wire
def test_a_model_that_refuses_a_temperature_gets_none(wire: Wire) -> None:
    """A spec without a temperature sends none, whatever the request says; else the request's counts."""
    warm = ChatRequest("s", "u", temperature=0.7)
    body = sent(wire, warm, temperature=None)
    assert "temperature" not in body.get("generationConfig", body)
    body = sent(wire, warm, temperature=0.0)
    assert body.get("generationConfig", body)["temperature"] == 0.7


@pytest.mark.parametrize(
    ("wire", "structured", "name", "value"),
    [
        (OPENAI, "json_object", "response_format", {"type": "json_object"}),
        (OPENAI, "none", "response_format", None),
        (CLAUDE, "none", "output_config", None),
    ],
)
def test_servers_that_lack_schemas(wire: Wire, structured: str, name: str, value: object) -> None:
    """An object is asked for in the way that the server takes, or by the prompt's words alone."""
    assert sent(wire, structured=structured).get(name) == value


def test_a_way_that_the_service_lacks_is_refused() -> None:
    """A setting that a provider cannot follow is refused with those that it can."""
    with pytest.raises(ConfigurationError, match="write one of json_schema, none"):
        sent(CLAUDE, structured="json_object")


def test_azure_with_a_dated_address() -> None:
    """With an api_version the key is an api-key header and the version a query; no bearer token goes."""
    with service(OPENAI.said(GOOD)) as running:
        running.provider("openai", api_version="2024-10-21").send(REQUEST)
    assert running.params[0] == {"api-version": "2024-10-21"}
    assert running.headers[0]["api-key"] == PLANTED_KEY
    assert "authorization" not in running.headers[0]


def test_a_server_without_a_key_gets_none() -> None:
    """Where no key is named no header carries one, not even the SDK's stand-in."""
    with service(OPENAI.said(GOOD)) as running:
        OpenAICompatibleProvider(ModelSpec(id="x", provider="openai", model="m", base_url=running.url)).send(
            REQUEST
        )
    assert not {"authorization", "api-key"} & running.headers[0].keys()


@pytest.mark.parametrize("schema", [Verdict, Metrics])
def test_schemas_are_closed_and_hold_what_is_valid(schema: type[BaseModel]) -> None:
    """Every field is required, nothing more is allowed, and a valid object satisfies the schema."""
    made = object_schema(schema)
    jsonschema.Draft202012Validator.check_schema(made)
    assert made["additionalProperties"] is False
    assert set(made["required"]) == set(made["properties"]) == set(schema.model_fields)
    if schema is Verdict:
        good = {"resolve_issue": True, "score_confianca": 4, "raciocinio_analitico": "x"}
        jsonschema.validate(good, made)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**good, "score_confianca": 6}, made)


def test_a_refusal_in_its_own_field() -> None:
    """OpenAI's refusal field is a refusal, also beside a valid object."""
    body = OPENAI.body([GOOD], "stop")
    body["choices"][0]["message"]["refusal"] = "I can't help."
    with service(Served(body=body)) as running, pytest.raises(RefusedError, match="can't help"):
        running.model("openai").complete(REQUEST)


def test_content_in_parts() -> None:
    """Text given in parts is joined; a thinking part is left out of it and kept in raw."""
    body = OPENAI.body([""], "stop")
    parts = [{"type": "thinking", "text": "no"}, {"type": "text", "text": GOOD[:9]}]
    body["choices"][0]["message"]["content"] = [*parts, {"type": "text", "text": GOOD[9:]}]
    with service(Served(body=body)) as running:
        reply = running.model("openai").complete(REQUEST)
    assert reply.text == GOOD
    assert reply.raw["choices"][0]["message"]["reasoning_content"]


def test_several_choices_are_ambiguous() -> None:
    """Two choices where one was asked for are no answer."""
    two = Served(body=OPENAI.body([GOOD, GOOD], "stop"))
    with service(two) as running, pytest.raises(InvalidReplyError, match="ambiguous: 2 choices"):
        running.model("openai").complete(REQUEST)


def test_an_error_inside_a_200() -> None:
    """A routing service's error in a 200 is the failure that its code means."""
    inside = Served(body={"error": {"code": 429, "message": "Rate limit. Try again in 2s"}})
    with service(inside) as running, pytest.raises(InfrastructureError, match="too many requests"):
        running.model("openai").complete(REQUEST)
    assert running.waits == [2.0] * 4


@pytest.mark.parametrize("stop", ["pause_turn", "tool_use"])
def test_claude_stops_before_an_answer(stop: str) -> None:
    """A pause or a tool call is no answer and is asked for again."""
    with service(CLAUDE.said(GOOD, stop)) as running, pytest.raises(InvalidReplyError, match=stop):
        running.model("anthropic").complete(REQUEST)
    assert len(running.requests) == 5


def test_claude_s_thoughts_are_kept_apart() -> None:
    """A thinking block is not in the text and stays in raw."""
    with service(CLAUDE.said(GOOD)) as running:
        reply = running.model("anthropic").complete(REQUEST)
    assert reply.text == GOOD
    assert [block["type"] for block in reply.raw["content"]] == ["thinking", "text"]


def test_a_limit_that_the_sdk_would_have_streamed() -> None:
    """A large token limit is sent as it is, since the time-out is ours."""
    assert sent(CLAUDE, max_tokens=64_000)["max_tokens"] == 64_000


@each_wire
def test_many_threads_share_a_provider(wire: Wire) -> None:
    """Sixteen threads that begin at once are all answered by one client."""
    begin = threading.Barrier(16)
    with service(wire.said(GOOD)) as running:
        provider = running.provider(wire.provider)

        def ask(_: int) -> str:
            begin.wait()
            return provider.send(REQUEST).text

        with ThreadPoolExecutor(16) as pool:
            assert list(pool.map(ask, range(16))) == [GOOD] * 16
    assert len(running.requests) == 16
