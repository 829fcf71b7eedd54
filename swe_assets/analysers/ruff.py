"""`violations` and `sqale_index` from a pinned rule set of Ruff: a stand-in for SonarQube's own rules.

Ruff runs as a process of its own over copies with neutral names in a folder of their own, so that no name, no
configuration file, no noqa comment and no variable of the environment has a say.
"""

import json
import os
import subprocess
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from swe_assets.errors import AnalyserError

RULES_FILE = Path(__file__).with_name("ruff_rules.toml")
BATCH = 400
"""Files a process, at most."""

TIMEOUT = 600
"""Seconds a process may take."""

_UNREADABLE = "invalid-syntax"


@dataclass(frozen=True)
class RuleSet:
    """The pinned rules: version, the Python Ruff reads them as, and minutes by rule code."""

    version: int
    target: str
    minutes: Mapping[str, int]


@dataclass(frozen=True)
class Findings:
    """What Ruff says of one text: findings and their minutes, or the reason there are none to be had."""

    violations: int = 0
    minutes: int = 0
    reason: str | None = None


@cache
def rule_set(path: Path = RULES_FILE) -> RuleSet:
    """Load the rule set; each rule stands in one group with its minutes."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    minutes = {rule: group["minutes"] for group in table["group"] for rule in group["rules"]}
    return RuleSet(table["version"], table["target"], minutes)


@cache
def ruff_version() -> str:
    """Return the version of the installed Ruff."""
    return version("ruff")


def check(texts: Sequence[str]) -> list[Findings]:
    """Check Python texts and answer in their order.

    A text that Ruff cannot read has a reason and no counts. Raises AnalyserError if Ruff cannot run at all.
    """
    found: list[Findings] = []
    with tempfile.TemporaryDirectory(prefix="swe-assets-ruff-") as folder:
        for start in range(0, len(texts), BATCH):
            names = [f"m{number:06d}.py" for number in range(start, min(start + BATCH, len(texts)))]
            for name, text in zip(names, texts[start:], strict=False):
                Path(folder, name).write_bytes(text.encode("utf-8", "replace"))
            answers = _check_files(Path(folder), names)
            found.extend(answers[name] for name in names)
    return found


def _check_files(folder: Path, names: list[str]) -> dict[str, Findings]:
    """Check files in one process; if it dies, halve the batch until the culprit stands alone."""
    done = _run(folder, names)
    if done.returncode == 0:
        return _read(done, names)
    if done.returncode == 2:
        raise AnalyserError(f"Ruff {ruff_version()} refused to run: {done.stderr.strip()[:500]!r}")
    if len(names) == 1:
        return {names[0]: Findings(reason=f"Ruff {ruff_version()} died on it (exit {done.returncode})")}
    half = len(names) // 2
    return _check_files(folder, names[:half]) | _check_files(folder, names[half:])


def _run(folder: Path, names: list[str]) -> subprocess.CompletedProcess[str]:
    rules = rule_set()
    command = [_binary(), "check", "--isolated", "--no-cache", "--ignore-noqa", "--no-respect-gitignore"]
    command += ["--no-fix", "--no-preview", "--exit-zero", "--output-format", "json"]
    command += ["--target-version", rules.target, "--select", ",".join(rules.minutes), "--", *names]
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("RUFF_", "RUST_"))}
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=clean,
            capture_output=True,
            encoding="utf-8",
            timeout=TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as wrong:
        raise AnalyserError(f"Ruff could not run ({wrong}); reinstall the package `ruff`") from wrong


@cache
def _binary() -> str:
    from ruff import find_ruff_bin  # type: ignore[import-untyped]  # it ships no types

    return str(find_ruff_bin())


def _read(done: subprocess.CompletedProcess[str], names: list[str]) -> dict[str, Findings]:
    by_name: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for finding in json.loads(done.stdout):
        by_name[Path(finding["filename"]).name].append(finding)
    skipped = {name for name in names if name in done.stderr}
    return {name: _sum(findings, skipped=name in skipped) for name, findings in by_name.items()}


def _sum(findings: Iterable[dict[str, Any]], *, skipped: bool) -> Findings:
    """Add up what was found; one thing that is no rule of the set means that Ruff could not read the text."""
    minutes, count = 0, 0
    for finding in findings:
        code = finding["code"]
        if code not in rule_set().minutes:
            where = finding["location"] or {"row": 1}
            return Findings(reason=f"Ruff cannot read it: line {where['row']}: {finding['message']}")
        count += 1
        minutes += rule_set().minutes[code]
    return Findings(reason="Ruff skipped it") if skipped else Findings(count, minutes)
