"""One paid stage of a study, planned, made in threads and stored, with no records of Dagster's.

python -m benchmarks.judge_stages NAME STAGE
"""

import os
import sys
from pathlib import Path

import click

from benchmarks.judge_study import NAME, STAGES
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.stages import stages
from swe_assets.storage.stage import Failed, perform, plan_stage


def made_stages(home: Path) -> int:
    """Return how many records the paid stages of the home's study have stored."""
    before = os.environ.get("SWE_ASSETS_HOME")
    os.environ["SWE_ASSETS_HOME"] = str(home)
    try:
        bench = PatchBench.open(NAME)
        return sum(len(bench.store.headers(stage, bench.instances)) for stage in STAGES)
    finally:
        if before is None:
            del os.environ["SWE_ASSETS_HOME"]
        else:
            os.environ["SWE_ASSETS_HOME"] = before


def make(bench: PatchBench, name: str) -> bool:
    """Make what is missing of a stage; return whether an instance failed."""
    listed = stages(judge_excluded=bench.study.judge_excluded)
    stage = next(stage for stage, _face in listed if stage.name == name)
    plan = plan_stage(stage, bench, bench.instances)
    return any(isinstance(result, Failed) for result in list(perform(stage, bench, plan, bench.instances)))


@click.command()
@click.argument("name")
@click.argument("stage_names", metavar="STAGE…", nargs=-1)
def main(name: str, stage_names: tuple[str, ...]) -> None:
    """Make what is missing of each STAGE."""
    bench = PatchBench.open(name)
    failed = [make(bench, stage) for stage in stage_names]
    sys.exit(any(failed))


if __name__ == "__main__":
    main()
