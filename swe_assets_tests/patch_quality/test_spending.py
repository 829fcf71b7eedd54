"""What a run's model calls cost: bounded, told, kept, and never paid twice."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from swe_assets.patch_quality.sample import Sample
from swe_assets.storage.instance import open_instance
from swe_assets_tests.patch_quality.paid_study import COST, MOST, PricedJudge, paid_study, priced_judge
from swe_assets_tests.patch_quality.small_study import SmallStudy

STOPPED_AT = 6
"""With 0.0105 USD the n-th call is made where (n - 1) * 0.001 + 0.005 is at most that: six calls."""


@pytest.fixture(scope="module")
def judge() -> Iterator[PricedJudge]:
    """Give a running service with a price."""
    with priced_judge() as running:
        yield running


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory, sample: Sample, judge: PricedJudge) -> SmallStudy:
    """Give a study of some dozen instances that the service judges."""
    return paid_study(tmp_path_factory.mktemp("paid home"), sample, judge, 14)


def results(study: SmallStudy, name: str) -> list[dict[str, Any]]:
    """Return the rows of one of the files written for people."""
    text = (study.path / "results" / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_a_dry_run_forecasts_and_calls_nothing(study: SmallStudy, judge: PricedJudge) -> None:
    """--dry-run tells calls, tokens, USD and time by stage from real prompts before anything has run."""
    told = study.run("--dry-run").stdout
    count = len(study.instances)
    assert f"evaluation_results, priced: {count} calls to pay for, 0 answers kept already" in told
    assert f"forecast: {2 * count} calls to pay for" in told
    assert "price of priced: the user's price" in told
    assert judge.asked == []


def test_a_run_stops_at_its_limit(study: SmallStudy, judge: PricedJudge) -> None:
    """A run with --max-cost 0.0105 makes just the six calls that fit, says so, and keeps their verdicts."""
    assert int((0.0105 - MOST) / COST) + 1 == STOPPED_AT
    told = study.run("--max-cost", "0.0105", expected=1).stderr
    assert len(judge.asked) == STOPPED_AT
    assert "the allowed USD 0.0105" in told and "failed instances: see" not in told
    assert "metricas_estruturais_extraidas: not begun, since evaluation_results was stopped" in told
    assert "model calls: 6 calls, USD 0.0060, 0 reused of the allowed USD 0.0105" in told
    assert (
        len([row for row in results(study, "evaluation_results.jsonl") if "evaluation" in row]) == STOPPED_AT
    )


def test_status_says_why_the_rest_was_not_tried(study: SmallStudy, judge: PricedJudge) -> None:
    """After the stop the rest is missing with its reason, none counts as failed, and exit code is 0."""
    before = len(judge.asked)
    found = json.loads(study.call("status", study.name, "--json").stdout)
    row = next(asset for asset in found["assets"] if asset["asset"] == "evaluation_results")
    untried = {why: ids for why, ids in row["reasons"].items() if why.startswith("missing: not tried")}
    (why,) = untried
    assert "the allowed USD 0.0105 are spent" in why and "attempts" not in why
    assert (row["ok"], row["failed"], len(untried[why])) == (STOPPED_AT, 0, row["missing"])
    assert len(judge.asked) == before


def test_a_higher_limit_pays_only_the_rest(study: SmallStudy, judge: PricedJudge) -> None:
    """The next run forecasts and makes only the calls that are missing; no prompt is ever sent twice."""
    before = len(judge.asked)
    told = study.run("--max-cost", "1").stderr
    count = len(results(study, "evaluation_results.jsonl"))
    missing = 2 * count - STOPPED_AT
    assert f"forecast: {missing} calls to pay for" in told
    assert len(judge.asked) - before == missing
    assert len(set(judge.asked)) == len(judge.asked)
    assert f"model calls: {missing} calls, USD {missing * COST:.4f}" in told
    assert "not tried" not in study.call("status", study.name).stdout


def test_records_say_what_their_calls_cost(study: SmallStudy) -> None:
    """Each verdict holds its tokens and no price, each materialisation USD too and whether it was paid."""
    row = next(row for row in results(study, "evaluation_results.jsonl") if "evaluation" in row)
    judge = row["evaluation"]["judge"]
    assert (judge["tokens_in"], judge["tokens_out"]) == (1_000, 100) and "cost_usd" not in judge
    metadata = materialised(study, "evaluation_results", str(row["instance_id"]))
    told = {name: metadata[name].value for name in ("tokens_in", "tokens_out", "cost_usd", "cached")}
    assert told == {"tokens_in": 1_000, "tokens_out": 100, "cost_usd": pytest.approx(COST), "cached": False}


def test_a_stage_says_what_its_run_cost(study: SmallStudy) -> None:
    """The stage's observation in Dagster holds the calls and USD of this run, and its price list."""
    metadata = observed(study, "metricas_estruturais_extraidas")
    calls = metadata["calls"].value
    assert metadata["cost_usd"].value == pytest.approx(calls * COST)
    assert metadata["max_cost_usd"].value == 1.0
    assert str(metadata["price_list"].value).startswith("genai-prices ")


