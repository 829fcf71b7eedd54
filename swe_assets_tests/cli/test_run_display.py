"""How a run is shown while it goes on: counts of instances, and calls and USD once there are some."""

import io
from pathlib import Path

from swe_assets.cli.run_display import StageBars
from swe_assets.llm.budget import SpendMeter
from swe_assets.llm.prices import PriceList
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.specs import ModelSpec
from swe_assets.llm.spend import SpendLedger
from swe_assets.patch_quality.spent_runs import LiveSpend
from swe_assets.storage.folder_objects import FolderObjects
from swe_assets.storage.stage import Progress

SPEC = ModelSpec("m", "openai", "m", max_tokens=10, price_in=1.0, price_out=10.0)


def test_a_bar_shows_what_was_spent_so_far(tmp_path: Path) -> None:
    """The bar of a stage that calls models names calls, USD and reused answers, as the ledger has them."""
    ledger, stream = SpendLedger(FolderObjects(tmp_path), "run"), io.StringIO()
    meter = SpendMeter(None, PriceList(), ledger=ledger)
    bars = StageBars(stream, LiveSpend(SpendLedger(ledger.objects, "run"), every_s=0).line)
    reserved = meter.admit(SPEC, ChatRequest("s", "u"))
    meter.settle(SPEC, reserved, ChatReply("t", "m", "m", "stop", 1_000_000, 0))
    bars.show(Progress("evaluation_results", 1, done=1))
    assert "done 1, excluded 0, failed 0, 1 calls, USD 1.0000, 0 reused" in stream.getvalue()


def test_a_bar_without_calls_shows_counts_alone(tmp_path: Path) -> None:
    """A stage that calls nothing shows no money."""
    stream = io.StringIO()
    bars = StageBars(stream, LiveSpend(SpendLedger(FolderObjects(tmp_path), "run")).line)
    bars.show(Progress("patches", 2, done=1, failed=1))
    assert "done 1, excluded 0, failed 1]" in stream.getvalue()
    assert "USD" not in stream.getvalue()


def test_the_ledger_is_read_once_a_second_at_most(tmp_path: Path) -> None:
    """Between two readings the line stays as it was, however often it is shown."""
    ledger = SpendLedger(FolderObjects(tmp_path), "run")
    live = LiveSpend(ledger, every_s=3600)
    assert live.line() == ""
    meter = SpendMeter(None, PriceList(), ledger=ledger)
    meter.settle(SPEC, meter.admit(SPEC, ChatRequest("s", "u")), ChatReply("t", "m", "m", "stop", 1, 1))
    assert live.line() == ""
