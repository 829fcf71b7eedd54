"""Lists that the web API gives in pages, read to their end and no further."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from swe_assets.errors import SonarReplyError

logger = logging.getLogger(__name__)

PAGE_SIZE = 500
"""Rows a page of the web API may have; 501 is refused with 400."""

MOST_ROWS = 200_000


@dataclass(frozen=True)
class Page:
    """One page: its rows, and how many rows there are on all pages, None where the reply does not say."""

    rows: list[Mapping[str, Any]]
    total: int | None

    @property
    def is_end(self) -> bool:
        """Say whether the page is empty, which ends a list whatever its total says."""
        return not self.rows


def page_in(reply: Mapping[str, Any], name: str) -> Page:
    """Return a reply's page of the rows under a name; the total stands in ``paging`` or beside the rows.

    Raises SonarReplyError where there is no such list.
    """
    rows = reply.get(name)
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise SonarReplyError(
            f"a reply has no list {name!r} but {sorted(reply)[:8]}: is this a SonarQube server?"
        )
    paging = reply.get("paging")
    total = paging.get("total") if isinstance(paging, Mapping) else reply.get("total")
    return Page(rows, total if isinstance(total, int) and not isinstance(total, bool) else None)


def all_rows(
    ask: Callable[[int], Mapping[str, Any]],
    name: str,
    identity: str = "key",
    *,
    most: int = MOST_ROWS,
    size: int = PAGE_SIZE,
) -> list[Mapping[str, Any]]:
    """Return the rows of all pages, asked by number from 1, in order and each identity once.

    Reading ends with a page that is empty or brings nothing new, or where the total is reached. A list
    shorter than its total is logged. Raises SonarReplyError beyond ``most`` rows.
    """
    found: dict[str, Mapping[str, Any]] = {}
    number, total = 0, None
    while total is None or number * size < total:
        number += 1
        page = page_in(ask(number), name)
        total = page.total
        fresh = {str(row.get(identity)): row for row in page.rows if str(row.get(identity)) not in found}
        found |= fresh
        if len(found) > most:
            raise SonarReplyError(
                f"more than {most:,} rows under {name!r}: split the project into smaller ones"
            )
        if page.is_end or not fresh or (total is None and len(page.rows) < size):
            break
    if total is not None and len(found) < total:
        logger.warning("the server said %d rows under %r and gave %d", total, name, len(found))
    return list(found.values())
