"""Tables in Markdown, aligned, so that they read well on a terminal and in a page."""

import os
import platform
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

from benchmarks.effort import Effort

Cell = str | int | float


def shown(value: Cell) -> str:
    """Return a cell's text; a number is shown to three significant digits or in whole."""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else value


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    """Print a table under its title."""
    cells = [list(columns), *([shown(value) for value in row] for row in rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(columns))]
    lines = [" | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in cells]
    lines.insert(1, " | ".join("-" * width for width in widths))
    print(f"\n{title}\n")
    print("\n".join(f"| {line} |" for line in lines), flush=True)


def ratio(baseline: float, ours: float) -> str:
    """Return how many times the baseline takes of ours."""
    return f"{baseline / ours:.1f}x" if ours > 0 else "not measurable"


def against(what: str, found: float, limit: float, unit: str) -> list[Cell]:
    """Return the row that holds a figure against its target, an upper limit."""
    return [what, found, f"<= {limit:g} {unit}", "met" if found <= limit else "MISSED"]


def at_least(what: str, found: float, limit: float, unit: str) -> list[Cell]:
    """Return the row that holds a figure against its target, a lower limit."""
    return [what, found, f">= {limit:g} {unit}", "met" if found >= limit else "MISSED"]


def milliseconds(taken: Effort, count: int) -> list[Cell]:
    """Return wall and CPU of one of count parts in milliseconds."""
    each = taken.each(count)
    return [each.wall * 1000, each.cpu * 1000]


def print_machine() -> None:
    """Print what the figures hang on: date, processors in use, load, Python and system."""
    cores = len(os.sched_getaffinity(0))
    load = os.getloadavg()[0]
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    python = ".".join(map(str, sys.version_info[:3]))
    print(f"{date}, {cores} cores, load {load:.1f} at the start, Python {python}, {platform.system()}")
