"""Answers are objects or failures, each failure with its cause and the way out."""

import json

import pytest

from swe_assets.errors import (
    AnalyserError,
    ComponentMissingError,
    MetricMissingError,
    SonarReplyError,
    SonarRightsError,
    SonarServerError,
)
from swe_assets.sonarqube.replies import Answer, failure_of, messages_in, object_in


def answer(status: int, text: str, path: str = "api/measures/component_tree", **headers: str) -> Answer:
    """Return an answer."""
    return Answer(path, status, {name.replace("_", "-"): value for name, value in headers.items()}, text)


def errors(*messages: str) -> str:
    """Return an error body."""
    return json.dumps({"errors": [{"msg": text} for text in messages]})


def test_an_object_is_returned() -> None:
    """A body of UTF-8 JSON is read also where a header calls it ISO-8859-1 or nothing."""
    assert object_in(answer(200, '{"a": "é"}', content_type="application/json;charset=ISO-8859-1")) == {
        "a": "é"
    }
    assert object_in(answer(204, "")) == {}


@pytest.mark.parametrize(
    "text", ["", "[]", "null", '"UP"', "25.11", "<html>x</html>", "\n<!DOCTYPE html>", "{" * 10**5]
)
def test_what_is_no_object_is_no_reply(text: str) -> None:
    """Anything but a JSON object is not SonarQube's."""
    with pytest.raises(SonarReplyError, match="not a SonarQube reply"):
        object_in(answer(200, text))


def test_a_truncated_reply_says_so() -> None:
    """An object that ends early is said to be cut off, and where."""
    with pytest.raises(SonarReplyError, match="cut off after 13 characters"):
        object_in(answer(200, '{"paging": {"'))


@pytest.mark.parametrize(
    ("status", "text", "kind", "words"),
    [
        (401, "", SonarRightsError, "wrong, expired or revoked; set SONAR_TOKEN .* `swe-assets sonar up`"),
        (401, "{broken", SonarRightsError, "not signed in"),
        (403, errors("Insufficient privileges"), SonarRightsError, "'Browse' on the project is needed"),
        (
            404,
            errors("Component key 'x' not found"),
            ComponentMissingError,
            "'x' not found; .* may not browse it",
        ),
        (404, errors("Unknown url : /api/x"), SonarReplyError, "no such API"),
        (404, "<html>nginx</html>", SonarReplyError, "not a SonarQube reply"),
        (404, errors("The following metric keys are not found: a, b"), MetricMissingError, "no metric a, b"),
        (400, errors("'metricKeys' can contain only 75 values, got 80"), SonarReplyError, "too many keys"),
        (400, errors("'ps' value (501) must be less than 500"), SonarReplyError, "page size"),
        (400, errors("Can return only the first 10000 results."), SonarReplyError, "limit of results"),
        (400, errors("Malformed key for Project: 'a/b c'."), SonarReplyError, "project_key"),
        (400, errors("first", "second"), SonarReplyError, r"\(400\): first; second"),
        (400, '{"message": "v2 words"}', SonarReplyError, "v2 words"),
        (400, "", SonarReplyError, "an empty body"),
        (302, "", SonarReplyError, "sends elsewhere"),
        (429, "", SonarServerError, "too many requests"),
        (500, errors("An error has occurred."), SonarServerError, r"failed \(500\): An error"),
        (502, "<html>bad gateway</html>", SonarServerError, "a web page, as a proxy gives"),
        (503, "", SonarServerError, "not available, or starting"),
    ],
)
def test_a_status_is_a_cause(status: int, text: str, kind: type[AnalyserError], words: str) -> None:
    """Each status and message has its exception, which begins with the path that was asked."""
    with pytest.raises(kind, match=f"(?s)^api/measures/component_tree: .*{words}") as raised:
        object_in(answer(status, text))
    assert type(raised.value) is kind


@pytest.mark.parametrize(
    ("path", "right"),
    [
        ("api/projects/create", "'Create Projects'"),
        ("api/projects/delete", "'Administer' on the project"),
        ("api/project_analyses/search", "'Browse'"),
        ("api/ce/task", "'Execute Analysis'"),
        ("api/other", "a right"),
    ],
)
def test_a_403_names_the_right(path: str, right: str) -> None:
    """Who lacks a right learns which, and that scanning tokens do not read."""
    with pytest.raises(SonarRightsError, match=f"{right}.* is needed.*only scans"):
        object_in(answer(403, "", path))


@pytest.mark.parametrize(
    ("status", "retry"),
    [
        (200, None),
        (400, False),
        (401, False),
        (403, False),
        (404, False),
        (408, True),
        (429, True),
        (500, True),
        (503, True),
    ],
)
def test_what_is_tried_again(status: int, retry: bool | None) -> None:
    """Busy and failing servers are asked again, refusals are not."""
    failure = failure_of(answer(status, "{}"))
    assert (failure.retry if failure else None) is retry


@pytest.mark.parametrize(("value", "seconds"), [("7", 7.0), ("0", 0.0), ("soon", None), ("", None)])
def test_retry_after(value: str, seconds: float | None) -> None:
    """The wait that a server asks for is passed on."""
    failure = failure_of(answer(429, "", Retry_After=value))
    assert failure is not None
    assert failure.wait_s == seconds


@pytest.mark.parametrize("text", ["", "x", "[]", '{"errors": 1}', '{"errors": [1, {}, {"msg": 3}]}', "{}"])
def test_bodies_without_messages(text: str) -> None:
    """A body that is no error of SonarQube has no messages, and raises nothing."""
    assert messages_in(answer(400, text)) == []


def test_a_redirect_shows_no_query() -> None:
    """Where the server sends elsewhere, the address is shown without what may be secret in it."""
    with pytest.raises(SonarReplyError, match="'https://other/login'") as raised:
        object_in(answer(302, "", location="https://other/login?ticket=s3cret"))
    assert "s3cret" not in str(raised.value)
