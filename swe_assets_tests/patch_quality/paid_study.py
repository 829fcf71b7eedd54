"""A small study whose judge is a service on this machine with a price, so that every call can be counted."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from swe_assets.patch_quality.sample import Sample
from swe_assets_tests.http_stub import Asked, Served, serving
from swe_assets_tests.patch_quality.small_study import SmallStudy, small_study

TOKENS_IN, TOKENS_OUT, MAX_TOKENS = 1_000, 100, 500
PRICE_OUT = 10.0
COST = TOKENS_OUT * PRICE_OUT / 1e6
"""A thousandth of a USD: input is free, so that what a call reserves does not hang on its prompt."""

MOST = MAX_TOKENS * PRICE_OUT / 1e6
"""What a call reserves: five thousandths."""

MODEL = f"""
[models.priced]
provider = "openai"
model = "priced-1"
max_tokens = {MAX_TOKENS}
concurrency = 1
price_in = 0.0
price_out = {PRICE_OUT}
"""

VERDICT = {"resolve_issue": True, "score_confianca": 4}
METRICS = {
    **dict.fromkeys(("M_profundidade", "M_integridade"), 3),
    **dict.fromkeys(("just_profundidade", "just_integridade"), "corrige a causa-raiz"),
    **dict.fromkeys(("origem_profundidade", "origem_integridade"), "texto"),
    "M_defesa": 2,
    "just_defesa": "omisso",
    "origem_defesa": "fallback",
}


@dataclass
class PricedJudge:
    """The running service: its address and the prompts that it was asked, in order."""

    url: str = ""
    asked: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    silent_from: int = 1_000_000
    """From this call on nothing is answered until ``free`` is set."""
    silent: threading.Event = field(default_factory=threading.Event)
    free: threading.Event = field(default_factory=threading.Event)

    def answer(self, asked: Asked) -> Served:
        """Answer a judging or an extracting call."""
        body = json.loads(asked.body)
        with self.lock:
            self.asked.append(body["messages"][-1]["content"])
            number = len(self.asked)
        if number >= self.silent_from:
            self.silent.set()
            self.free.wait(120)
        if "M_profundidade" in json.dumps(body):
            return Served(body=_completion(METRICS))
        reasoning = f"O patch {number} corrige a causa-raiz e preserva os contratos."
        return Served(body=_completion({**VERDICT, "raciocinio_analitico": reasoning}))


def _completion(answer: dict[str, Any]) -> dict[str, Any]:
    """Return a completion of OpenAI's API with the usage that every call has."""
    message = {"role": "assistant", "content": json.dumps(answer)}
    usage = {"prompt_tokens": TOKENS_IN, "completion_tokens": TOKENS_OUT, "total_tokens": 1_100}
    told = {"id": "c1", "object": "chat.completion", "created": 1, "model": "priced-1-001"}
    return {**told, "choices": [{"index": 0, "finish_reason": "stop", "message": message}], "usage": usage}


@contextmanager
def priced_judge() -> Iterator[PricedJudge]:
    """Run the service."""
    judge = PricedJudge()
    with serving(judge.answer) as (judge.url, _):
        yield judge


def paid_study(home: Path, sample: Sample, judge: PricedJudge, count: int, more: str = "") -> SmallStudy:
    """Pin a study that the service judges; ``more`` stands in models.toml below the model."""
    home.mkdir(parents=True, exist_ok=True)
    text = f'{MODEL}base_url = "{judge.url}"\n{more}'
    (home / "models.toml").write_text(text, encoding="utf-8")
    study = small_study(home, sample, count)
    study.call("study", "update", study.name, "--judge=priced", "--yes")
    return study
