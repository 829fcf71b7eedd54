"""The offline twin answers the same everywhere, is marked, varies, and looks at what it is given."""

import json
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from swe_assets.judging.extraction import extract
from swe_assets.judging.payload import build_payload
from swe_assets.judging.prompts import Prompts
from swe_assets.judging.verdict import judge
from swe_assets.llm.patch_traits import patch_traits
from swe_assets.llm.protocol import ChatRequest
from swe_assets.llm.rehearsal import MARK, RehearsalModel

PROMPTS = Prompts.load()
MODEL = RehearsalModel()
ISSUE = "O total de calcula_total sai errado quando a lista é vazia."


def made_patch(number: int) -> str:
    """Return one of many small diffs."""
    lines = "".join(f"+    total_{number} += {step}\n" for step in range(number % 7 + 1))
    hunk = f"@@ -1,2 +1,{number % 7 + 3} @@\n def calcula_total(x):\n{lines}     return x\n"
    return f"--- a/conta.py\n+++ b/conta.py\n{hunk}"


def judged(patch: str | None) -> dict[str, Any]:
    """Return the evaluation of a patch for the issue."""
    evaluation: dict[str, Any] = judge(build_payload("demo__demo-1", ISSUE, patch, PROMPTS), MODEL)[
        "evaluation"
    ]
    return evaluation


@pytest.fixture(scope="module")
def eighty() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return evaluation and metrics of eighty different patches."""
    found = []
    for number in range(80):
        result = judge(build_payload(f"demo__demo-{number}", ISSUE, made_patch(number), PROMPTS), MODEL)
        found.append((result["evaluation"], extract(result, MODEL, PROMPTS).record["LLM_Judge_Metrics"]))
    return found


@pytest.mark.parametrize("metric", ["M_profundidade", "M_integridade", "M_defesa"])
def test_each_metric_takes_each_value(
    metric: str, eighty: list[tuple[dict[str, Any], dict[str, Any]]]
) -> None:
    """Over eighty patches each metric is 1, 2 and 3 at least eight times each."""
    counts = Counter(metrics[metric] for _, metrics in eighty)
    assert set(counts) == {1, 2, 3}
    assert min(counts.values()) >= 8


def test_verdicts_vary(eighty: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    """Over eighty patches both verdicts occur and at least four confidences."""
    assert len({evaluation["resolve_issue"] for evaluation, _ in eighty}) == 2
    assert len({evaluation["score_confianca"] for evaluation, _ in eighty}) >= 4


def test_metrics_are_not_one_another(eighty: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    """No metric is a function of another, nor of the verdict: each pair of values occurs with both."""
    pairs = {(m["M_profundidade"], m["M_defesa"]) for _, m in eighty}
    verdicts = {(m["M_profundidade"], e["resolve_issue"]) for e, m in eighty}
    assert len(pairs) == 9
    assert len(verdicts) == 6


def test_everything_shown_is_marked(eighty: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    """Every reasoning and every justification begins with the mark of a rehearsal, and the record says so."""
    for evaluation, metrics in eighty:
        words = [
            evaluation["raciocinio_analitico"],
            *(metrics[f"just_{n}"] for n in ("profundidade", "integridade", "defesa")),
        ]
        assert all(text.startswith(MARK) for text in words)
        assert evaluation["judge"]["rehearsal"] is True


def test_the_same_request_gives_the_same_text_in_another_process() -> None:
    """Neither hash seed nor process changes a reply."""
    payload = build_payload("demo__demo-1", ISSUE, made_patch(3), PROMPTS)
    code = (
        "import json,sys; from swe_assets.llm.rehearsal import RehearsalModel;"
        "from swe_assets.judging.verdict import judge;"
        "print(json.dumps(judge(json.load(sys.stdin), RehearsalModel())))"
    )
    env = {"PYTHONHASHSEED": "7"}
    run = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(payload),
        capture_output=True,
        text=True,
        check=True,
        env=env,
    )
    assert json.loads(run.stdout) == judge(payload, MODEL)


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        (None, "está vazio"),
        ("  \n", "está vazio"),
        ("Sugiro trocar a linha 3.", "não é um diff"),
        ("--- a/tests/test_x.py\n+++ b/tests/test_x.py\n@@ -1 +1 @@\n-a\n+b\n", "só altera testes"),
    ],
)
def test_a_patch_that_changes_nothing_resolves_nothing(patch: str | None, said: str) -> None:
    """An empty patch, prose and a patch of tests alone are seen for what they are."""
    evaluation = judged(patch)
    assert evaluation["resolve_issue"] is False
    assert said in evaluation["raciocinio_analitico"]


def test_what_is_counted() -> None:
    """Files, hunks, lines, guards and names shared with the issue are counted from the text."""
    patch = made_patch(1) + "--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-x\n+    if x: raise ValueError(x)\n"
    traits = patch_traits(ISSUE.replace("calcula_total", "total_1"), patch)
    assert (traits.files, traits.hunks, traits.added, traits.removed) == (("conta.py", "b.py"), 2, 3, 1)
    assert (traits.guards, traits.shared_names, traits.only_tests, traits.prose) == (1, 1, False, False)


def test_its_fallback_is_the_study_s() -> None:
    """The twin falls back to the same values as the second pass's rule."""
    from swe_assets.judging.extraction import FALLBACK, MAX_WORDS
    from swe_assets.llm import rehearsal

    assert (rehearsal.FALLBACK, rehearsal.MAX_WORDS) == (FALLBACK, MAX_WORDS)


def test_free_text_is_marked_too() -> None:
    """A request without patch or reasoning is answered in marked words."""
    assert MODEL.complete(ChatRequest("s", "Olá")).text.startswith(MARK)
    assert MODEL.rehearsal
    assert MODEL.provenance()["provider"] == "rehearsal"
