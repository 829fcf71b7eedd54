"""Budgets of runs that the UI starts, that several judges share, and that are killed."""

import json
import signal
import subprocess
import time
from pathlib import Path

import dagster as dg
import pytest

from swe_assets.patch_quality.sample import Sample
from swe_assets.patch_quality.spending import BACKFILL_TAG, RUN_TAG, spending_of_run
from swe_assets.patch_quality.study import load_study
from swe_assets.patch_quality.study_assets import study_definitions
from swe_assets.storage.instance import open_instance
from swe_assets_tests.patch_quality.paid_study import COST, MOST, paid_study, priced_judge
from swe_assets_tests.patch_quality.small_study import SmallStudy


def launched(home: Path, name: str, max_cost: float, tags: dict[str, str]) -> dg.ExecuteInProcessResult:
    """Run evaluation_results over all partitions as the UI would, with a limit from the Launchpad."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("SWE_ASSETS_HOME", str(home))
        study = load_study(name)
        key = dg.AssetKey([name, "evaluation_results"])
        job = study_definitions(study).resolve_implicit_global_asset_job_def()
        span = dict(
            zip(
                ("dagster/asset_partition_range_start", "dagster/asset_partition_range_end"),
                (study.instances[0], study.instances[-1]),
                strict=True,
            )
        )
        with open_instance() as instance:
            return job.execute_in_process(
                instance=instance,
                asset_selection=[key],
                tags={**span, **tags},
                run_config={"ops": {f"{name}__evaluation_results": {"config": {"max_cost": max_cost}}}},
                raise_on_error=False,
            )


def test_the_launchpad_bounds_a_run_and_a_backfill(tmp_path: Path, sample: Sample) -> None:
    """max_cost 0.006 lets a run make two calls; a second run of the same backfill makes none more."""
    with priced_judge() as judge:
        study = paid_study(tmp_path, sample, judge, 8)
        for stage in ("patches", "evaluation_payload"):
            study.run("--only", stage, expected=None)
        for _ in range(2):
            launched(tmp_path, study.name, 0.006, {BACKFILL_TAG: "fill"})
            assert len(judge.asked) == int((0.006 - MOST) / COST + 1e-9) + 1 == 2
        launched(tmp_path, study.name, 0.006, {BACKFILL_TAG: "another"})
        assert len(judge.asked) == 4


def test_a_run_belongs_to_our_command_line_its_backfill_or_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tag of our command line wins over the backfill's, and what is said over environment and study."""
    monkeypatch.setenv("SWE_ASSETS_MAX_COST", "3")
    ours = spending_of_run({RUN_TAG: "ours", BACKFILL_TAG: "fill"}, "id", None, 2.0)
    assert (ours.run, ours.max_usd) == ("ours", None)
    assert spending_of_run(ours.tags, "other", None, None) == ours
    assert spending_of_run({BACKFILL_TAG: "fill"}, "id", 4.0, 2.0).max_usd == 4.0
    alone = spending_of_run({}, "id", None, 2.0)
    assert (alone.run, alone.max_usd) == ("id", 3.0)
    monkeypatch.delenv("SWE_ASSETS_MAX_COST")
    assert spending_of_run({}, "id", None, 2.0).max_usd == 2.0


def test_the_studys_own_limit_holds_for_each_run(tmp_path: Path, sample: Sample) -> None:
    """max_cost of study.toml bounds each run, and the command line's wins over it."""
    with priced_judge() as judge:
        study = paid_study(tmp_path, sample, judge, 8)
        study.call("study", "update", study.name, "--max-cost", "0.0055", "--yes")
        assert "max_cost = 0.0055" in (study.path / "study.toml").read_text(encoding="utf-8")
        study.run(expected=1)
        assert len(judge.asked) == 1
        study.run("--max-cost", "0.0065", expected=1)
        assert len(judge.asked) == 3


def test_a_jury_shares_one_budget(tmp_path: Path, sample: Sample) -> None:
    """Two judges of one study are bounded together: ten calls of a thousandth within 0.0145 USD."""
    with priced_judge() as judge:
        second = '[models.second]\nprovider = "openai"\nmodel = "second-1"\nmax_tokens = 500\n'
        second += f'concurrency = 1\nprice_in = 0.0\nprice_out = 10.0\nbase_url = "{judge.url}"\n'
        study = paid_study(tmp_path, sample, judge, 10, second)
        judges = ("--judge=priced", "--judge=second")
        study.call("study", "update", study.name, *judges, "--yes")
        count = len(study.instances)
        told = study.run("--dry-run").stdout
        assert f"evaluation_results, second: {count} calls to pay for" in told
        assert f"forecast: {4 * count} calls to pay for" in told
        study.run("--max-cost", "0.0145", expected=1)
        assert len(judge.asked) == int((0.0145 - MOST) / COST + 1e-9) + 1 == 10


def wait_for_kept(study: SmallStudy, count: int) -> None:
    """Wait until so many answers are kept: another thread may make a call while one is stored."""
    until = time.monotonic() + 60
    while len(list((study.home / "calls").rglob("*.call"))) < count:
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_killed_run_leaves_what_it_spent(tmp_path: Path, sample: Sample) -> None:
    """After kill -9 during the fourth call, three answers kept, three were paid and one may be."""
    with priced_judge() as judge:
        study = paid_study(tmp_path, sample, judge, 8)
        judge.silent_from = 4
        command = study.command("run", study.name)
        killed = subprocess.Popen(
            command, env=study.variables(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        assert judge.silent.wait(200)
        wait_for_kept(study, 3)
        killed.send_signal(signal.SIGKILL)
        killed.wait(30)
        judge.silent_from = 1_000_000
        judge.free.set()
        told = study.run().stderr
    assert "was killed: it had spent 3 calls, USD 0.0030, 0 reused" in told
    assert f"and at most USD {MOST:.4f} for calls cut off" in told
    assert judge.asked.count(judge.asked[3]) == 2
    assert len(set(judge.asked)) == len(judge.asked) - 1
    notes = [json.loads(path.read_text()) for path in (study.path / "spend" / "runs").rglob("*.json")]
    assert sorted(note["ended"] == "killed" for note in notes) == [False, True]


def test_worker_processes_share_one_budget(tmp_path: Path, sample: Sample) -> None:
    """Two workers, each with its own meter, together stay within the limit that one run was given."""
    with priced_judge() as judge:
        study = paid_study(tmp_path, sample, judge, 12)
        workers = {"SWE_ASSETS_EXECUTOR": "multiprocess", "SWE_ASSETS_MAX_CONCURRENT": "2"}
        study.environment.update(workers, SWE_ASSETS_CHUNK="3")
        told = study.run("--max-cost", "0.0105", expected=1).stderr
    assert 1 <= len(judge.asked) <= int((0.0105 - MOST) / COST) + 1
    assert f"model calls: {len(judge.asked)} calls, USD {len(judge.asked) * COST:.4f}" in told
