"""The same questions asked by inspect_ai, in an environment of its own that judge_beside_inspect makes.

It imports nothing of ours. It prints one line of JSON: seconds and processor time without imports, answers.

    python benchmarks/inspect_side.py URL QUESTIONS.jsonl LOGS CONCURRENCY SAMPLES
"""

# mypy: disable-error-code="import-not-found, untyped-decorator"
# (inspect_ai is not installed where this is checked)

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import inspect_ai
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig, ResponseSchema, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import JSONSchema


@solver
def asked() -> Solver:
    """Ask each sample's question once, for an object of its schema."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        schema = JSONSchema.model_validate(state.metadata["schema"])
        return await generate(state, response_schema=ResponseSchema(name="answer", json_schema=schema))

    return solve


def samples(path: Path) -> list[Sample]:
    """Return the questions as samples."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [
        Sample(
            input=[ChatMessageSystem(content=row["system"]), ChatMessageUser(content=row["user"])],
            metadata={"schema": row["schema"]},
        )
        for row in rows
    ]


def main(url: str, questions: str, logs: str, concurrency: str, at_once: str) -> None:
    """Ask all questions, so many calls at once, and keep the log."""
    config = GenerateConfig(max_connections=int(concurrency), temperature=0.0, max_tokens=2000)
    model = get_model("openai-api/stub/stub-judge", base_url=url, api_key="none", config=config)
    told: dict[str, Any] = {}
    task = inspect_ai.Task(dataset=MemoryDataset(samples(Path(questions))), solver=asked())
    started, spent = time.perf_counter(), os.times()
    (log,) = inspect_ai.eval(
        task, model=model, log_dir=logs, display="none", max_samples=int(at_once), log_realtime=False
    )
    told["wall"] = time.perf_counter() - started
    told["cpu"] = sum(os.times()[:2]) - sum(spent[:2])
    told["answers"] = sum(bool(sample.output.completion) for sample in log.samples or [])
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
