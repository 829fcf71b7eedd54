"""Where the time of a run goes: exclusive wall and CPU time by stage and by part."""

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from benchmarks.effort import Effort, now

P = ParamSpec("P")
T = TypeVar("T")


@dataclass
class Split:
    """Effort by (stage, part); time inside an inner part does not count for the outer one."""

    taken: dict[tuple[str, str], Effort] = field(default_factory=lambda: defaultdict(Effort))
    stage: str = "start and end"
    _parts: list[str] = field(default_factory=lambda: ["program"])
    _since: Effort = field(default_factory=now)

    def _turn(self) -> None:
        moment = now()
        self.taken[self.stage, self._parts[-1]] += moment - self._since
        self._since = moment

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count the block for a part."""
        self._turn()
        self._parts.append(name)
        try:
            yield
        finally:
            self._turn()
            self._parts.pop()

    @contextmanager
    def during(self, stage: str) -> Iterator[None]:
        """Count the block for a stage."""
        self._turn()
        before, self.stage = self.stage, stage
        try:
            yield
        finally:
            self._turn()
            self.stage = before

    def function(self, name: str, wrapped: Callable[P, T]) -> Callable[P, T]:
        """Return a function that counts its calls for a part."""

        @functools.wraps(wrapped)
        def timed(*args: P.args, **kwargs: P.kwargs) -> T:
            with self.part(name):
                return wrapped(*args, **kwargs)

        return timed

    def generator(self, name: str, wrapped: Callable[P, Iterator[T]]) -> Callable[P, Iterator[T]]:
        """Return a generator function that counts the time until each of its values for a part."""

        @functools.wraps(wrapped)
        def timed(*args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
            values = wrapped(*args, **kwargs)
            while True:
                with self.part(name):
                    value = next(values, _END)
                if value is _END:
                    return
                yield value

        return timed

    def reset(self) -> None:
        """Forget what was counted so far."""
        self.taken.clear()
        self._since = now()

    def record(self) -> list[dict[str, Any]]:
        """Return the effort so far as plain JSON."""
        self._turn()
        return [
            {"stage": stage, "part": part, "wall": effort.wall, "cpu": effort.cpu}
            for (stage, part), effort in self.taken.items()
        ]


class _End:
    """What no generator gives."""


_END: Any = _End()
