"""The forms in which services say how long to wait are read, and nothing else is."""

from datetime import UTC, datetime

import pytest

from swe_assets.llm.waits import duration_in_words_s, duration_s, retry_after_s

NOW = datetime(2015, 10, 21, 7, 27, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("59s", 59),
        ("59.44s", 59.44),
        ("0s", 0),
        ("1h2m3.5s", 3723.5),
        ("250ms", 0.25),
        ("2m", 120),
        (" 7s ", 7),
    ],
)
def test_durations(text: str, seconds: float) -> None:
    """A duration with units is read in seconds."""
    assert duration_s(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text", ["soon", "", "59", "-5s", "1e9s", "infs", "NaNs", "5s5s", "٣s", "s", "9" * 40 + "s"]
)
def test_no_durations(text: str) -> None:
    """Anything else is no duration."""
    assert duration_s(text) is None


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("Quota exceeded. Please retry in 59.44s.", 59.44),
        ("Retry after 1m5s", 65),
        ("retry in a while", None),
        ("", None),
    ],
)
def test_sentences(message: str, seconds: float | None) -> None:
    """A sentence that names a wait is understood, one that does not gives none."""
    assert duration_in_words_s(message) == seconds


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("17", 17.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 60.0),
        ("Wed, 21 Oct 2015 07:00:00 GMT", 0.0),
        ("-17", None),
        ("soon", None),
        ("", None),
        ("Wed, 99 Oct 2015", None),
    ],
)
def test_retry_after(value: str, seconds: float | None) -> None:
    """A Retry-After header is read as seconds or as the date of RFC 9110."""
    assert retry_after_s({"Retry-After": value}, NOW) == seconds


def test_no_header() -> None:
    """Without the header there is no wait."""
    assert retry_after_s({"content-type": "x"}) is None
