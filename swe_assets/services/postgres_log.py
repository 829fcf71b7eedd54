"""What a Postgres server wrote into its log since it was started, and what of it tells the cause."""

import re
from pathlib import Path

_CAUSE = re.compile(
    r"\b(FATAL|PANIC|ERROR|HINT|DETAIL|could not|unrecognized|invalid|syntax error|No space left)\b"
)
_NOISE = re.compile(r"database system (is|was)|terminating connection|(role|database) .* does not exist")
LARGEST_LOG = 5_000_000


def size_of(log: Path) -> int:
    """Return how much the log holds, in bytes; none where it is not there."""
    return log.stat().st_size if log.exists() else 0


def turn_over(log: Path) -> None:
    """Put a large log aside under its name and `.1`, in place of the one there."""
    if size_of(log) > LARGEST_LOG:
        log.replace(log.with_name(f"{log.name}.1"))


def cause(log: Path, *, since: int, lines: int = 6) -> str:
    """Return the last lines from that byte on that tell why a server did not start, or simply the last."""
    if not log.exists():
        return "it wrote no log"
    with log.open("rb") as handle:
        handle.seek(since)
        text = handle.read(200_000).decode("utf-8", errors="replace")
    written = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in written if _CAUSE.search(line) and not _NOISE.search(line)]
    return " | ".join((telling or written)[-lines:]) or "it wrote nothing into its log"
