"""A called model pays once for an answer, whoever wants it, and keeps only what is valid."""

import threading
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from swe_assets.errors import StoreError
from swe_assets.llm import call_store
from swe_assets.llm.attempts import RetryPolicy
from swe_assets.llm.call_store import CallStore
from swe_assets.llm.called_model import CalledModel, CallServices, call_threads
from swe_assets.llm.outcomes import CallError, CallsCancelledError, TruncatedError
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets_tests.http_stub import Served
from swe_assets_tests.llm.paid_calls import Service, Word, counting, echoed, in_threads, said
from swe_assets_tests.llm.test_attempts_at_once import Book


def model_of(service: Service, folder: Path, **more: Any) -> CalledModel:
    """Return a model of the service that keeps its answers in a folder and does not sleep."""
    services = CallServices(CallStore(folder), **more)
    return CalledModel(service.provider(), services, sleep=lambda _seconds: None)


def question(user: str, schema: type[BaseModel] | None = Word, **settings: Any) -> ChatRequest:
    """Return a request for a word."""
    return ChatRequest("system", user, schema=schema, **settings)


def test_the_same_question_is_paid_for_once(tmp_path: Path) -> None:
    """A second call, also of another process's model, sends nothing and gives the same validated value."""
    book = Book()
    with counting() as service:
        first = model_of(service, tmp_path).complete(question("a"))
        again = model_of(service, tmp_path, meter=book).complete(question("a"))
    assert service.counts == {"a": 1}
    assert (first.value, first.stored) == (Word(word="a"), False)
    assert (again.value, again.stored, book.lines) == (first.value, True, [("reused",)])


def test_a_changed_prompt_asks_for_just_what_it_changes(tmp_path: Path) -> None:
    """Of three questions of which one changed, a rerun sends that one alone."""
    with counting() as service:
        for names in (["a", "b", "c"], ["a", "B", "c"]):
            for name in names:
                model_of(service, tmp_path).complete(question(name))
    assert service.counts == {"a": 1, "b": 1, "c": 1, "B": 1}


def test_nothing_is_asked_where_an_answer_has_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where less is free than answers may take, the call is not sent and the error says how much."""
    monkeypatch.setattr(call_store, "ROOM_BYTES", 2**60)
    with counting() as service, pytest.raises(StoreError, match=r"MiB are free in .* make room"):
        model_of(service, tmp_path).complete(question("a"))
    assert service.counts == {}


def test_a_second_sample_is_a_call_of_its_own(tmp_path: Path) -> None:
    """The same question asked as sample 2 is sent once more, and each sample is kept."""
    with counting() as service:
        model = model_of(service, tmp_path)
        for sample in (1, 2, 1, 2):
            model.complete(question("a", sample=sample))
    assert service.counts == {"a": 2}


def test_threads_that_want_the_same_answer_pay_once(tmp_path: Path) -> None:
    """Two hundred threads with four questions make four calls; each gets its answer."""
    with counting(latency_s=0.1) as service:
        model = model_of(service, tmp_path)
        replies = in_threads(lambda n: model.complete(question(f"q{n % 4}")), 200)
    assert service.counts == {"q0": 1, "q1": 1, "q2": 1, "q3": 1}
    assert [reply.value for reply in replies if isinstance(reply, ChatReply)] == [
        Word(word=f"q{n % 4}") for n in range(200)
    ]


@pytest.mark.parametrize("reply", [said("no object"), said('{"word": 1}'), said("", "stop"), Served(400)])
def test_only_valid_answers_are_kept(tmp_path: Path, reply: Served) -> None:
    """After an invalid, mistyped or empty reply, or a refused request, nothing is kept; the next run asks."""
    with counting(lambda _asked, _number: reply) as service:
        with pytest.raises(CallError):
            model_of(service, tmp_path).complete(question("a"))
        assert CallStore(tmp_path).keys() == []
        asked = service.counts.total()
        with pytest.raises(CallError):
            model_of(service, tmp_path).complete(question("a"))
    assert service.counts.total() == 2 * asked


def test_a_kept_answer_that_is_valid_no_more_is_asked_for_anew(tmp_path: Path) -> None:
    """An answer that its request would refuse today is put away, and the new one is kept in its place."""
    with counting() as service:
        model, asked = model_of(service, tmp_path), question("a")
        CallStore(tmp_path).keep(model.key(asked), asked, ChatReply('{"word": 1}', "m", "m", "stop"))
        assert model.complete(asked).value == Word(word="a")
        assert model.complete(asked).stored
    assert service.counts == {"a": 1}
    (aside,) = tmp_path.glob("*/*.aside")
    assert '{\\"word\\": 1}' in aside.read_text(encoding="utf-8")


def test_replies_that_could_not_be_used_are_kept_apart(tmp_path: Path) -> None:
    """Each invalid reply lies in the store with its reason, where no look-up for an answer finds it."""
    replies = [said("no object"), said('{"word": 1}')]
    with counting(lambda asked, number: [*replies, echoed(asked, number)][number]) as service:
        model_of(service, tmp_path).complete(question("a"))
    store = CallStore(tmp_path)
    failed = {one.reply.text: one.about["outcome"] for one in store.failed()}
    assert failed == {"no object": "invalid", '{"word": 1}': "invalid"}
    assert [one.reply.text for one in store.answers()] == ['{"word": "a"}']


def test_a_torn_answer_is_asked_for_anew(tmp_path: Path) -> None:
    """An answer whose file lost its end is paid for once more, and then found again."""
    with counting() as service:
        model = model_of(service, tmp_path)
        model.complete(question("a"))
        path = next(tmp_path.glob("*/*.call"))
        path.write_bytes(path.read_bytes()[:-20])
        assert [model.complete(question("a")).stored for _ in range(2)] == [False, True]
    assert service.counts == {"a": 2}


def test_an_answer_with_a_longer_limit_is_kept_under_that_limit(tmp_path: Path) -> None:
    """A rerun with the same policy finds it, one without does not and is cut as before."""

    def cut(asked: dict[str, Any], number: int) -> Served:
        return echoed(asked, number) if asked["max_tokens"] == 900 else said("", "length")

    with counting(cut) as service:
        services = CallServices(CallStore(tmp_path))
        patient = CalledModel(
            service.provider(max_tokens=100), services, policy=RetryPolicy(longer_limit=900)
        )
        assert [patient.complete(question("a")).stored for _ in range(2)] == [False, True]
        assert service.counts == {"a": 2}
        with pytest.raises(TruncatedError):
            CalledModel(service.provider(max_tokens=100), services).complete(question("a"))


def test_a_longer_limit_of_models_toml_is_used(tmp_path: Path) -> None:
    """A model with longer_max_tokens asks once more where it was cut, and its places name both keys."""

    def cut(asked: dict[str, Any], number: int) -> Served:
        return echoed(asked, number) if asked["max_tokens"] == 900 else said("", "length")

    with counting(cut) as service:
        provider = service.provider(max_tokens=100, longer_max_tokens=900)
        model = CalledModel(provider, CallServices(CallStore(tmp_path)))
        assert [model.complete(question("a")).stored for _ in range(2)] == [False, True]
    assert [key for key, _ in model.places(question("a"))][1:] == CallStore(tmp_path).keys()


def test_a_rehearsal_is_neither_kept_nor_metered(tmp_path: Path) -> None:
    """What costs nothing leaves the call store and the meter alone."""
    book = Book()
    with counting() as service:
        provider = service.provider()
        provider.rehearsal = True
        model = CalledModel(provider, CallServices(CallStore(tmp_path), book), pace=book)
        model.complete(question("a"))
    assert (book.lines, CallStore(tmp_path).keys(), model.rehearsal) == ([], [], True)


def test_a_stop_ends_the_wait_for_another_holder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another holds an answer's claim, a stop ends the wait for it at once."""
    stop = threading.Event()
    with counting() as service, CallStore(tmp_path).claim("0" * 64):
        model = model_of(service, tmp_path, stop=stop)
        monkeypatch.setattr(model, "key", lambda _request: "0" * 64)
        threading.Timer(0.3, stop.set).start()
        with pytest.raises(CallsCancelledError, match="interrupted"):
            model.complete(question("a"))
    assert service.counts == {}


