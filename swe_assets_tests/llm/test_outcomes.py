"""Every way in which a call can fail has a word of its own and a rule about trying again."""

from typing import get_args

import pytest

from swe_assets.errors import JudgeError, SweAssetsError
from swe_assets.llm import outcomes
from swe_assets.llm.outcomes import CallError, Outcome


def kinds() -> list[type[CallError]]:
    """Return every kind of failure that the module defines."""
    found = [
        value for value in vars(outcomes).values() if isinstance(value, type) and issubclass(value, CallError)
    ]
    return [kind for kind in found if kind is not CallError]


def test_words_and_kinds_are_one_to_one() -> None:
    """Each outcome but an answer has exactly one kind of failure; what narrows a kind keeps its word."""
    broad = [kind for kind in kinds() if kind.__bases__ == (CallError,)]
    assert sorted(kind.outcome for kind in broad) == sorted(set(get_args(Outcome)) - {"answered"})
    assert {kind.outcome for kind in set(kinds()) - set(broad)} == {"stop_calls"}


@pytest.mark.parametrize("kind", kinds())
def test_each_kind_is_an_error_of_the_judge(kind: type[CallError]) -> None:
    """A caller that catches JudgeError, or the base of all, catches it, and it is drawn in the docstring."""
    assert issubclass(kind, JudgeError)
    assert issubclass(kind, SweAssetsError)
    assert kind.__name__ in str(outcomes.__doc__)


@pytest.mark.parametrize("kind", kinds())
def test_its_words_begin_with_its_outcome(kind: type[CallError]) -> None:
    """What is recorded of a failure begins with its outcome."""
    assert str(kind("why")) == f"{kind.outcome}: why"


def test_empty_and_invalid_replies_are_asked_for_again() -> None:
    """By nature only a reply that is empty or not the object is worth the same request."""
    assert {kind.outcome for kind in kinds() if kind("x").retryable} == {"empty", "invalid"}


def test_a_failure_can_say_otherwise() -> None:
    """One call's failure may be retryable though its kind is not, with the wait that was asked for."""
    failure = outcomes.InfrastructureError("busy", retryable=True, wait_s=3.0, status=503)
    assert (failure.retryable, failure.wait_s, failure.status) == (True, 3.0, 503)