def test_made_again_from_kept_answers_costs_nothing(study: SmallStudy, judge: PricedJudge) -> None:
    """A forced run with a limit of 0 asks the service nothing, changes no result and says what was reused."""
    before, files = len(judge.asked), study.files()
    told = study.run("--force", "--max-cost", "0").stderr
    assert len(judge.asked) == before
    assert f"model calls: 0 calls, USD 0.0000, {before} reused of the allowed USD 0" in told
    assert study.files()["evaluation_results.jsonl"] == files["evaluation_results.jsonl"]
    assert materialised(study, "evaluation_results", study.instances[0])["cached"].value is True


def test_another_price_changes_no_record(study: SmallStudy, judge: PricedJudge) -> None:
    """Made again from kept answers at twice the price, verdicts are the same and nothing becomes stale."""
    before, files = len(judge.asked), study.files()
    models = study.home / "models.toml"
    old = models.read_text(encoding="utf-8")
    models.write_text(old.replace("price_out = 10.0", "price_out = 20.0"), encoding="utf-8")
    try:
        study.run("--only", "evaluation_results", "--force")
        assert "everything is current" in study.run().stderr
    finally:
        models.write_text(old, encoding="utf-8")
    assert (len(judge.asked), study.files()) == (before, files)
    metadata = materialised(study, "evaluation_results", study.instances[0])
    assert metadata["cost_usd"].value == pytest.approx(2 * COST)


def test_spending_of_each_run_is_kept(study: SmallStudy) -> None:
    """Each run leaves a note with its limit, its end, its price list and what it spent."""
    notes = [json.loads(path.read_text()) for path in (study.path / "spend" / "runs").rglob("*.json")]
    spent = sorted(note["spent"]["calls"] for note in notes if note["spent"]["calls"])
    assert spent[0] == STOPPED_AT
    assert all(note["ended"] and note["prices"].startswith("genai-prices") for note in notes)


def test_an_unknown_price_with_a_limit_is_refused(tmp_path: Path, sample: Sample, judge: PricedJudge) -> None:
    """A limit for a judge whose price nobody knows ends the run before anything is made, with what to do."""
    paid = paid_study(tmp_path, sample, judge, 4)
    models = tmp_path / "models.toml"
    models.write_text(models.read_text().replace("price_", "# price_"), encoding="utf-8")
    before = len(judge.asked)
    told = paid.run("--max-cost", "5", expected=2).stderr
    assert "a limit of USD 5 cannot be kept" in told
    assert "price_in and price_out" in told
    assert len(judge.asked) == before
    assert not (paid.path / "store" / "patches").exists()


@pytest.mark.parametrize("given", ["-1", "nan", "much"])
def test_a_limit_that_is_no_amount_is_refused(study: SmallStudy, given: str) -> None:
    """--max-cost and SWE_ASSETS_MAX_COST refuse what is no amount of USD, with exit code 2."""
    study.run("--max-cost", given, expected=2)
    study.environment["SWE_ASSETS_MAX_COST"] = given
    try:
        assert "SWE_ASSETS_MAX_COST" in study.run(expected=2).stderr
    finally:
        del study.environment["SWE_ASSETS_MAX_COST"]


def materialised(study: SmallStudy, asset: str, instance_id: str) -> dict[str, Any]:
    """Return the metadata of a partition's last materialisation."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("SWE_ASSETS_HOME", str(study.home))
        with open_instance() as instance:
            key = dg.AssetKey([study.name, asset])
            found = instance.fetch_materializations(
                dg.AssetRecordsFilter(asset_key=key, asset_partitions=[instance_id]), limit=1
            )
            event = found.records[0].asset_materialization
            assert event is not None
            return dict(event.metadata)


def observed(study: SmallStudy, asset: str) -> dict[str, Any]:
    """Return the metadata of an asset's last observation."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("SWE_ASSETS_HOME", str(study.home))
        with open_instance() as instance:
            found = instance.fetch_observations(dg.AssetKey([study.name, asset]), limit=1)
            event = found.records[0].asset_observation
            assert event is not None
            return dict(event.metadata)
