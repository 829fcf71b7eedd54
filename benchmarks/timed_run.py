"""`swe-assets run` of one study with timers around its parts, or the same stages without Dagster.

Run by benchmarks.whole_run, in a process of its own. The timers replace names in the modules that call them;
nothing of the product is changed by them but that a clock is read.

    python -m benchmarks.timed_run OUT.json NAME [--bare]
"""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from benchmarks.split import Split
from swe_assets.storage.stage import Failed, perform, plan_stage

WORK, PLAN, EXPORTS, GATES, REPORTS = "make, store", "plan", "exports", "gates", "reports"
DAGSTER, PROGRAM = "dagster", "program"


def with_dagster(split: Split, name: str) -> int:
    """Run the command line with timers in place; return its exit code."""
    with split.part("import"):
        import swe_assets.cli.run_display  # noqa: F401 - what the command imports, counted by itself
    time_stages(split)
    time_parts(split)
    from swe_assets.cli import main as command_line

    sys.argv = ["swe-assets", "run", name]
    try:
        command_line()
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def time_stages(split: Split) -> None:
    """Tell the split which stage each of the run's methods works on."""
    from swe_assets.patch_quality.run import StudyRun

    inner_stage: Callable[..., None] = StudyRun._stage
    inner_gates: Callable[..., None] = StudyRun._gates
    inner_reports: Callable[..., None] = StudyRun._reports

    def stage(self: StudyRun, given: Any, *args: Any) -> None:
        with split.during(given.name):
            inner_stage(self, given, *args)

    def gates(self: StudyRun) -> None:
        with split.during("gates of the stages"):
            inner_gates(self)

    def reports(self: StudyRun, *args: Any) -> None:
        with split.during("amostra and reports"):
            inner_reports(self, *args)

    for method, timed in (("_stage", stage), ("_gates", gates), ("_reports", reports)):
        setattr(StudyRun, method, timed)


def timed_names() -> list[tuple[Any, str, str]]:
    """Return where each function that is timed is called from: module, its name there, its part."""
    from swe_assets.patch_quality import run, run_plan, stage_run, summary_asset
    from swe_assets.patch_quality.bench import PatchBench
    from swe_assets.storage import instance, runner

    return [
        (runner, "plan_stage", PLAN),
        (run_plan, "plan_stage", PLAN),
        (run, "plan_stage", PLAN),
        (runner, "export_if_changed", EXPORTS),
        (run, "export_if_changed", EXPORTS),
        (run, "records_digest", GATES),
        (run, "account", REPORTS),
        (run, "summary_reasons", REPORTS),
        (summary_asset, "make_summary", REPORTS),
        (instance, "open_instance", DAGSTER),
        (run, "study_definitions", DAGSTER),
        (run, "run_assets", DAGSTER),
        (stage_run, "study_definitions", DAGSTER),
        (stage_run, "run_assets", DAGSTER),
        (run, "recorded_version", DAGSTER),
        (run_plan, "recorded_versions", DAGSTER),
        (runner, "log_materialisations", DAGSTER),
        (PatchBench, "open", PROGRAM),
    ]


def time_parts(split: Split) -> None:
    """Put a timer around the making, planning and writing, and around all that is Dagster's."""
    from swe_assets.patch_quality import checks, run
    from swe_assets.storage import runner

    for module, name, part in timed_names():
        setattr(module, name, split.function(part, getattr(module, name)))
    _replace(runner, "perform", split.generator(WORK, perform))
    gates = tuple(replace(gate, rule=split.function(GATES, gate.rule)) for gate in checks.GATES)
    for module in (checks, run):
        _replace(module, "GATES", gates)


def _replace(module: Any, name: str, value: Any) -> None:
    assert hasattr(module, name)
    setattr(module, name, value)


def without_dagster(split: Split, name: str) -> int:
    """Plan, make, store and export the same stages, gates and reports, with no records of Dagster's."""
    with split.part("import"):
        from swe_assets.patch_quality.bench import PatchBench
        from swe_assets.patch_quality.checks import GATES as RULES
        from swe_assets.patch_quality.report_assets import summaries
        from swe_assets.patch_quality.stages import stages
        from swe_assets.storage.exports import export_if_changed
        from swe_assets.storage.summary import make_summary
    failed = 0
    for stage, _face in stages(judge_excluded=PatchBench.open(name).study.judge_excluded):
        bench = PatchBench.open(name)
        with split.during(stage.name):
            with split.part(PLAN):
                plan = plan_stage(stage, bench, bench.instances)
            with split.part(WORK):
                made = perform(stage, bench, plan, bench.instances)
                failed += sum(isinstance(result, Failed) for result in made)
            with split.part(EXPORTS):
                export_if_changed(stage, bench)
    with split.during("gates of the stages"), split.part(GATES):
        for gate in RULES:
            if gate.asset != "amostra":
                gate.rule(PatchBench.open(name))
    with split.during("amostra and reports"):
        for summary in summaries():
            with split.part(REPORTS):
                make_summary(summary, PatchBench.open(name))
        with split.part(GATES):
            for gate in RULES:
                if gate.asset == "amostra":
                    gate.rule(PatchBench.open(name))
    return int(failed > 0)


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.argument("name")
@click.option("--bare", is_flag=True, help="Without Dagster.")
def main(out: Path, name: str, *, bare: bool) -> None:
    """Run study NAME and write where the time went to OUT."""
    split = Split()
    code = (without_dagster if bare else with_dagster)(split, name)
    out.write_text(json.dumps(split.record()), encoding="utf-8")
    sys.exit(code)


if __name__ == "__main__":
    main()
