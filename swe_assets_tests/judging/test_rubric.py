"""A judge's scores are read as they are meant or asked for again, never clamped, guessed or dropped."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swe_assets.errors import ConfigurationError
from swe_assets.judging.rubric import MOST_CRITERIA, Rubric, RubricError, quoted, read_scores, schema_of
from swe_assets.llm.json_text import ReadingError
from swe_assets.llm.outcomes import InvalidReplyError, RefusedError
from swe_assets.llm.typed_reply import read_as
from swe_assets_tests.shared_data import blind_cases

TWO = Rubric({"c1": "names the cause", "c2": "gives an example"})
ONE = Rubric({"c1": "x"})


def reply(score: str, quote: str = '"x"') -> str:
    """Return a reply for one criterion, its score and quote as JSON text."""
    return f'{{"c1": {{"score": {score}, "quote": {quote}}}}}'


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in blind_cases("judge_json")])
def test_the_judge_json_cases(case: dict[str, Any]) -> None:
    """Each reply gives the scores that are right, or is asked for again for the right reason."""
    asked, expected = case["input"], case["expected"]
    lowest, highest = asked["scale"]
    rubric = Rubric(dict.fromkeys(asked["criteria"], ""), lowest, highest)
    try:
        found = read_scores(asked["reply"], rubric)
    except (ReadingError, RubricError) as again:
        assert again.retryable
        assert "retry" in expected["status"]
        assert again.fault == expected.get("reason", again.fault)
    else:
        assert "ok" in expected["status"].split("_or_")
        assert found.scores == expected["scores"]
        assert not any(found.scores[name] == value for name, value in expected.get("never", {}).items())


@pytest.mark.parametrize(
    ("score", "value"),
    [
        ("0", 0.0),
        ("5", 5.0),
        ("3.0", 3.0),
        ("4e0", 4.0),
        ("2.25", 2.25),
        ('"3"', 3.0),
        ('" 4 "', 4.0),
        ('"4.5"', 4.5),
        ('"４，５"', 4.5),
        ('"٣"', 3.0),
        ('"4/5"', 4.0),
        ('"四"', 4.0),
    ],
)
def test_numerals_as_text(score: str, value: float) -> None:
    """A number may be written as text, in any digits, with a comma, or over the highest score."""
    assert read_scores(reply(score), ONE).scores == {"c1": value}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (reply("5.01"), "out_of_range"),
        (reply("-1"), "out_of_range"),
        (reply('"６"'), "out_of_range"),
        (reply("1e14"), "out_of_range"),
        (reply("1e400"), "not_a_number"),
        (reply("NaN"), "not_a_number"),
        (reply('"NaN"'), "not_a_number"),
        (reply('"four"'), "not_a_number"),
        (reply('"4 or 5"'), "not_a_number"),
        (reply('"8/10"'), "not_a_number"),
        (reply('"½"'), "not_a_number"),
        (reply('"1.234,5"'), "not_a_number"),
        (reply('""'), "not_a_number"),
        (reply("false"), "not_a_number"),
        (reply("[4]"), "not_a_number"),
        (reply('{"value": 4}'), "not_a_number"),
        (reply("4", "null"), "missing_quote"),
        ('{"c1": {"score": 4}}', "missing_quote"),
        ('{"c1": {"quote": "x"}}', "missing_score"),
        ('{"c1": 4}', "missing_score"),
        ('{"c1": null}', "missing_criterion"),
        ('{"c9": {"score": 4, "quote": "x"}}', "missing_criterion"),
        ("{}", "missing_criterion"),
        ('{"c1": {"score": 5, "score": 1, "quote": "x"}}', "duplicate_key"),
        (f"{reply('4')} {reply('5')}", "ambiguous"),
        (reply("4")[:-3], "truncated"),
        ("4", "not_an_object"),
        ("good", "no_object"),
        (reply("4,5"), "unreadable"),
    ],
)
def test_what_is_asked_for_again(text: str, fault: str) -> None:
    """Each fault is told by its own word, and may be asked for again."""
    with pytest.raises(InvalidReplyError) as raised:
        read_scores(text, ONE)
    assert isinstance(raised.value, ReadingError | RubricError)
    assert (raised.value.fault, raised.value.retryable) == (fault, True)


def test_a_refusal_is_no_score() -> None:
    """A judge that declines is an outcome of its own, not asked again."""
    with pytest.raises(RefusedError):
        read_scores("I'm sorry, but I can't grade this answer.", ONE)


def test_the_item_is_the_mean_of_its_criteria() -> None:
    """Criteria of 4 and 2.5 give 3.25, whatever order the judge answered in."""
    text = '{"C2 ": {"score": "2,5", "quote": "b"}, "c1": {"score": 4, "quote": "a"}, "total": 6.5}'
    found = read_scores(text, TWO)
    assert list(found.scores) == ["c1", "c2"]
    assert (found.item, found.flags) == (3.25, ("unknown_criterion:total",))


def test_quotes_are_looked_up() -> None:
    """A quote that the answer does not hold, and an empty one, are flagged by criterion, not refused."""
    text = json.dumps({"c1": {"score": 4, "quote": "the sky"}, "c2": {"score": 0, "quote": " "}})
    assert read_scores(text, TWO, "It is “The  Sky”.").flags == ("quote_empty:c2",)
    assert read_scores(text, TWO, "It is the sea.").flags == ("quote_not_found:c1", "quote_empty:c2")


@pytest.mark.parametrize(
    ("quote", "answer", "there"),
    [
        ("line one line two", "line one\n  line two", True),
        ("“it’s so”", 'He said "it\'s so"', True),
        ("ＡＢＣ", "abc", True),
        ("the cause … is heat", "The cause of all this is heat.", True),
        ("is heat ... the cause", "The cause of all this is heat.", False),
        ("答案是√2", "因此答案是 √2。", True),
        ("是 √2", "因此答案是√2。", True),
        ("eat", "heat", False),
        ("heat", "cold", False),
        ("…", "anything", False),
        ("", "anything", False),
    ],
)
def test_a_quote_stands_in_an_answer(quote: str, answer: str, there: bool) -> None:
    """White space, quotes and letter forms are tolerated, other words and another order are not."""
    assert quoted(quote, answer) is there


@given(st.text(), st.text("ab 数。1", min_size=1), st.text())
def test_a_true_quote_is_found(before: str, quote: str, after: str) -> None:
    """Whatever words are copied out of an answer are found in it."""
    assert quoted(f"z{quote}z", f"{before}\n z{quote}z {after}")


@given(st.floats(0, 5), st.floats(0, 5))
def test_scores_come_back_unchanged(first: float, second: float) -> None:
    """Any two numbers of the scale are read as they are, and the item lies between them."""
    text = json.dumps({"c1": {"score": first, "quote": "x"}, "c2": {"score": second, "quote": "x"}})
    found = read_scores(text, TWO)
    assert found.scores == {"c1": first, "c2": second}
    assert min(first, second) <= found.item <= max(first, second)


@pytest.mark.parametrize(
    ("step", "score", "allowed"), [(0.5, "4.5", 1), (0.5, "4.25", 0), (1, "4.5", 0), (1, "4", 1)]
)
def test_half_points_where_the_rubric_allows_them(step: float, score: str, allowed: int) -> None:
    """A score between the steps of the rubric is asked for again, by both readers."""
    rubric = Rubric({"c1": "x"}, step=step)
    if allowed:
        assert read_scores(reply(score), rubric).item == float(score)
        read_as(reply(score), schema_of(rubric))
        return
    with pytest.raises(RubricError, match="no multiple"):
        read_scores(reply(score), rubric)
    with pytest.raises(InvalidReplyError):
        read_as(reply(score), schema_of(rubric))


@pytest.mark.parametrize("score", ["7", "true", "null", '"four"', "NaN", '"4/9"', "[4]"])
def test_the_schema_refuses_what_the_reader_refuses(score: str) -> None:
    """A provider's retry and the reader agree on what is no score."""
    with pytest.raises(InvalidReplyError):
        read_as(reply(score), schema_of(ONE))
    with pytest.raises(InvalidReplyError):
        read_scores(reply(score), ONE)


