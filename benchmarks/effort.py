"""Wall time, CPU time and memory of this process and of the processes it starts."""

import os
import resource
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

MIB = 2**20


@dataclass
class Effort:
    """Seconds on the wall and on the CPU; the CPU's include children that have ended."""

    wall: float = 0.0
    cpu: float = 0.0

    def __add__(self, other: "Effort") -> "Effort":
        return Effort(self.wall + other.wall, self.cpu + other.cpu)

    def __sub__(self, other: "Effort") -> "Effort":
        return Effort(self.wall - other.wall, self.cpu - other.cpu)

    def each(self, count: int) -> "Effort":
        """Return the effort of one of count equal parts."""
        return Effort(self.wall / count, self.cpu / count)


def now() -> Effort:
    """Return both clocks as they stand."""
    spent = os.times()
    return Effort(
        time.perf_counter(), spent.user + spent.system + spent.children_user + spent.children_system
    )


def spent_by(pid: int) -> float:
    """Return the processor seconds of another process and its children, ended ones included (/proc)."""
    tick = os.sysconf("SC_CLK_TCK")
    return sum(_ticks(one) for one in _family(pid)) / tick


def _ticks(pid: int) -> int:
    """Return user and system ticks of a process and of its children that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(int(field) for field in fields[11:15])


@contextmanager
def effort() -> Iterator[Effort]:
    """Give an Effort that holds, once the block has ended, what it took."""
    taken = Effort()
    start = now()
    try:
        yield taken
    finally:
        end = now() - start
        taken.wall, taken.cpu = end.wall, end.cpu


def peak_own_mib() -> float:
    """Return the largest resident set of this process so far, in MiB (getrusage)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def peak_child_mib() -> float:
    """Return the largest resident set of any one ended child so far, in MiB (getrusage)."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


class TreeMemory:
    """The peak of memory over this process and all its descendants together, sampled while the block runs.

    `resident` is the largest sum of resident sets, `own` the largest sum without mapped files and shared
    memory, which the kernel can drop or counts twice; both in MiB, read from Linux's /proc (0 elsewhere). A
    peak between two samples is missed.
    """

    def __init__(self, every_seconds: float = 0.05) -> None:
        self.every_seconds = every_seconds
        self.resident = 0.0
        self.own = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(self.every_seconds):
            found = [_resident_and_own(pid) for pid in _family(os.getpid())]
            self.resident = max(self.resident, sum(resident for resident, _ in found))
            self.own = max(self.own, sum(own for _, own in found))


def _family(pid: int) -> Iterator[int]:
    """Yield a process and all its descendants that still run."""
    yield pid
    for listing in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # it ended meanwhile
            for child in listing.read_text(encoding="ascii").split():
                yield from _family(int(child))


def _resident_and_own(pid: int) -> tuple[float, float]:
    """Return a process's resident set and the part of it that is no file and not shared, in MiB."""
    try:
        words = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0.0, 0.0
    page = resource.getpagesize() / MIB
    return int(words[1]) * page, (int(words[1]) - int(words[2])) * page
