"""A reply's object satisfies its schema as it stands, or is refused with the fields named."""

from typing import Annotated

import pytest
from pydantic import BaseModel, BeforeValidator, Field

from swe_assets.llm.outcomes import InvalidReplyError
from swe_assets.llm.protocol import ChatReply
from swe_assets.llm.typed_reply import integral, read_as, validated


class Note(BaseModel):
    """One number from 1 to 5."""

    n: Annotated[int, BeforeValidator(integral), Field(strict=True, ge=1, le=5)]


@pytest.mark.parametrize("text", ['{"n": 4}', '{"n": 4.0}', '{"n": 4e0}'])
def test_integral_numbers(text: str) -> None:
    """Four is four in each spelling of JSON, and comes out as an int."""
    value, _ = read_as(text, Note)
    assert (value.n, type(value.n)) == (4, int)


@pytest.mark.parametrize("n", ["4.5", '"4"', "true", "null", "0", "6", "[4]", "1e400", "-1"])
def test_nothing_is_coerced(n: str) -> None:
    """Another type, a fraction or a value out of range is refused and quoted."""
    with pytest.raises(InvalidReplyError, match=r"^invalid: n: .*, got "):
        read_as(f'{{"n": {n}}}', Note)


def test_a_missing_field_is_named() -> None:
    """A field that is not there is called missing."""
    with pytest.raises(InvalidReplyError, match="n missing"):
        read_as("{}", Note)


def test_extra_keys_are_noted() -> None:
    """A key that was not asked for is named, whatever it is made of."""
    assert read_as('{"n": 1, "x\\ud800": 2}', Note)[1] == ("extra keys: 'x\\ud800'",)


def test_a_value_read_before_is_not_read_again() -> None:
    """A reply that already carries its object gives it back with its notes."""
    reply = ChatReply("not JSON", "m", "m", "STOP", value=Note(n=3), notes=("kept",))
    assert validated(reply, Note) == (Note(n=3), ("kept",))


def test_an_answer_of_a_foreign_provider_is_read() -> None:
    """A reply without an object is read from its text."""
    assert validated(ChatReply('```{"n": 2}```', "m", "m", "STOP"), Note)[1] == ("code fence",)
