"""The rehearsal judge: the public offline twin of a real one, a function of the request alone.

It understands nothing. It lets a study run end to end without key or network, with verdicts that vary
from patch to patch; whatever it says is marked ``[ENSAIO]``. Its tempers, ``strict``, ``balanced`` and
``lenient``, see the same counts and agree more often than not, so that a jury can be rehearsed.
"""

import hashlib
import json
import re
from dataclasses import dataclass

from swe_assets.errors import ConfigurationError
from swe_assets.llm.attempts import answered
from swe_assets.llm.fencing import unfenced
from swe_assets.llm.patch_traits import PatchTraits, patch_traits
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.rehearsal_words import CUES, SENTENCES
from swe_assets.llm.specs import ModelSpec

MARK = "[ENSAIO] "
VERSION = "1"
FALLBACK = {"M_profundidade": 2, "M_integridade": 3, "M_defesa": 2}
MAX_WORDS = 15


@dataclass(frozen=True)
class Temper:
    """How a rehearsed judge leans: ``bias`` for or against a patch, and the seed of opinions of its own."""

    bias: float = 0.0
    seed: str = ""


TEMPERS = {
    "": Temper(),
    "strict": Temper(-0.25, "strict"),
    "balanced": Temper(0.0, "balanced"),
    "lenient": Temper(0.25, "lenient"),
}
"""The plain twin and the three of a jury."""

OWN_SHARE = 0.35
"""How much of a jury member's opinion is its own; the rest it shares with the others."""

WAVER = 0.15
"""How far a second answer to the same question may stray from the first, of 1."""


class RehearsalModel:
    """Answers offline, the same text for the same request on every machine; a Provider and a ChatModel.

    ``temper``: empty for the plain twin, else strict, balanced or lenient. A request's ``sample`` from 2 on
    may be answered a little otherwise, in a fixed way. Raises ConfigurationError for another temper.
    """

    rehearsal = True

    def __init__(self, temper: str = "", *, spec: ModelSpec | None = None) -> None:
        if temper not in TEMPERS:
            known = ", ".join(f"rehearsal:{name}" for name in TEMPERS if name)
            raise ConfigurationError(
                f"the rehearsal judge has no variant {temper!r}: write 'rehearsal' or one of {known}"
            )
        model = f"rehearsal:{temper}" if temper else "rehearsal"
        self.spec = spec or ModelSpec(id=model, provider="rehearsal", model=temper)
        self.name = self.spec.id
        self._model = model
        self._temper = TEMPERS[temper]

    def __repr__(self) -> str:
        return f"RehearsalModel({self.spec.model!r})"

    def check(self) -> None:
        """Do nothing: there is no key to miss."""

    def complete(self, request: ChatRequest) -> ChatReply:
        """Answer one request; see ``send``."""
        return answered(self.send(request), request)

    def send(self, request: ChatRequest) -> ChatReply:
        """Answer as extractor where the prompt fences a RACIOCINIO, as judge for a PATCH, else in words."""
        text = _text(request, self._temper)
        return ChatReply(
            text=text,
            model=self._model,
            served_model=f"{self._model}-{VERSION}",
            finish_reason="STOP",
            tokens_in=(len(request.system) + len(request.user)) // 4,
            tokens_out=len(text) // 4,
            raw={"text": text},
        )

    def provenance(self) -> dict[str, str]:
        """Return that this is the rehearsal, and the version of its rules."""
        return {"provider": "rehearsal", "model": f"{self._model}-{VERSION}"}


def _text(request: ChatRequest, temper: Temper) -> str:
    """Return the reply's text."""
    reasoning = unfenced(request.user, "RACIOCINIO")
    if reasoning is not None:
        return json.dumps(_extraction(reasoning), ensure_ascii=False)
    patch = unfenced(request.user, "PATCH")
    if patch is not None:
        issue = unfenced(request.user, "ISSUE") or ""
        return json.dumps(_verdict(issue, patch, temper, request.sample), ensure_ascii=False)
    again = "" if request.sample == 1 else f" ({request.sample})"
    return f"{MARK}Resposta de ensaio {_digest(request.system, request.user)[:8]}{again}."


def _digest(*texts: str) -> str:
    """Return a sha256 (hex) of texts, the same on every machine."""
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()


def _draw(seed: str, what: str) -> float:
    """Return a number in [0, 1) that a seed and a word give."""
    return int(_digest(seed, what)[:8], 16) / 2**32


def _verdict(issue: str, patch: str, temper: Temper, sample: int) -> dict[str, object]:
    """Return a verdict that leans on what can be counted and otherwise on chance."""
    traits = patch_traits(issue, patch)
    if traits.blank or traits.prose or traits.only_tests:
        return _nothing_done(traits)
    seed = _digest(issue, patch)
    own = _digest(seed, temper.seed) if temper.seed else seed
    leaning = _leaning(traits) + temper.bias + 1.6 * (_opinion(seed, own) - 0.5)
    if sample > 1:
        leaning += WAVER * (2 * _draw(own, f"sample {sample}") - 1)
    resolves = leaning > 0
    doubt = _draw(own, "confidence")
    score = max(1, min(5, round(2.2 + 2.5 * abs(leaning) + 1.6 * doubt - (1.5 if doubt < 0.06 else 0))))
    values = {metric: _value(metric, leaning, own) for metric in SENTENCES}
    spoken = [_sentence(metric, value, own) for metric, value in values.items()]
    return _worded(resolves, score, [_size(traits), *spoken, _verdict_words(resolves)])


def _opinion(shared: str, own: str) -> float:
    """Return an opinion in [0, 1): that of the patch's seed, mixed with one of the judge's own."""
    if own == shared:
        return _draw(shared, "opinion")
    return (1 - OWN_SHARE) * _draw(shared, "opinion") + OWN_SHARE * _draw(own, "opinion")


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
