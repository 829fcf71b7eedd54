"""What an analyser is told by the study that names it."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class AnalyserSettings:
    """`scope` is the study's name; `mode` one of an analyser's ways to work, None for its default.

    `memory` is a file where an analyser with a server may note what it was last told.
    """

    scope: str = "measure"
    mode: str | None = None
    memory: Path | None = None
