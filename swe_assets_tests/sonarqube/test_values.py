"""Values are text, and text that is no such value is said."""

import pytest

from swe_assets.errors import SonarReplyError
from swe_assets.sonarqube.values import NUMERIC_TYPES, Value, parse_value


@pytest.mark.parametrize(
    ("raw", "kind", "value"),
    [
        ("12", "INT", 12),
        ("12.0", "INT", 12),
        (12, "INT", 12),
        ("0", "INT", 0),
        ("1796005246751", "MILLISEC", 1796005246751),
        ("15", "WORK_DUR", 15),
        ("3.0", "RATING", 3),
        ("12.5", "PERCENT", 12.5),
        ("100", "PERCENT", 100.0),
        ("85.7%", "PERCENT", 85.7),
        ("1.5e3", "FLOAT", 1500.0),
        ("-1", "INT", -1),
        ("true", "BOOL", True),
        ("OK", "LEVEL", "OK"),
        ("0=3;5=1", "DISTRIB", "0=3;5=1"),
        ("py=7", "DATA", "py=7"),
    ],
)
def test_a_value_is_read_by_its_type(raw: object, kind: str, value: Value) -> None:
    """Whole types give int, percentages float, words stay words."""
    found = parse_value(raw, kind, "m")
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("kind", sorted(NUMERIC_TYPES))
@pytest.mark.parametrize(
    "raw", ["", "A", "NaN", "inf", "1,234", "1 2", "0x1", "--1", True, None, [], {}, "१२"]
)
def test_what_is_no_number_is_an_error(raw: object, kind: str) -> None:
    """A numeric metric's value is a number in ASCII digits, or its reply is refused by name."""
    with pytest.raises(SonarReplyError, match=f"as 'ncloc', which is not a number .* {kind}"):
        parse_value(raw, kind, "ncloc")


@pytest.mark.parametrize(
    ("raw", "kind"), [("1.5", "INT"), ("6.0", "RATING"), ("0", "RATING"), ("5%", "INT"), ("1e999", "FLOAT")]
)
def test_a_number_of_another_type_is_an_error(raw: str, kind: str) -> None:
    """A fraction is no count, and ratings go from 1 to 5."""
    with pytest.raises(SonarReplyError):
        parse_value(raw, kind, "m")


def test_a_long_value_is_shortened_in_the_message() -> None:
    """A value of a megabyte does not make a message of a megabyte."""
    with pytest.raises(SonarReplyError) as refused:
        parse_value("x" * 2**20, "INT", "m")
    assert len(str(refused.value)) < 300
