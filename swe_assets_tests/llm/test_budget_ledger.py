"""The ledger of a budget: few writes for many threads, and none whose failure costs an answer."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from swe_assets.errors import StoreError
from swe_assets.llm.budget import SpendMeter
from swe_assets.llm.call_store import CallStore
from swe_assets.llm.called_model import CalledModel, CallServices
from swe_assets.llm.outcomes import CallsCancelledError
from swe_assets.llm.prices import PriceList
from swe_assets.llm.protocol import ChatRequest
from swe_assets.llm.spend import Spend, SpendLedger
from swe_assets.storage.folder_objects import FolderObjects
from swe_assets_tests.http_stub import Served
from swe_assets_tests.llm.paid_calls import Word, counting, echoed
from swe_assets_tests.llm.test_budget import MOST, REQUEST, SPEC, reply


class Store(FolderObjects):
    """A folder whose writes take a while, are counted, and fail while ``broken``."""

    def __init__(self, root: Path, seconds: float = 0.0) -> None:
        super().__init__(root)
        self.seconds, self.writes, self.broken = seconds, 0, False

    def write(self, name: str, content: bytes, *, durable: bool = False) -> None:
        """Write a file, or raise as a full disk does."""
        if self.broken:
            raise StoreError("the disk is full")
        self.writes += 1
        time.sleep(self.seconds)
        super().write(name, content, durable=durable)


def meter(store: Store, max_usd: float | None = 1.0, stop: threading.Event | None = None) -> SpendMeter:
    """Return a meter with a ledger in the store."""
    return SpendMeter(max_usd, PriceList(), ledger=SpendLedger(store, "run"), stop=stop)


def test_a_failed_account_takes_no_answer_away(tmp_path: Path) -> None:
    """An answer whose cost cannot be written is kept, and the next call is refused until it can be."""
    store = Store(tmp_path / "spend")

    def last(asked: dict[str, Any], number: int) -> Served:
        store.broken = True
        return echoed(asked, number)

    with counting(last) as service:
        services = CallServices(CallStore(tmp_path / "calls"), meter(store))
        model = CalledModel(service.provider(price_in=1.0, price_out=1.0, max_tokens=9), services)
        model.complete(ChatRequest("s", "a", schema=Word))
        with pytest.raises(StoreError, match="disk is full"):
            model.complete(ChatRequest("s", "b", schema=Word))
        store.broken = False
        assert model.complete(ChatRequest("s", "a", schema=Word)).stored
    assert service.counts == {"a": 1}


def test_a_reservation_that_cannot_be_written_is_undone(tmp_path: Path) -> None:
    """Where the ledger fails at an admission nothing stays reserved."""
    store = Store(tmp_path)
    counted, store.broken = meter(store), True
    for _ in range(200):
        with pytest.raises(StoreError):
            counted.admit(SPEC, REQUEST)
    assert counted.spent == Spend()
    store.broken = False
    assert counted.admit(SPEC, REQUEST) == pytest.approx(MOST)


@pytest.mark.parametrize("max_usd", [None, 5.0])
def test_threads_share_writes(tmp_path: Path, max_usd: float | None) -> None:
    """Sixteen threads with ten calls each, on a store of 20 ms a write, write far less than 320 times."""
    store = Store(tmp_path, 0.02)
    counted = meter(store, max_usd)

    def calls(_number: int) -> None:
        for _ in range(10):
            counted.settle(SPEC, counted.admit(SPEC, REQUEST), reply(1_000, 100))

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(calls, range(16)))
    assert store.writes < 120
    assert SpendLedger(store, "run").all() == counted.spent
    assert counted.spent.calls == 160


def test_a_stop_ends_the_wait_for_another_process(tmp_path: Path) -> None:
    """While another process holds the budget's turn, a stop ends a call's wait for it at once."""
    store, stop = Store(tmp_path), threading.Event()
    counted = meter(store, stop=stop)
    with SpendLedger(store, "run").held():
        threading.Timer(0.2, stop.set).start()
        started = time.monotonic()
        with pytest.raises(CallsCancelledError, match="interrupted"):
            counted.admit(SPEC, REQUEST)
    assert time.monotonic() - started < 5
    assert counted.spent == Spend()
