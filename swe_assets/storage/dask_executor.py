"""Dagster's executor for Dask, with tasks that are told apart by their run.

dagster-dask names a task by job and step alone. Dask takes two tasks of one name for the same, so of two
chunks of an asset that run at a time the second would be given the first one's outcome and never be done.
What a worker does is dagster-dask's own.
"""

import importlib
from collections.abc import Iterator
from typing import Any

import dagster as dg
from dagster._core.definitions.executor_definition import multiple_process_executor_requirements
from dagster._core.errors import raise_execution_interrupts
from dagster._core.events import DagsterEvent
from dagster._core.execution.context.system import PlanOrchestrationContext
from dagster._core.execution.plan.plan import ExecutionPlan
from dagster._core.execution.retries import RetryMode
from dagster._core.executor.base import Executor
from dagster._core.executor.init import InitExecutorContext
from dagster._utils import iterate_with_context


class RunsOnDask(Executor):
    """Has each step of a run done by a worker of the scheduler at an address."""

    def __init__(self, address: str) -> None:
        self.address = address

    @property
    def retries(self) -> RetryMode:
        """Return that Dagster tries no step again: Dask does where a worker dies."""
        return RetryMode.DISABLED

    def execute(
        self, plan_context: PlanOrchestrationContext, execution_plan: ExecutionPlan
    ) -> Iterator[DagsterEvent]:
        """Yield the events of all steps as they end; a step begins once those it hangs on have ended."""
        distributed: Any = importlib.import_module("distributed")
        with distributed.Client(self.address) as client:
            tasks = _submitted(client, plan_context, execution_plan)
            ended = distributed.as_completed(tasks, with_results=True)
            for _task, events in iterate_with_context(raise_execution_interrupts, ended):
                yield from events


def _submitted(client: Any, context: PlanOrchestrationContext, plan: ExecutionPlan) -> list[Any]:
    work: Any = importlib.import_module("dagster_dask.executor")
    tasks: dict[str, Any] = {}
    for level in plan.get_steps_to_execute_by_level():
        for step in level:
            above = [key for given in step.step_inputs for key in given.dependency_keys]
            tasks[step.key] = client.submit(
                work.query_on_dask_worker,
                [tasks[key] for key in above if key in tasks],
                context.reconstructable_job,
                context.dagster_run,
                context.run_config,
                [step.key],
                context.instance.get_ref(),
                plan.known_state,
                key=f"{context.run_id}.{step.key}",
                resources=work.get_dask_resource_requirements(step.tags),
            )
    return list(tasks.values())


@dg.executor(
    name="dask",
    config_schema={"address": dg.Field(str, description="The address of the scheduler.")},
    requirements=multiple_process_executor_requirements(),
)
def dask_executor(context: InitExecutorContext) -> Executor:
    """Run steps on the workers of a Dask scheduler that is there already."""
    return RunsOnDask(str(context.executor_config["address"]))
