"""The money of one run of a study: its budget, the ledger that all its processes share, and what is told."""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import dagster as dg

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.max_cost import allowed_usd
from swe_assets.storage.objects import Objects, objects_of

if TYPE_CHECKING:
    from swe_assets.llm.budget import SpendMeter
    from swe_assets.llm.specs import ModelSpec
    from swe_assets.llm.spend import Spend, SpendLedger

RUN_TAG = "swe_assets/spend_run"
MAX_TAG = "swe_assets/max_cost"
BACKFILL_TAG = "dagster/backfill"


@dataclass(frozen=True)
class Spending:
    """The name of a run in the ledger and the most USD that it may spend, None where nothing bounds it."""

    run: str
    max_usd: float | None = None

    @property
    def tags(self) -> dict[str, str]:
        """Return the tags by which every Dagster run that belongs to it knows."""
        bound = {} if self.max_usd is None else {MAX_TAG: repr(self.max_usd)}
        return {RUN_TAG: self.run, **bound}


def new_spending(bench: PatchBench, said: float | None) -> Spending:
    """Return the spending of a run that begins now; ConfigurationError for an amount that is none."""
    name = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
    return Spending(name, allowed_usd(said, bench.study.max_cost))


def spending_of_run(
    tags: Mapping[str, str], run_id: str, said: float | None, pinned: float | None
) -> Spending:
    """Return the spending that a Dagster run belongs to: our command line's, its backfill's, or its own."""
    if RUN_TAG in tags:
        return Spending(tags[RUN_TAG], float(tags[MAX_TAG]) if MAX_TAG in tags else None)
    return Spending(tags.get(BACKFILL_TAG, run_id), allowed_usd(said, pinned))


def ledger_of(bench: PatchBench, run: str) -> "SpendLedger":
    """Return a run's ledger."""
    from swe_assets.llm.spend import SpendLedger

    return SpendLedger(spend_objects(bench), run)


def spend_objects(bench: PatchBench) -> Objects:
    """Return where a study's spending is kept, beside its records."""
    return objects_of(bench.study.path, "spend")


def asked_specs(bench: PatchBench) -> "list[ModelSpec]":
    """Return the settings of the study's judges that call a service."""
    from swe_assets.llm.prices import spec_of

    found = (spec_of(model) for model in bench.planned_models.values() if not model.rehearsal)
    return [spec for spec in found if spec is not None]


def check_prices(bench: PatchBench, max_usd: float | None) -> None:
    """Raise ConfigurationError where a limit is set and the price of one of the judges is not known."""
    from swe_assets.llm.budget import SpendMeter
    from swe_assets.llm.prices import PriceList

    meter = SpendMeter(max_usd, PriceList())
    for spec in asked_specs(bench):
        meter.check(spec)


@contextmanager
def metered(context: dg.AssetExecutionContext, bench: PatchBench, said: float | None) -> Iterator[None]:
    """Count and bound the model calls made inside, and log what they came to as the asset's observation.

    Raises ConfigurationError where there is a limit and a price is not known.
    """
    spending = spending_of_run(context.run.tags, context.run.run_id, said, bench.study.max_cost)
    meter = open_meter(bench, spending)
    for spec in asked_specs(bench):
        meter.check(spec)
    try:
        yield
    finally:
        meter.close()
        if meter.spent.calls or meter.spent.reused:
            told = metadata_of(bench, spending, meter.spent)
            context.log_event(dg.AssetObservation(asset_key=context.asset_key, metadata=told))


def open_meter(bench: PatchBench, spending: Spending) -> "SpendMeter":
    """Give the bench its meter, on the run's ledger, and return it."""
    from swe_assets.llm.budget import SpendMeter
    from swe_assets.llm.prices import PriceList

    meter = SpendMeter(spending.max_usd, PriceList(), ledger=ledger_of(bench, spending.run))
    bench.meter = meter
    meter.stop_with(bench.call_services.stop)
    return meter


def metadata_of(bench: PatchBench, spending: Spending, spent: "Spend") -> dict[str, Any]:
    """Return what the UI shows of a stage's calls in one run, and of the whole run so far."""
    from swe_assets.llm.prices import listing_name

    whole = ledger_of(bench, spending.run).all()
    bound = {} if spending.max_usd is None else {"max_cost_usd": spending.max_usd}
    counts = {name: value for name, value in spent.record().items() if name not in ("usd", "reserved_usd")}
    return {
        **counts,
        "cost_usd": spent.usd,
        "run_cost_usd": whole.usd,
        **bound,
        "spend_run": spending.run,
        "price_list": listing_name(),
    }
