"""A made-up study that a stub judges: prompts as long as real ones, each unlike the others."""

import json
from pathlib import Path

from benchmarks.judge_stub import Stub, fingerprint, judged
from benchmarks.study_home import python, swe_assets
from swe_assets.errors import SweAssetsError
from swe_assets.judging.extraction import extraction_request
from swe_assets.judging.payload import build_payload
from swe_assets.judging.prompts import Prompts
from swe_assets.judging.verdict import verdict_request
from swe_assets.llm.protocol import ChatRequest

NAME, MODEL = "judged", "stub"
STAGES = ("evaluation_results", "metricas_estruturais_extraidas")
ISSUE = "The report names m{n}: with an empty list the total is wrong and a later call raises KeyError. "
HUNK = (
    "@@ -{at},3 +{at},4 @@\n context_{n}_{at} = 1\n-value = {n}\n+value = {n} + {at}\n+check(value)\n same\n"
)
PATCH = "diff --git a/pkg/m{n}.py b/pkg/m{n}.py\n--- a/pkg/m{n}.py\n+++ b/pkg/m{n}.py\n"


def issue_of(number: int) -> str:
    """Return a problem statement of 2 KB."""
    return ISSUE.format(n=number) * 22


def patch_of(number: int) -> str:
    """Return a patch of 1.5 KB."""
    return PATCH.format(n=number) + "".join(HUNK.format(n=number, at=at) for at in range(10, 210, 10))


def requests(count: int) -> list[ChatRequest]:
    """Return the first pass's requests about so many instances."""
    prompts = Prompts.load()
    payloads = (build_payload(f"i-{n}", issue_of(n), patch_of(n), prompts) for n in range(count))
    return [verdict_request(payload) for payload in payloads]


def both_passes(count: int) -> list[ChatRequest]:
    """Return the requests of both passes, the second with the reasoning that the stub will have given."""
    prompts, first = Prompts.load(), requests(count)
    said = (str(judged({}, fingerprint(request.user))["raciocinio_analitico"]) for request in first)
    return [*first, *(extraction_request(reasoning, prompts) for reasoning in said)]


def write_models(home: Path, service: Stub, concurrency: int) -> None:
    """Name the stub in the home's models.toml."""
    home.mkdir(parents=True, exist_ok=True)
    table = f'[models.{MODEL}]\nprovider = "openai"\nmodel = "stub-judge"\nbase_url = "{service.url}"\n'
    more = f"concurrency = {concurrency}\nmax_tokens = 2000\nprice_in = 0.1\nprice_out = 0.4\n"
    (home / "models.toml").write_text(table + more, encoding="ascii")


def pin(home: Path, count: int) -> None:
    """Pin a study of so many instances, judged by the stub, and make what judging hangs on."""
    ids = [f"made__up{number % 12}-{number}" for number in range(count)]
    folder = home / "inputs"
    folder.mkdir()
    rows = [
        {"instance_id": i, "repo": "made/up", "base_commit": f"{n:040x}", "problem_statement": issue_of(n)}
        for n, i in enumerate(ids)
    ]
    patches = [{"instance_id": i, "model_patch": patch_of(n)} for n, i in enumerate(ids)]
    for name, lines in (("dataset", rows), ("predictions", patches)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in lines), "ascii")
    (folder / "results.json").write_text(json.dumps({"resolved": ids[::2]}), encoding="ascii")
    given = [f"--{name}={folder / file}" for name, file in inputs().items()]
    swe_assets(home, "study", "add", NAME, *given, f"--judge={MODEL}", "--judge-excluded")
    judging(home, "patches", "evaluation_payload")


def judging(home: Path, *stages: str) -> None:
    """Make stages of the study without Dagster; raise SweAssetsError where an instance failed."""
    done = python(home, "-m", "benchmarks.judge_stages", NAME, *stages)
    if done.returncode:
        raise SweAssetsError(f"{stages} ended with {done.returncode}: {done.stderr[-2000:]}")


def inputs() -> dict[str, str]:
    """Return the options of `study add` and the files that they name."""
    return {"predictions": "predictions.jsonl", "results": "results.json", "dataset": "dataset.jsonl"}
