"""Two processes on the same records lose nothing, do not lock each other out and pay for no call twice."""

import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from swe_assets.home import CHECKOUT
from swe_assets.patch_quality.sample import Sample
from swe_assets.patch_quality.stages import STAGE_NAMES
from swe_assets.storage.records import InstanceStore
from swe_assets_tests.dagster_ui.graphql import Ui
from swe_assets_tests.dagster_ui.pinned import pin
from swe_assets_tests.dagster_ui.test_stock_cli import stock_command
from swe_assets_tests.patch_quality.small_study import SmallStudy

COUNTING = """
import time
from swe_assets.llm.registry import register
from swe_assets.llm.rehearsal import RehearsalModel

class CountingModel(RehearsalModel):
    def __init__(self, path):
        super().__init__()
        self.path = path

    def complete(self, request):
        with open(self.path, "a") as calls:
            calls.write(request.fingerprint() + "\\n")
        time.sleep(0.5)
        return super().complete(request)

register("counting", lambda path, settings: CountingModel(path))
"""
"""A rehearsal that takes its time and notes each call, known to every process that is started with it."""


def together(*commands: tuple[list[str], SmallStudy]) -> list[str]:
    """Run commands at the same time from the root, and return what they wrote; each must succeed."""
    started = [
        subprocess.Popen(
            command,
            cwd=CHECKOUT,
            env=study.variables(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for command, study in commands
    ]
    try:
        written = [process.communicate(timeout=400)[0] for process in started]
    finally:
        for process in started:
            process.kill()
    for process, text in zip(started, written, strict=True):
        assert process.returncode == 0, text[-3000:]
    return written


@pytest.fixture(scope="module")
def counted(sample: Sample, tmp_path_factory: pytest.TempPathFactory) -> SmallStudy:
    """Give a study whose judge notes its calls in `calls`, made as far as the payload of each instance."""
    home: Path = tmp_path_factory.mktemp("counted") / "home"
    home.mkdir()
    (home / "sitecustomize.py").write_text(COUNTING, encoding="utf-8")
    path = os.pathsep.join(filter(None, [str(home), os.environ.get("PYTHONPATH")]))
    study = pin(home, sample, "counted", f"--judge=counting:{home / 'calls'}", PYTHONPATH=path)
    for stage in ("patches", "evaluation_payload"):
        study.run("--only", stage)
    return study


def test_two_studies_at_once(studies: dict[str, SmallStudy], ui: Ui) -> None:
    """Two studies run at the same time in one home beside the UI: each has every record, recorded once."""
    pair = [studies["first"], studies["second"]]
    for text in together(*((study.command("run", study.name), study) for study in pair)):
        assert "locked" not in text
    for study in pair:
        store = InstanceStore(study.path / "store")
        for stage in STAGE_NAMES:
            assert list(store.headers(stage, study.instances)) == study.instances
            assert ui.events(study.name, stage) == Counter(study.instances)


def test_no_call_is_paid_twice(counted: SmallStudy) -> None:
    """Our run beside a stock one on the same judged stage: one call an instance, and both end well."""
    stage = "evaluation_results"
    ours = counted.command("run", counted.name, "--only", stage)
    everything = f"{counted.instances[0]}...{counted.instances[-1]}"
    stock = stock_command(counted, stage, "--partition-range", everything)
    for text in together((ours, counted), (stock, counted)):
        assert "locked" not in text
    calls = Counter((counted.home / "calls").read_text(encoding="utf-8").split())
    assert len(calls) == len(counted.instances)
    assert set(calls.values()) == {1}
    assert "evaluation_results: current" in counted.run("--dry-run").stdout
