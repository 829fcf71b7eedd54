"""A recording made of kept answers: what was paid for once, handed on to be replayed by anyone."""

from collections.abc import Iterable
from pathlib import Path

from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.replay import recorded


def write_recording(answers: Iterable[tuple[ChatRequest, ChatReply]], path: Path) -> int:
    """Write real answers as a recording for ``replay:PATH``; return how many it holds.

    Each stands under the request that was made, also where it was answered only with a longer token limit.
    The recording holds no prompt, only its fingerprint. A file that is there is replaced as a whole; raises
    StoreError where it cannot be written.
    """
    from swe_assets.storage.atomic import write_text

    lines = {}
    for request, reply in answers:
        fingerprint = request.fingerprint()
        lines[fingerprint] = recorded(fingerprint, reply, rehearsal=False)
    write_text(path, "".join(f"{line}\n" for line in lines.values()))
    return len(lines)
