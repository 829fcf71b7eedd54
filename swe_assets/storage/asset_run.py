"""One run of assets in this process, recorded as the UI records the runs that it starts."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dagster as dg
from dagster._core.definitions.job_base import InMemoryJob
from dagster._core.execution.api import create_execution_plan, execute_run
from dagster._core.remote_origin import (
    ManagedGrpcPythonEnvCodeLocationOrigin,
    RemoteJobOrigin,
    RemoteRepositoryOrigin,
)
from dagster._core.snap import snapshot_from_execution_plan
from dagster._core.types.loadable_target_origin import LoadableTargetOrigin

REPOSITORY = "__repository__"


@dataclass(frozen=True)
class CodeLocation:
    """A code location of workspace.yaml: its name there, and the module it is loaded from."""

    name: str
    module: str

    def origin_of(self, job: str) -> RemoteJobOrigin:
        """Return where the UI finds a job of this location."""
        target = LoadableTargetOrigin(executable_path=sys.executable, module_name=self.module)
        place = ManagedGrpcPythonEnvCodeLocationOrigin(target, self.name)
        return RemoteRepositoryOrigin(place, REPOSITORY).get_job_origin(job)


def run_assets(
    instance: dg.DagsterInstance,
    definitions: dg.Definitions,
    selection: dg.AssetSelection,
    location: CodeLocation,
    tags: Mapping[str, str],
    run_config: Mapping[str, object],
) -> dg.JobExecutionResult:
    """Run the selected assets and checks in this process and return the result, also where a step failed.

    Job, selection and origin are those of a run that the UI starts, so the UI shows what was selected and can
    re-execute it. The executor of `definitions` must be the one of a single process.
    """
    whole = definitions.resolve_implicit_global_asset_job_def()
    graph = definitions.resolve_asset_graph()
    keys, checks = selection.resolve(graph), selection.resolve_checks(graph)
    job = whole.get_subset(asset_selection=keys, asset_check_selection=checks)
    plan = create_execution_plan(job, run_config, instance_ref=instance.get_ref(), tags=tags)
    run = instance.create_run(
        **_nothing_else(plan.step_keys_to_execute),
        job_name=whole.name,
        run_config=run_config,
        tags=tags,
        execution_plan_snapshot=snapshot_from_execution_plan(plan, job.get_job_snapshot_id()),
        job_snapshot=job.get_job_snapshot(),
        parent_job_snapshot=whole.get_job_snapshot(),
        asset_selection=frozenset(keys),
        asset_check_selection=frozenset(checks),
        remote_job_origin=location.origin_of(whole.name),
        asset_graph=job.asset_layer.asset_graph,
    )
    return execute_run(InMemoryJob(whole), run, instance)


def _nothing_else(steps: Sequence[str]) -> dict[str, Any]:
    """Return what a run says that repeats no other and selects no ops."""
    nothing = ("run_id", "status", "root_run_id", "parent_run_id", "op_selection", "job_code_origin")
    return {**dict.fromkeys(nothing), "resolved_op_selection": None, "step_keys_to_execute": steps}
