"""Command-line runs and what each has spent, kept so that it is known of a killed one too."""

import json
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.spending import Spending, asked_specs, ledger_of, spend_objects
from swe_assets.storage.objects import Objects

if TYPE_CHECKING:
    from swe_assets.llm.spend import Spend, SpendLedger

RUNS = "runs"


def begin_run(bench: PatchBench, spending: Spending) -> list[str]:
    """Note a command-line run and return, for each earlier one that was killed, what it had spent.

    A run whose judges only rehearse leaves no note.
    """
    if not asked_specs(bench):
        return []
    objects, told = spend_objects(bench), []
    for name in objects.names(RUNS, ".json"):
        note = _note(objects, name)
        if note.get("ended") is None:
            spent = ledger_of(bench, name).all()
            _write(objects, name, {**note, "ended": "killed", "spent": spent.record()})
            if spent.calls or spent.reserved_usd:
                told.append(_killed(name, spent))
    _write(objects, spending.run, {"started": _now(), "max_usd": spending.max_usd, "ended": None})
    return told


def end_run(bench: PatchBench, spending: Spending) -> "Spend":
    """Note that a run came to its end, however it did, and return what it spent."""
    from swe_assets.llm.prices import listing_name

    objects, spent = spend_objects(bench), ledger_of(bench, spending.run).all()
    if not asked_specs(bench):
        return spent
    note = {**_note(objects, spending.run), "ended": _now(), "prices": listing_name()}
    _write(objects, spending.run, {**note, "spent": spent.record()})
    return spent


def _killed(name: str, spent: "Spend") -> str:
    """Say what a killed run had spent."""
    cut = f", and at most USD {spent.reserved_usd:.4f} for calls cut off" if spent.reserved_usd else ""
    return f"run {name} was killed: it had spent {spent.line()}{cut}"


def _note(objects: Objects, name: str) -> dict[str, Any]:
    try:
        found = json.loads(objects.read(_place(name)) or b"{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _write(objects: Objects, name: str, note: Mapping[str, Any]) -> None:
    objects.write(_place(name), json.dumps(dict(note)).encode())


def _place(name: str) -> str:
    return f"{RUNS}/all/{name}.json"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class LiveSpend:
    """The whole run's spending as it goes on, read again at most once a second."""

    def __init__(self, ledger: "SpendLedger", every_s: float = 1.0) -> None:
        self._ledger, self._every_s = ledger, every_s
        self._line, self._next = "", 0.0

    def line(self) -> str:
        """Return calls, USD and reused answers in words, empty where there is none yet."""
        if time.monotonic() >= self._next:
            spent = self._ledger.all()
            self._line = spent.line() if spent.calls or spent.reused else ""
            self._next = time.monotonic() + self._every_s
        return self._line
