"""A small study of the sample's instances, pinned and run as a user would, for the tests of the whole."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from swe_assets.patch_quality.sample import Sample


@dataclass(frozen=True)
class SmallStudy:
    """A home of its own with one pinned study, driven through the command line."""

    home: Path
    sample: Sample
    predictions: Path
    name: str = "small"
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """Return the study's folder."""
        return self.home / "studies" / self.name

    @property
    def instances(self) -> list[str]:
        """Return the pinned ids."""
        return (self.path / "instances.txt").read_text(encoding="utf-8").split()

    def command(self, *arguments: str) -> list[str]:
        """Return the command line for a call."""
        return [sys.executable, "-m", "swe_assets", *arguments]

    def variables(self) -> dict[str, str]:
        """Return the environment of a call: our home, an empty HOME, no other Dagster home."""
        kept = {k: v for k, v in os.environ.items() if k not in ("DAGSTER_HOME", "GEMINI_API_KEY")}
        ours = {"SWE_ASSETS_HOME": str(self.home), "HOME": str(self.home / "user")}
        return {**kept, **ours, **self.environment}

    def call(self, *arguments: str, expected: int | None = 0) -> subprocess.CompletedProcess[str]:
        """Call the command line and return what it printed; an unexpected exit code fails the test."""
        done = subprocess.run(
            self.command(*arguments), env=self.variables(), capture_output=True, text=True, timeout=300
        )
        if expected is not None:
            assert done.returncode == expected, (
                f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
            )
        return done

    def add(self, *more: str, expected: int = 0) -> subprocess.CompletedProcess[str]:
        """Pin the study."""
        parts = {"results": self.sample.results, "dataset": self.sample.dataset, "mirrors": self.sample.repos}
        options = [f"--{name}={path}" for name, path in parts.items()]
        predictions = f"--predictions={self.predictions}"
        return self.call("study", "add", self.name, predictions, *options, *more, expected=expected)

    def run(self, *more: str, expected: int | None = 0) -> subprocess.CompletedProcess[str]:
        """Run the study."""
        return self.call("run", self.name, *more, expected=expected)

    def change(self, instance_id: str, patch: str | None) -> None:
        """Change one prediction and pin it again."""
        rows = [json.loads(line) for line in self.predictions.read_text(encoding="utf-8").splitlines()]
        for row in rows:
            if row["instance_id"] == instance_id:
                row["model_patch"] = patch
        self.predictions.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        self.call("study", "update", self.name, f"--predictions={self.predictions}", "--yes")

    def files(self) -> dict[str, bytes]:
        """Return the content of every file written for people, by its path below results."""
        results = self.path / "results"
        found = sorted(path for path in results.rglob("*") if path.is_file())
        return {str(path.relative_to(results)): path.read_bytes() for path in found}


def small_study(home: Path, sample: Sample, count: int, name: str = "small") -> SmallStudy:
    """Pin a study of about count instances, spread over the sample so that many outcomes occur."""
    lines = sample.predictions.read_text(encoding="utf-8").splitlines()
    predictions = home / "predictions.jsonl"
    predictions.parent.mkdir(parents=True, exist_ok=True)
    step = max(1, len(lines) // count)
    predictions.write_text("".join(line + "\n" for line in lines[::step]), encoding="utf-8")
    study = SmallStudy(home, sample, predictions, name)
    study.add()
    return study
