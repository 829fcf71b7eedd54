"""A process that makes paid calls and may be killed: `python -m … URL STORE NAMES THREADS`.

NAMES are questions, separated by commas. It prints each answer as it comes.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from swe_assets.llm.call_store import CallStore
from swe_assets.llm.called_model import CalledModel, CallServices
from swe_assets.llm.protocol import ChatRequest
from swe_assets.llm.specs import ModelSpec
from swe_assets_tests.llm.paid_calls import HttpProvider, Word


def main(url: str, folder: str, names: str, threads: str) -> None:
    """Ask all questions in threads."""
    provider = HttpProvider(url, ModelSpec("echo", "echo", "echo-1", concurrency=int(threads)))
    model = CalledModel(provider, CallServices(CallStore(Path(folder))))
    requests = [ChatRequest("system", name, schema=Word) for name in names.split(",")]
    with ThreadPoolExecutor(int(threads)) as pool:
        for reply in pool.map(model.complete, requests):
            print(reply.text, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
