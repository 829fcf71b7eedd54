"""The call layer alone, in a process: instances judged in two passes by threads, through the real SDK.

No study, no stage, no Dagster: requests, attempts, pace, budget, call store. It prints one line of JSON, its
effort without imports and its memory, and before it, where asked, its memory after each hundred instances.

    python -m benchmarks.judge_layer URL FOLDER [--count 500] [--concurrency 16] [--watch]
"""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

from benchmarks.effort import effort, peak_own_mib
from benchmarks.judge_study import both_passes, requests
from swe_assets.judging.extraction import extraction_request
from swe_assets.judging.prompts import Prompts
from swe_assets.judging.verdict import Verdict
from swe_assets.llm.budget import SpendMeter
from swe_assets.llm.call_store import CallStore
from swe_assets.llm.called_model import CallServices, call_threads
from swe_assets.llm.model_settings import ModelSettings
from swe_assets.llm.prices import PriceList
from swe_assets.llm.protocol import ChatModel, ChatRequest
from swe_assets.llm.registry import model_named
from swe_assets.llm.specs import ModelSpec


def model_at(url: str, services: CallServices, concurrency: int) -> ChatModel:
    """Return the stub as a model, built by the registry as any other."""
    spec = ModelSpec(
        "stub",
        "openai",
        "stub-judge",
        url,
        max_tokens=2000,
        concurrency=concurrency,
        price_in=0.1,
        price_out=0.4,
    )
    return model_named("stub", ModelSettings(spec=spec, services=services))


def judge_both(model: ChatModel, request: ChatRequest, prompts: Prompts) -> int:
    """Judge one instance in two passes; return its confidence."""
    verdict = model.complete(request).value
    assert isinstance(verdict, Verdict)
    assert model.complete(extraction_request(verdict.raciocinio_analitico, prompts)).value is not None
    return verdict.score_confianca


def judge_one(model: ChatModel, request: ChatRequest) -> int:
    """Ask one question; return in how many attempts it was answered."""
    reply = model.complete(request)
    assert reply.value is not None
    return reply.attempts


def resident_mib() -> float:
    """Return this process's resident set as it is now (/proc)."""
    line = next(row for row in Path("/proc/self/status").read_text("ascii").splitlines() if "VmRSS" in row)
    return int(line.split()[1]) / 1024


def memory_at_times(done: Iterator[int], every: int) -> int:
    """Count what is done, and print the memory after each so many."""
    count = 0
    for count, _score in enumerate(done, 1):
        if count % every == 0:
            print(json.dumps({"done": count, "mib": resident_mib()}), flush=True)
    return count


@click.command()
@click.argument("url")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--count", default=500, show_default=True)
@click.option("--concurrency", default=16, show_default=True)
@click.option("--apart", is_flag=True, help="Ask all questions of both passes apart, from a list.")
@click.option("--watch", is_flag=True, help="Print the memory as it goes.")
def main(url: str, folder: Path, count: int, concurrency: int, *, apart: bool, watch: bool) -> None:
    """Judge COUNT made-up instances, two calls each, and keep the answers in FOLDER."""
    services = CallServices(CallStore(folder), SpendMeter(None, PriceList()))
    model, prompts = model_at(url, services, concurrency), Prompts.load()
    asked = both_passes(count) if apart else requests(count)

    def one(request: ChatRequest) -> int:
        return judge_one(model, request) if apart else judge_both(model, request, prompts)

    with effort() as taken, ThreadPoolExecutor(call_threads(model)) as pool:
        assert memory_at_times(pool.map(one, asked), 100 if watch else len(asked) + 1) == len(asked)
    told = {"wall": taken.wall, "cpu": taken.cpu, "peak_mib": peak_own_mib()}
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
