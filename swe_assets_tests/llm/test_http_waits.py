"""The headers and words by which services name a wait are read in their order, and nothing else is."""

from datetime import UTC, datetime

import pytest

from swe_assets.llm.http_waits import wait_hint_s

NOW = datetime(2015, 10, 21, 7, 27, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "17"}, 17.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 60.0),
        ({"retry-after-ms": "2500"}, 2.5),
        ({"retry-after-ms": "2500", "retry-after": "3"}, 3.0),
        ({"retry-after": "0", "x-ratelimit-reset-tokens": "6m0s"}, 0.0),
        ({"x-ratelimit-reset-requests": "6m0s", "x-ratelimit-remaining-requests": "0"}, 360.0),
        ({"x-ratelimit-reset-tokens": "250ms", "x-ratelimit-remaining-tokens": "0"}, 0.25),
        ({"x-ratelimit-reset-requests": "6m0s", "x-ratelimit-remaining-requests": "59"}, None),
        (
            {
                "x-ratelimit-reset-requests": "6m0s",
                "x-ratelimit-remaining-requests": "5",
                "x-ratelimit-reset-tokens": "1s",
                "x-ratelimit-remaining-tokens": "0",
            },
            1.0,
        ),
        (
            {
                "anthropic-ratelimit-tokens-reset": "2015-10-21T07:27:30Z",
                "anthropic-ratelimit-tokens-remaining": "0",
            },
            30.0,
        ),
        ({"x-ratelimit-reset": str(NOW.timestamp() + 5)}, 5.0),
        ({"x-ratelimit-reset": str(int(NOW.timestamp() * 1000) + 7000)}, 7.0),
        ({"x-ratelimit-reset": "30"}, 30.0),
        ({"anthropic-ratelimit-tokens-reset": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after-ms": "NaN"}, None),
        ({}, None),
    ],
)
def test_headers(headers: dict[str, str], seconds: float | None) -> None:
    """Each form of header gives its seconds; a limit of which something remains is not waited for."""
    assert wait_hint_s(headers, "", NOW) == seconds


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("Please try again in 7m12s.", 432.0),
        ("Please try again in 20ms. Visit", 0.02),
        ("retry after 5 seconds", 5.0),
        ("try again in 1.5s", 1.5),
        ("try again in a while", None),
        ("try again in 5", None),
    ],
)
def test_words(message: str, seconds: float | None) -> None:
    """Without a header a sentence that names a wait is understood."""
    assert wait_hint_s({}, message, NOW) == seconds
