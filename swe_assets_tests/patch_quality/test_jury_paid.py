"""A jury that is paid for: another judge costs its own calls alone, and one that fails loses no other's."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from swe_assets.llm.called_model import call_threads
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.sample import Sample
from swe_assets_tests.http_stub import Asked, Served, serving
from swe_assets_tests.patch_quality.paid_study import VERDICT, PricedJudge, _completion, paid_study
from swe_assets_tests.patch_quality.small_study import SmallStudy

SECOND = """
[models.second]
provider = "openai"
model = "second-1"
price_in = 0.0
price_out = 10.0
"""


@dataclass
class TwoJudges(PricedJudge):
    """A service of two models that counts calls by model; the second may decline to judge."""

    declining: bool = False

    def __post_init__(self) -> None:
        self.by_model: dict[str, int] = {}

    def answer(self, asked: Asked) -> Served:
        """Answer for either model, or let the second's filter end the reply."""
        body = json.loads(asked.body)
        with self.lock:
            self.by_model[body["model"]] = self.by_model.get(body["model"], 0) + 1
        if self.declining and body["model"] == "second-1":
            reply = _completion(VERDICT)
            reply["choices"][0]["finish_reason"] = "content_filter"
            return Served(body=reply)
        return super().answer(asked)


@pytest.fixture(scope="module")
def judges() -> Iterator[TwoJudges]:
    """Run the service."""
    running = TwoJudges()
    with serving(running.answer) as (running.url, _):
        yield running


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory, sample: Sample, judges: TwoJudges) -> SmallStudy:
    """Give a study that the first model has judged alone."""
    home: Path = tmp_path_factory.mktemp("paid jury home")
    more = f'{SECOND}base_url = "{judges.url}"\n'
    pinned = paid_study(home, sample, judges, 8, more)
    pinned.run(expected=None)
    return pinned


def verdicts(study: SmallStudy) -> list[dict[str, Any]]:
    """Return the lines of evaluation_results.jsonl."""
    text = (study.path / "results" / "evaluation_results.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_an_incomplete_jury_is_a_failure_that_names_the_judge(study: SmallStudy, judges: TwoJudges) -> None:
    """Where one of two judges gives no verdict the instance fails by that judge's name, with no value."""
    study.call("study", "update", study.name, "--judge=priced", "--judge=second", "--yes")
    judges.declining = True
    study.run(expected=1)
    rows = verdicts(study)
    assert all(set(row) == {"instance_id", "error"} for row in rows)
    assert all(row["error"].startswith("second: blocked:") for row in rows)


def test_another_judge_pays_its_own_calls_alone(study: SmallStudy, judges: TwoJudges) -> None:
    """Once the second judge answers, each instance costs it two calls and the first judge none."""
    judges.declining = False
    judged = len(verdicts(study))
    before = dict(judges.by_model)
    assert before["priced-1"] == 2 * judged
    study.run(expected=None)
    assert judges.by_model["priced-1"] == before["priced-1"]
    assert judges.by_model["second-1"] - before["second-1"] == 2 * judged
    assert all([one["judge_id"] for one in row["jury"]] == ["priced", "second"] for row in verdicts(study))


def test_one_slow_judge_holds_up_no_other(study: SmallStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a judge that takes one call at a time as many instances go on at once as the other one allows."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(study.home))
    bench = PatchBench.open(study.name)
    threads = {name: call_threads(model) for name, model in bench.planned_models.items()}
    assert bench.call_concurrency == threads["second"] > threads["priced"]


def test_one_judge_less_costs_nothing(study: SmallStudy, judges: TwoJudges) -> None:
    """Taking a judge out makes the verdicts anew from what was answered, without a call."""
    before = dict(judges.by_model)
    study.call("study", "update", study.name, "--judge=second", "--yes")
    study.run(expected=None)
    assert judges.by_model == before
    assert all("jury" not in row for row in verdicts(study))


def test_repeats_are_paid_once(study: SmallStudy, judges: TwoJudges) -> None:
    """Three verdicts on two instances cost two more calls each, and a forced run none."""
    before = judges.by_model["second-1"]
    study.call("study", "update", study.name, "--consistency-n=3", "--consistency-sample=2", "--yes")
    assert "consistencia_juiz, second: 4 calls to pay for" in study.run("--dry-run").stdout
    study.run(expected=None)
    assert judges.by_model["second-1"] - before == 4
    study.run("--only", "consistencia_juiz", "--force", expected=None)
    assert judges.by_model["second-1"] - before == 4


def test_a_final_outcome_is_told_and_not_asked_for_again(study: SmallStudy, judges: TwoJudges) -> None:
    """What a filter ended is told as such, the verdicts that came before stay, and no run goes on trying."""
    judges.declining = True
    study.call("study", "update", study.name, "--consistency-n=4", "--yes")
    study.run(expected=None)
    text = (study.path / "results" / "consistencia_juiz_respostas.csv").read_text("utf-8")
    assert text.count("blocked:") == 2
    assert text.count(",true,4,") == 6
    assert "everything is current" in study.run(expected=None).stderr
