"""Tables as CSV text: unix line ends, an empty cell for None."""

import csv
from collections.abc import Iterable, Sequence


class _Rows:
    """Takes rows that csv ends with both characters of a line end, which quotes a cell with either."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, row: str) -> None:
        """Take one row, its end made a unix one."""
        self.lines.append(row[:-2] + "\n")


def csv_text(header: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a header and its rows as CSV; a cell with a line end of any kind is quoted."""
    taken = _Rows()
    writer = csv.writer(taken, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows(rows)
    return "".join(taken.lines)