def test_the_schema_of_a_rubric() -> None:
    """It asks for each criterion by its id, numbers in range, is one for equal rubrics, reads numerals."""
    schema = schema_of(Rubric({"c-1": "x", "论点": "y"}))
    written = schema.model_json_schema()
    assert written["required"] == ["c-1", "论点"]
    score = written["$defs"]["CriterionScore"]["properties"]["score"]
    assert (score["type"], score["minimum"], score["maximum"]) == ("number", 0, 5)
    assert schema_of(Rubric({"c-1": "other words", "论点": ""})) is schema
    value, notes = read_as(
        '{"c-1": {"score": "４,５", "quote": ""}, "论点": {"score": 1, "quote": ""}}', schema
    )
    assert value.model_dump(by_alias=True)["c-1"]["score"] == 4.5
    assert notes == ()


@pytest.mark.parametrize(
    ("criteria", "fields"),
    [
        ({}, {}),
        ({"c1": "", "C1": ""}, {}),
        ({" ": ""}, {}),
        ({str(i): "" for i in range(MOST_CRITERIA + 1)}, {}),
        ({"c1": ""}, {"lowest": 5}),
        ({"c1": ""}, {"highest": float("nan")}),
        ({"c1": ""}, {"step": 0}),
    ],
)
def test_a_rubric_that_cannot_be_used(criteria: dict[str, str], fields: dict[str, Any]) -> None:
    """No criterion, two of one name, too many, and a scale of no width are refused."""
    with pytest.raises(ConfigurationError):
        Rubric(criteria, **fields)
