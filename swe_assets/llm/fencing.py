"""Foreign text inside a prompt: fenced by a code that the text cannot hold, bounded, with each cut stated."""

import hashlib
import re
from dataclasses import dataclass

from swe_assets.llm.plain_text import visible

CODE_LENGTH = 16
_TRIES_A_LENGTH = 64
_OPENING = re.compile(r"<<<[A-Z_]+ ([0-9a-f]+)[^>\n]*>>>\n")


@dataclass(frozen=True)
class Bounded:
    """A text made visible and short enough: its head and, where its middle was left out, its tail."""

    head: str
    tail: str
    total: int

    @property
    def shown(self) -> int:
        """The number of characters that are shown."""
        return len(self.head) + len(self.tail)


def bounded(text: str, limit: int) -> Bounded:
    """Return at most ``limit`` characters of ``text``, three quarters from its head and one from its tail.

    The middle of a long text is never looked at, so that the cost does not grow with it.
    """
    if len(text) <= limit:
        whole = visible(text)
        if len(whole) <= limit:
            return Bounded(whole, "", len(text))
    head, tail = limit - limit // 4, limit // 4
    end = visible(text[max(0, len(text) - tail) :])
    return Bounded(visible(text[:head])[:head], end[max(0, len(end) - tail) :], len(text))


def fence_code(*texts: str, length: int = CODE_LENGTH) -> str:
    """Return a hexadecimal code that depends on the texts alone and that none of them contains.

    The code is the beginning of a sha256 of all texts and a counter; the counter rises until no text holds
    it, and every 64 tries the code grows by a digit.
    """
    digest = hashlib.sha256()
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    lowered = [text.lower() for text in texts]
    counter = 0
    while True:
        code = hashlib.sha256(digest.digest() + counter.to_bytes(8, "big")).hexdigest()
        code = code[: length + counter // _TRIES_A_LENGTH]
        if not any(code in text for text in lowered):
            return code
        counter += 1


def fenced(label: str, text: Bounded, code: str) -> str:
    """Return the text between two lines with its label and the code; the first states a cut, or no text."""
    if not text.tail:
        empty = "" if text.head else " VAZIO"
        return f"<<<{label} {code}{empty}>>>\n{text.head}\n<<<{label} {code} FIM>>>"
    stated = f"CORTADO: {text.shown} de {text.total} caracteres mostrados"
    gap = f"<<<{label} {code} CORTE: o meio do texto foi omitido aqui>>>"
    return f"<<<{label} {code} {stated}>>>\n{text.head}\n{gap}\n{text.tail}\n<<<{label} {code} FIM>>>"


def unfenced(prompt: str, label: str) -> str | None:
    """Return the text that ``fenced`` put into a prompt under a label, or None; its gap line is left out.

    The first fence of a prompt gives the code, so that a fence forged inside foreign text is not followed.
    """
    first = _OPENING.search(prompt)
    if first is None:
        return None
    code = first.group(1)
    opening = re.search(rf"<<<{label} {code}[^>\n]*>>>\n", prompt)
    end = prompt.find(f"\n<<<{label} {code} FIM>>>")
    if opening is None or end < 0:
        return None
    inside = prompt[opening.end() : end] if end >= opening.end() else ""
    return re.sub(rf"\n<<<{label} {code} CORTE:[^>\n]*>>>\n", "\n", inside)