def test_what_was_under_way_at_a_stop_is_kept(tmp_path: Path) -> None:
    """Of many calls at a stop those that were sent are answered and kept, and no other was sent."""
    stop = threading.Event()
    with counting(latency_s=0.2) as service:
        services = CallServices(CallStore(tmp_path), stop=stop)
        model = CalledModel(service.provider(concurrency=8), services)
        threading.Timer(0.1, stop.set).start()
        replies = in_threads(lambda n: model.complete(question(f"q{n}")), 100)
    answered = [reply for reply in replies if isinstance(reply, ChatReply)]
    assert len(CallStore(tmp_path).keys()) == len(answered) == service.counts.total() <= 8
    assert {type(reply) for reply in replies if reply not in answered} == {CallsCancelledError}


def test_hundreds_of_threads_lose_nothing(tmp_path: Path) -> None:
    """Three hundred threads, each question failing once, end with every answer kept and none asked thrice."""
    seen: set[str] = set()

    def fails_once(asked: dict[str, Any], number: int) -> Served:
        first = asked["user"] not in seen
        seen.add(asked["user"])
        return (
            [Served(503), Served(429, headers={"retry-after": "0.2"})][number % 2]
            if first
            else echoed(asked, number)
        )

    with counting(fails_once) as service:
        model = CalledModel(service.provider(), CallServices(CallStore(tmp_path)))
        replies = in_threads(lambda n: model.complete(question(f"q{n}")), 300)
    assert [reply.value for reply in replies if isinstance(reply, ChatReply)] == [
        Word(word=f"q{n}") for n in range(300)
    ]
    assert set(service.counts.values()) == {2}
    assert len(CallStore(tmp_path).keys()) == 300


def test_an_answer_is_on_disk_before_it_is_returned(tmp_path: Path) -> None:
    """Whoever has a reply finds it in the store at once."""
    with counting() as service:
        model = model_of(service, tmp_path)

        def found(number: int) -> bool:
            asked = question(f"q{number}")
            return (
                model.complete(asked).value is not None
                and CallStore(tmp_path).find(model.key(asked)) is not None
            )

        assert in_threads(found, 20) == [True] * 20


@pytest.mark.parametrize(("allowed", "threads"), [(1, 2), (4, 5), (16, 20)])
def test_a_quarter_more_threads_than_calls(allowed: int, threads: int) -> None:
    """A called model is asked by some threads more than it may have calls under way."""
    with counting() as service:
        assert call_threads(CalledModel(service.provider(concurrency=allowed))) == threads


def test_another_model_gets_no_more_threads_than_it_says() -> None:
    """A model that is no called one gets its own number of threads, and one where it names none."""
    from swe_assets.llm.rehearsal import RehearsalModel
    from swe_assets.llm.specs import ModelSpec

    three = RehearsalModel(spec=ModelSpec("r", "rehearsal", concurrency=3))
    assert call_threads(three) == 3
    del three.spec
    assert call_threads(three) == 1
