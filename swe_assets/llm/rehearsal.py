"""The rehearsal judge: the public offline twin of a real one, a function of the prompt's text alone.

It understands nothing. It lets a study run end to end without key or network, with verdicts that vary
from patch to patch; whatever it says is marked ``[ENSAIO]``.
"""

import hashlib
import json
import re

from swe_assets.llm.attempts import answered
from swe_assets.llm.fencing import unfenced
from swe_assets.llm.patch_traits import PatchTraits, patch_traits
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.rehearsal_words import CUES, SENTENCES

MARK = "[ENSAIO] "
VERSION = "1"
FALLBACK = {"M_profundidade": 2, "M_integridade": 3, "M_defesa": 2}
MAX_WORDS = 15


class RehearsalModel:
    """Answers offline, the same text for the same request on every machine."""

    name = "rehearsal"
    rehearsal = True

    def __repr__(self) -> str:
        return "RehearsalModel()"

    def complete(self, request: ChatRequest) -> ChatReply:
        """Answer as extractor where the prompt fences a RACIOCINIO, as judge for a PATCH, else in words."""
        text = _text(request)
        reply = ChatReply(
            text=text,
            model=self.name,
            served_model=f"{self.name}-{VERSION}",
            finish_reason="STOP",
            tokens_in=(len(request.system) + len(request.user)) // 4,
            tokens_out=len(text) // 4,
            raw={"text": text},
        )
        return answered(reply, request)

    def provenance(self) -> dict[str, str]:
        """Return that this is the rehearsal, and the version of its rules."""
        return {"provider": "rehearsal", "model": f"{self.name}-{VERSION}"}


def _text(request: ChatRequest) -> str:
    """Return the reply's text."""
    reasoning = unfenced(request.user, "RACIOCINIO")
    if reasoning is not None:
        return json.dumps(_extraction(reasoning), ensure_ascii=False)
    patch = unfenced(request.user, "PATCH")
    if patch is not None:
        issue = unfenced(request.user, "ISSUE") or ""
        return json.dumps(_verdict(issue, patch), ensure_ascii=False)
    return f"{MARK}Resposta de ensaio {_digest(request.system, request.user)[:8]}."


def _digest(*texts: str) -> str:
    """Return a sha256 (hex) of texts, the same on every machine."""
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()


def _draw(seed: str, what: str) -> float:
    """Return a number in [0, 1) that a seed and a word give."""
    return int(_digest(seed, what)[:8], 16) / 2**32


def _verdict(issue: str, patch: str) -> dict[str, object]:
    """Return a verdict that leans on what can be counted and otherwise on chance."""
    traits = patch_traits(issue, patch)
    if traits.blank or traits.prose or traits.only_tests:
        return _nothing_done(traits)
    seed = _digest(issue, patch)
    leaning = _leaning(traits) + 1.6 * (_draw(seed, "opinion") - 0.5)
    resolves = leaning > 0
    doubt = _draw(seed, "confidence")
    score = max(1, min(5, round(2.2 + 2.5 * abs(leaning) + 1.6 * doubt - (1.5 if doubt < 0.06 else 0))))
    values = {metric: _value(metric, leaning, seed) for metric in SENTENCES}
    spoken = [_sentence(metric, value, seed) for metric, value in values.items()]
    return _worded(resolves, score, [_size(traits), *spoken, _verdict_words(resolves)])


def _leaning(traits: PatchTraits) -> float:
    """Return how far the counts speak for a patch: small and on the issue's names for it, sprawl against."""
    shared = min(traits.shared_names, 6) / 6
    sprawl = min(len(traits.files) - 1, 4) / 4 + min(traits.added + traits.removed, 200) / 200
    return 0.15 + 0.5 * shared + 0.1 * min(traits.guards, 3) / 3 - 0.5 * sprawl


def _value(metric: str, leaning: float, seed: str) -> int | None:
    """Return the value that the reasoning will state for a metric, or None where it keeps silent."""
    if _draw(seed, f"{metric} silent") < 0.12:
        return None
    position = _draw(seed, metric) + 0.25 * max(-1.0, min(1.0, leaning))
    return 1 if position < 0.33 else 2 if position < 0.66 else 3


def _sentence(metric: str, value: int | None, seed: str) -> str:
    """Return one of the sentences that state a value."""
    choices = SENTENCES[metric][value]
    return choices[int(_draw(seed, f"{metric} words") * len(choices))]


def _nothing_done(traits: PatchTraits) -> dict[str, object]:
    """Return the verdict on a patch that changes no product code."""
    what = "está vazio" if traits.blank else "não é um diff" if traits.prose else "só altera testes"
    reason = f"O patch {what}: a falha relatada permanece, sem corrigir a causa-raiz."
    return _worded(False, 5, [reason, _sentence("M_defesa", 1, what), _verdict_words(False)])


def _size(traits: PatchTraits) -> str:
    """Say what was counted."""
    files = f"{len(traits.files)} arquivo(s), {traits.hunks} trecho(s)"
    return f"O patch altera {files}, com {traits.added} linha(s) a mais e {traits.removed} a menos."


def _verdict_words(resolves: bool) -> str:
    """Say the verdict in words."""
    return (
        "Conclui-se que a issue fica resolvida." if resolves else "Conclui-se que a issue não fica resolvida."
    )


def _worded(resolves: bool, score: int, sentences: list[str]) -> dict[str, object]:
    """Return the verdict's object, its reasoning marked as a rehearsal."""
    return {
        "resolve_issue": resolves,
        "score_confianca": score,
        "raciocinio_analitico": MARK + " ".join(sentences),
    }


def _extraction(reasoning: str) -> dict[str, object]:
    """Return the metrics that a reasoning states, each with its sentence, else the fallback."""
    sentences = re.split(r"(?<=[.!?])\s+", reasoning.replace(MARK.strip(), "").strip())
    found: dict[str, object] = {}
    for metric, cues in CUES.items():
        name = metric.removeprefix("M_")
        stated = ((v, s) for v, cue in cues for s in sentences if cue.search(s))
        value, words = next(stated, (FALLBACK[metric], ""))
        found[metric] = value
        found[f"just_{name}"] = MARK + (" ".join(words.split()[: MAX_WORDS - 1]) or "omisso no raciocínio")
        found[f"origem_{name}"] = "texto" if words else "fallback"
    return found
