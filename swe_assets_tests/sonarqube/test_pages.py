"""Pages are read to their end and no further."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from swe_assets.errors import SonarReplyError
from swe_assets.sonarqube.pages import all_rows, page_in


def pages(
    *sizes: int, total: int | None, same: bool = False
) -> tuple[list[int], Callable[[int], Mapping[str, Any]]]:
    """Return the numbers asked for, and a function that gives pages of such sizes, empty beyond them."""
    asked: list[int] = []

    def ask(number: int) -> Mapping[str, Any]:
        asked.append(number)
        size = sizes[number - 1] if number <= len(sizes) else 0
        rows = [{"key": f"{0 if same else number}-{at}"} for at in range(size)]
        return {"rows": rows, "paging": {"total": total}} if total is not None else {"rows": rows}

    return asked, ask


@pytest.mark.parametrize(
    ("sizes", "total", "count", "numbers"),
    [
        ((3,), 3, 3, [1]),
        ((5, 5, 2), 12, 12, [1, 2, 3]),
        ((5, 5), 10, 10, [1, 2]),
        ((5, 5), 99, 10, [1, 2, 3]),
        ((5, 0, 5), 99, 5, [1, 2]),
        ((0,), 194, 0, [1]),
        ((), 0, 0, [1]),
        ((5, 5, 1), None, 11, [1, 2, 3]),
        ((5,), None, 5, [1, 2]),
    ],
)
def test_a_list_ends(sizes: tuple[int, ...], total: int | None, count: int, numbers: list[int]) -> None:
    """A list ends at its total or with an empty page, whatever the total says; or with a short page."""
    asked, ask = pages(*sizes, total=total)
    assert len(all_rows(ask, "rows", size=5)) == count
    assert asked == numbers


def test_a_server_that_ignores_the_page_number() -> None:
    """The same page again brings nothing new: each row counts once, and the reading ends."""
    asked, ask = pages(*[5] * 100, total=10**9, same=True)
    assert len(all_rows(ask, "rows", size=5)) == 5
    assert asked == [1, 2]


def test_a_list_without_end_is_stopped() -> None:
    """More rows than anyone scans are refused."""
    asked, ask = pages(*[5] * 1000, total=10**9)
    with pytest.raises(SonarReplyError, match="more than 50 rows"):
        all_rows(ask, "rows", size=5, most=50)
    assert len(asked) == 11


def test_a_short_list_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A server that promises more than it gives is not believed in silence."""
    all_rows(pages(2, total=7)[1], "rows")
    assert "said 7 rows under 'rows' and gave 2" in caplog.text


@pytest.mark.parametrize("reply", [{}, {"rows": None}, {"rows": [1]}, {"other": []}])
def test_a_reply_without_the_list_is_refused(reply: dict[str, Any]) -> None:
    """A page has a list of objects under its name."""
    with pytest.raises(SonarReplyError, match="'rows'"):
        page_in(reply, "rows")
