"""A jury can be rehearsed without a key: tempers differ in a fixed way, and so does a second answer."""

import json
from typing import Any

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.judging.payload import build_payload
from swe_assets.judging.prompts import Prompts
from swe_assets.judging.verdict import verdict_request
from swe_assets.llm.called_model import CalledModel
from swe_assets.llm.registry import model_named
from swe_assets.llm.rehearsal import MARK, RehearsalModel
from swe_assets_tests.llm.test_rehearsal import ISSUE, made_patch

TEMPERS = ("strict", "balanced", "lenient")
PROMPTS = Prompts.load()


def said(temper: str, number: int, sample: int = 1) -> dict[str, Any]:
    """Return what a judge of a temper says of one of many patches."""
    payload = build_payload(f"demo__demo-{number}", ISSUE, made_patch(number), PROMPTS)
    reply = RehearsalModel(temper).complete(verdict_request(payload, sample=sample))
    verdict: dict[str, Any] = json.loads(reply.text)
    return verdict


@pytest.fixture(scope="module")
def jury() -> dict[str, list[dict[str, Any]]]:
    """Return what each temper says of 120 patches."""
    return {temper: [said(temper, number) for number in range(120)] for temper in TEMPERS}


def test_the_strict_resolve_less_than_the_lenient(jury: dict[str, list[dict[str, Any]]]) -> None:
    """The share of resolved rises from strict to lenient, and none says the same of all."""
    shares = [sum(one["resolve_issue"] for one in jury[temper]) for temper in TEMPERS]
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[1] < shares[2] < 120


def test_they_agree_more_often_than_not_and_not_always(jury: dict[str, list[dict[str, Any]]]) -> None:
    """Each pair agrees on most patches and differs on some; reasonings are all marked."""
    for one, other in (("strict", "balanced"), ("balanced", "lenient"), ("strict", "lenient")):
        both = zip(jury[one], jury[other], strict=True)
        same = sum(a["resolve_issue"] == b["resolve_issue"] for a, b in both)
        assert 60 < same < 120
    assert all(each["raciocinio_analitico"].startswith(MARK) for told in jury.values() for each in told)


def test_a_second_answer_may_differ_in_a_fixed_way() -> None:
    """Sample 2 of a patch is the same each time, mostly that of sample 1 and not always."""
    first = [said("", number) for number in range(120)]
    second = [said("", number, sample=2) for number in range(120)]
    assert second == [said("", number, sample=2) for number in range(120)]
    pairs = [(a["resolve_issue"], a["score_confianca"]) == (b["resolve_issue"], b["score_confianca"])
             for a, b in zip(first, second, strict=True)]  # fmt: skip
    assert 60 < sum(pairs) < 120


@pytest.mark.parametrize("temper", TEMPERS)
def test_each_temper_is_a_model_of_its_own(temper: str) -> None:
    """A temper has its name and provenance, calls nothing, and is marked as a rehearsal."""
    model = model_named(f"rehearsal:{temper}")
    assert not isinstance(model, CalledModel)
    assert (model.name, model.rehearsal) == (f"rehearsal:{temper}", True)
    assert model.provenance() == {"provider": "rehearsal", "model": f"rehearsal:{temper}-1"}


def test_another_temper_is_refused() -> None:
    """An unknown temper is refused with those that there are."""
    with pytest.raises(ConfigurationError, match="rehearsal:strict, rehearsal:balanced, rehearsal:lenient"):
        model_named("rehearsal:kind")
