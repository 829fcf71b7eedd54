"""A recording made of the call store: what was paid for once, handed on to be replayed by anyone."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from swe_assets.errors import InputError
from swe_assets.llm.call_store import CallStore, KeptAnswer
from swe_assets.llm.replay import recorded


def write_recording(store: CallStore, path: Path, model: str) -> int:
    """Write the kept answers of one model as a recording for ``replay:PATH``; return how many.

    ``model``: the name by which studies know it. The recording holds no prompt, only its fingerprint; where
    a model's parameters changed meanwhile, the answer kept last stands for a request. A file that is there
    is replaced as a whole. Raises InputError where the store holds no answer of that model.
    """
    lines = dict(_lines(store.answers(), model))
    if not lines:
        raise InputError(f"{store.place!r} holds no answer of {model!r}: name a model that was called")
    from swe_assets.storage.atomic import write_text

    write_text(path, "".join(f"{line}\n" for line in lines.values()))
    return len(lines)


def _lines(answers: Iterable[KeptAnswer], model: str) -> Iterator[tuple[str, str]]:
    """Yield fingerprint and line of each answer of a model, the oldest first."""
    for kept in sorted(answers, key=lambda answer: (answer.time, answer.key)):
        if kept.about.get("model") == model:
            fingerprint = str(kept.request["fingerprint"])
            yield fingerprint, recorded(fingerprint, kept.reply, rehearsal=False)
