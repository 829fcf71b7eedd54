"""What calls cost, counted; and the file that still says so after the process is gone."""

import json
import math
import os
import secrets
import socket
import threading
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, fields
from typing import Any

from swe_assets.storage.objects import Objects


@dataclass(frozen=True)
class Spend:
    """Counts of calls and what they cost.

    ``calls``: attempts that a service served; ``reused``: answers of the call store, which cost nothing.
    ``usd`` is of calls whose price is known; ``unpriced_calls`` are not in it. ``estimated_calls``: those
    whose usage the service did not tell, counted at what was reserved for them. ``reserved_usd``: for calls
    under way, or cut off when their process was killed.
    """

    calls: int = 0
    reused: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0
    unpriced_calls: int = 0
    estimated_calls: int = 0
    reserved_usd: float = 0.0

    def __add__(self, other: "Spend") -> "Spend":
        """Return both together."""
        return Spend(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Spend)))

    @property
    def most_usd(self) -> float:
        """Return what may have been spent at most: what is known, and what was reserved and not settled."""
        return self.usd + self.reserved_usd

    def record(self) -> dict[str, Any]:
        """Return the counts as JSON holds them."""
        return asdict(self)

    def line(self) -> str:
        """Return the counts in a few words: calls, USD, what was reused and what is not known."""
        paid = f"USD {self.usd:.4f}" if self.usd or not self.unpriced_calls else "USD unknown"
        words = [f"{self.calls} calls", paid]
        if self.unpriced_calls and self.usd:
            words.append(f"{self.unpriced_calls} of unknown price")
        if self.estimated_calls:
            words.append(f"{self.estimated_calls} estimated")
        return ", ".join([*words, f"{self.reused} reused"])


def spend_of(record: Any) -> Spend | None:
    """Return the counts in a JSON value, or None where it holds none."""
    if not isinstance(record, dict):
        return None
    values = {f.name: record.get(f.name, f.default) for f in fields(Spend)}
    sound = all(_is_count(value) for value in values.values())
    return Spend(**values) if sound else None


def _is_count(value: object) -> bool:
    """Return whether a JSON value is a finite number, 0 or more."""
    return isinstance(value, int | float) and type(value) is not bool and 0 <= value < math.inf


class SpendLedger:
    """The spending of one run, one object a process; all processes of the run see each other's.

    Nothing but its own process writes an object, and each write replaces it whole, so that a killed process
    leaves what it had spent and reserved.
    """

    def __init__(self, objects: Objects, run: str) -> None:
        self.objects, self.run = objects, run
        self.mine = f"{socket.gethostname()[:40]}-{os.getpid()}-{secrets.token_hex(4)}"

    def held(self, stop: threading.Event | None = None) -> AbstractContextManager[None]:
        """Hold the run's budget against its other processes; WaitEndedError where stop is set meanwhile."""
        return self.objects.held(f"{self.run}/turn", stop)

    def write(self, models: dict[str, Spend]) -> None:
        """Write what this process has spent, by model."""
        told = {"run": self.run, "models": {name: spend.record() for name, spend in models.items()}}
        self.objects.write(self._name(self.mine), json.dumps(told).encode())

    def others(self) -> Spend:
        """Return what the run's other processes have spent and reserved."""
        return self._read(name for name in self._processes() if name != self.mine)

    def all(self) -> Spend:
        """Return what the whole run has spent and reserved."""
        return self._read(self._processes())

    def _processes(self) -> list[str]:
        return self.objects.names(self.run, ".json")

    def _read(self, processes: Iterable[str]) -> Spend:
        return total(spend for name in processes for spend in spends_in(self.objects.read(self._name(name))))

    def _name(self, process: str) -> str:
        return f"{self.run}/processes/{process}.json"


def spends_in(content: bytes | None) -> list[Spend]:
    """Return the counts of one process's object, empty where it is damaged or gone."""
    try:
        told = json.loads(content or b"{}")
        models = told.get("models", {}).values()
    except (ValueError, AttributeError):
        return []
    return [spend for spend in map(spend_of, models) if spend is not None]


def total(spends: Iterable[Spend]) -> Spend:
    """Return the sum of counts."""
    return sum(spends, Spend())


def alone() -> AbstractContextManager[None]:
    """Hold nothing: there is no other process."""
    return nullcontext()
