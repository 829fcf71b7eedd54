"""The call store keeps whole answers for audit, notices a torn or edited one, and stands many writers."""

import json
import logging
import os
import subprocess
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from swe_assets.errors import RecordError, StoreError, WaitEndedError
from swe_assets.llm.anthropic import AnthropicProvider
from swe_assets.llm.call_store import CallStore, answer_key, open_call_store
from swe_assets.llm.gemini import GeminiProvider
from swe_assets.llm.openai_compatible import OpenAICompatibleProvider
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.specs import ModelSpec
from swe_assets.storage.fsspec_objects import FsspecObjects
from swe_assets_tests.llm.paid_calls import HttpProvider, Word, in_threads

KEY = "ab" * 32
REQUEST = ChatRequest("system", "user \udc80  ação", schema=Word, purpose="judge", sample=2)
REPLY = ChatReply(
    '{"word": "x"}', "m", "m-001", "stop", 11, 5, 0.25, 3, {"id": "chat-1"}, notes=("a fence was taken off",)
)


@pytest.fixture(params=["folder", "object store"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> CallStore:
    """Give a store in a folder, and one in an object store that lives in memory."""
    if request.param == "folder":
        return CallStore(tmp_path / "calls")
    return CallStore(FsspecObjects(f"memory://{tmp_path.name}/calls"))


def test_what_was_kept_is_found(store: CallStore) -> None:
    """An answer comes back as it was, marked as stored, and another key finds nothing."""
    store.keep(KEY, REQUEST, REPLY)
    assert store.find(KEY) == replace(REPLY, stored=True)
    assert store.find("cd" * 32) is None


def test_the_whole_call_is_kept_for_audit(store: CallStore) -> None:
    """Request, schema, raw reply, served model, tokens, latency, attempts and time of a call are there."""
    store.keep(KEY, REQUEST, REPLY, {"model": "judge-1", "parameters": {"seed": 7}})
    kept = next(iter(store.answers()))
    reply = kept.reply
    assert (reply.raw, reply.served_model, reply.finish_reason) == ({"id": "chat-1"}, "m-001", "stop")
    assert (reply.tokens_in, reply.tokens_out, reply.latency_s, reply.attempts) == (11, 5, 0.25, 3)
    assert kept.request["user"] == REQUEST.user
    assert kept.request["fingerprint"] == REQUEST.fingerprint()
    assert kept.request["schema"]["properties"]["word"] == {"title": "Word", "type": "string"}
    assert (kept.about["model"], kept.about["parameters"], kept.time[:2]) == ("judge-1", {"seed": 7}, "20")


def test_an_answer_that_is_there_stays(store: CallStore) -> None:
    """A second answer under the same key does not replace the first; a discarded one can be kept anew."""
    store.keep(KEY, REQUEST, REPLY)
    store.keep(KEY, REQUEST, replace(REPLY, text="other"))
    assert store.find(KEY) == replace(REPLY, stored=True)
    store.put_aside(KEY)
    assert (store.find(KEY), store.keys()) == (None, [])


def damaged(store: CallStore, content: bytes) -> ChatReply | None:
    """Return what is found where an answer's file has other content."""
    path = Path(store.place) / KEY[:2] / f"{KEY}.call"
    path.write_bytes(content)
    return store.find(KEY)


def test_a_torn_file_counts_as_none(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Wherever a file is cut nothing is found, one warning says so, and the answer is kept anew."""
    store = CallStore(tmp_path)
    store.keep(KEY, REQUEST, REPLY)
    whole = (tmp_path / KEY[:2] / f"{KEY}.call").read_bytes()
    with caplog.at_level(logging.WARNING):
        assert {damaged(store, whole[:cut]) for cut in range(0, len(whole), 7)} == {None}
    assert caplog.text.count("torn or was edited") == 1
    assert list(store.answers()) == []
    with pytest.raises(RecordError, match="no whole answer"):
        store.answer(KEY)
    store.keep(KEY, REQUEST, REPLY)
    assert store.find(KEY) is not None


def test_an_edited_file_counts_as_none(tmp_path: Path) -> None:
    """A verdict changed by hand, or a file under another's name, is not taken."""
    store = CallStore(tmp_path)
    store.keep(KEY, REQUEST, REPLY)
    path = tmp_path / KEY[:2] / f"{KEY}.call"
    whole = path.read_bytes()
    assert damaged(store, whole.replace(rb"\"x\"", rb"\"y\"")) is None
    path.with_name(f"{KEY[:2]}{'0' * 62}.call").write_bytes(whole)
    assert store.find(f"{KEY[:2]}{'0' * 62}") is None


def test_many_writers_leave_whole_answers(store: CallStore) -> None:
    """Sixteen threads that keep the same twenty answers leave twenty whole ones and nothing else."""
    keys = [f"{number:02x}" * 32 for number in range(20)]

    def write(number: int) -> None:
        for key in keys:
            store.keep(key, REQUEST, replace(REPLY, attempts=number))

    assert in_threads(write, 16) == [None] * 16
    assert store.keys() == keys
    assert all(store.find(key) is not None for key in keys)


def test_a_claim_is_held_against_threads(store: CallStore) -> None:
    """While one thread holds an answer's claim another does not get it, and its wait can be ended."""
    stop = threading.Event()
    stop.set()

    def second(_number: int) -> None:
        with store.claim(KEY, stop):
            raise AssertionError("two hold one claim")

    with store.claim(KEY):
        assert isinstance(in_threads(second, 1)[0], WaitEndedError)
    with store.claim(KEY, stop):
        assert store.find(KEY) is None


def test_the_store_is_the_homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All studies of a home share one store, which lies where SWE_ASSETS_STORE says where it is set."""
    monkeypatch.delenv("SWE_ASSETS_STORE", raising=False)
    assert open_call_store(tmp_path).place == str(tmp_path / "calls" / "answers")
    monkeypatch.setenv("SWE_ASSETS_STORE", "/mnt/shared")
    assert open_call_store(tmp_path).place == "/mnt/shared/calls/answers"


def test_no_place_for_a_store_is_said(tmp_path: Path) -> None:
    """Where the folder cannot be made the first claim says so, before anything is paid."""
    (tmp_path / "calls").write_text("a file", encoding="ascii")
    store = CallStore(tmp_path / "calls")
    with pytest.raises(StoreError, match=r"cannot write in .*make it writable"), store.claim(KEY):
        raise AssertionError("held")
    with pytest.raises(StoreError, match="cannot write"):
        store.keep(KEY, REQUEST, REPLY)


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    """An answer that finds no space on the disk is a clear error, and nothing torn is left."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(tmp_path)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small file system is not allowed here")
    try:
        store = CallStore(tmp_path)
        store.keep(KEY, REQUEST, REPLY)
        with pytest.raises(StoreError, match="No space left on device"):
            store.keep("cd" * 32, REQUEST, replace(REPLY, text="x" * 100_000))
        assert store.keys() == [KEY]
    finally:
        subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def key_of(request: ChatRequest = REQUEST, said: dict[str, str] | None = None, **spec: Any) -> str:
    """Return the key of a request to a model with some settings, and with more in its provenance."""
    model = ModelSpec(**{"id": "a", "provider": "echo", "model": "m", **spec})
    provider = HttpProvider("", model)
    if said:
        provider.provenance = lambda: said  # type: ignore[method-assign] # as another provider would say
    return answer_key(provider, request)


def test_all_that_shapes_an_answer_is_in_its_key() -> None:
    """Provider, model, address, parameters, prompts, schema, limits, sample: each makes another key."""
    requests = [
        replace(REQUEST, system="x"),
        replace(REQUEST, user="x"),
        replace(REQUEST, schema=None),
        replace(REQUEST, temperature=0.5),
        replace(REQUEST, max_tokens=5),
        replace(REQUEST, sample=3),
    ]
    specs: list[dict[str, Any]] = [{"provider": "x"}, {"model": "x"}, {"base_url": "https://x"}]
    specs += [{"temperature": 1.0}, {"top_p": 0.5}, {"seed": 1}, {"max_tokens": 10}]
    keys = [key_of(), *map(key_of, requests), *(key_of(**spec) for spec in specs)]
    keys.append(key_of(said={"provider": "echo", "model": "m", "thinking": "on"}))
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("provider", [OpenAICompatibleProvider, AnthropicProvider, GeminiProvider])
def test_one_address_is_one_key(provider: type[Any]) -> None:
    """The service's own address, left out or written with or without its slash, gives one key."""
    own = [None, provider.own_url, provider.own_url.rstrip("/")]
    specs = [ModelSpec("a", "p", "m", base_url=url) for url in own]
    assert len({answer_key(provider(spec), REQUEST) for spec in specs}) == 1


def test_the_schema_as_sent_is_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another form of the same schema at a provider gives another key; free text keeps its own."""
    provider, text = AnthropicProvider(ModelSpec("a", "p", "m")), replace(REQUEST, schema=None)
    before = answer_key(provider, REQUEST), answer_key(provider, text)
    monkeypatch.setattr(AnthropicProvider, "schema_form", 2)
    assert answer_key(provider, REQUEST) != before[0]
    assert answer_key(provider, text) == before[1]


def test_what_shapes_no_answer_is_not_in_its_key() -> None:
    """A model's id, price, limits, key name and time-out, and the purpose, leave the key as it is."""
    spec: dict[str, Any] = {
        "id": "b",
        "price_in": 3.0,
        "requests_per_minute": 9.0,
        "key": "K",
        "timeout_s": 1.0,
    }
    assert key_of(replace(REQUEST, purpose="x"), **spec, concurrency=9) == key_of()


def test_a_kept_answer_holds_four_plain_lines(tmp_path: Path) -> None:
    """The file can be read and searched by any tool: a digest and three lines of JSON."""
    store = CallStore(tmp_path)
    store.keep(KEY, REQUEST, REPLY)
    lines = (tmp_path / KEY[:2] / f"{KEY}.call").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("swe-assets call 1 ")
    assert [type(json.loads(line)) for line in lines[1:]] == [dict] * 3
