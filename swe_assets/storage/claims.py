"""Claims in an object store, which has no locks: one holder at a time, and none left behind for long.

A claim is a row of numbered objects of which the last counts. It is free where there is none, where the last
says that it was let go of, or where the last did not change for half a minute by the clock of whoever waits:
its holder renews it each ten seconds, so clocks need not agree. Whoever wants it puts the next number on
condition that there is none, which the store grants to one of them only; since the last is never removed, a
number is never given twice.
"""

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from swe_assets.errors import StoreError, WaitEndedError

LEFT_SECONDS = 30.0
POLL_SECONDS = 0.5


class ConditionalObjects(Protocol):
    """What a claim needs of an object store."""

    def read(self, name: str) -> bytes | None:
        """Return an object's content, or None where there is none."""

    def write(self, name: str, content: bytes) -> None:
        """Put an object."""

    def write_new(self, name: str, content: bytes) -> bool:
        """Put an object unless there is one; return whether it was put."""

    def remove(self, name: str) -> None:
        """Remove an object that may not be there."""

    def names(self, folder: str, ending: str) -> list[str]:
        """Return the last parts of the names below a folder that end so, without the ending, sorted."""


@dataclass(frozen=True)
class Patience:
    """How long a claim may stay as it is before it counts as left, how often and by which clock one looks."""

    left: float = LEFT_SECONDS
    poll: float = POLL_SECONDS
    clock: Callable[[], float] = field(default=time.monotonic)
    sleep: Callable[[float], None] = field(default=time.sleep)


@contextmanager
def held(
    objects: ConditionalObjects,
    name: str,
    patience: Patience | None = None,
    stop: threading.Event | None = None,
) -> Iterator[None]:
    """Hold a claim, waiting until it is free; raises StoreError where the store cannot be reached.

    Whoever waits looks at stop as often as at the claim, and raises WaitEndedError once it is set.

    A holder that is stopped for longer than half a minute, or cannot reach the store for so long, may lose
    it unawares: then the work under it may be done twice, and the last to store its result wins.
    """
    kept = patience or Patience()
    holder = secrets.token_hex(8)
    mine = _gained(objects, name, holder, kept, stop or threading.Event())
    over = threading.Event()
    beats = threading.Thread(target=_renew, args=(objects, mine, holder, kept, over), daemon=True)
    beats.start()
    try:
        yield
    finally:
        over.set()
        beats.join()
        objects.write(mine, _state(holder, 0, released=True))


def _gained(
    objects: ConditionalObjects, name: str, holder: str, patience: Patience, stop: threading.Event
) -> str:
    """Return the name of the object that holds the claim for us."""
    seen: tuple[int, bytes | None] = (-1, None)
    since = patience.clock()
    while True:
        last = _last(objects, name)
        content = objects.read(_numbered(name, last)) if last >= 0 else None
        if (last, content) != seen:
            seen, since = (last, content), patience.clock()
        left = patience.clock() - since >= patience.left
        if last < 0 or _released(content) or left:
            mine = _numbered(name, last + 1)
            if objects.write_new(mine, _state(holder, 0)):
                if _last(objects, name) == last + 1:
                    _forget_older(objects, name, last + 1)
                    return mine
                objects.remove(mine)
        if stop.is_set():
            raise WaitEndedError(f"the wait for the claim {name!r} was ended: the work is to stop")
        patience.sleep(patience.poll)


def _renew(
    objects: ConditionalObjects, mine: str, holder: str, patience: Patience, over: threading.Event
) -> None:
    """Change the claim from time to time, so that whoever waits sees that its holder lives."""
    beat = 0
    while not over.wait(patience.left / 3):
        beat += 1
        with suppress(StoreError):  # the next beat may reach the store
            objects.write(mine, _state(holder, beat))


def _last(objects: ConditionalObjects, name: str) -> int:
    return max(_numbers(objects, name), default=-1)


def _numbers(objects: ConditionalObjects, name: str) -> list[int]:
    return [int(found) for found in objects.names(name, "") if found.isdigit()]


def _forget_older(objects: ConditionalObjects, name: str, number: int) -> None:
    for older in _numbers(objects, name):
        if older < number:
            objects.remove(_numbered(name, older))


def _numbered(name: str, number: int) -> str:
    return f"{name}/{number:012d}"


def _state(holder: str, beat: int, *, released: bool = False) -> bytes:
    return json.dumps({"holder": holder, "beat": beat, "released": released}).encode()


def _released(content: bytes | None) -> bool:
    try:
        found: Any = json.loads(content or b"{}")
    except ValueError:
        return False
    return isinstance(found, dict) and found.get("released") is True
