"""Summaries: unpartitioned assets made from all current records, with staleness by data version.

Dagster does not trace staleness through an edge of 100 or more upstream partitions, so the data versions
of all upstream records are compared here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic

from swe_assets.storage.records import Basis, Record, digest
from swe_assets.storage.stage import B

ALL = "all"


@dataclass(frozen=True)
class Summary(Generic[B]):
    """One unpartitioned asset: what it hangs on and how it is made.

    ``paid``: whether it calls models. ``unfinished`` says why it is to be made again though nothing changed,
    such as calls that failed; an empty text where it is not.
    """

    name: str
    code: str
    make: Callable[[B], Mapping[str, Any]]
    partitioned: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    settings: Callable[[B], str] = lambda _bench: ""
    source: Callable[[B], str] = lambda _bench: ""
    files: tuple[str, ...] = ()
    paid: bool = False
    unfinished: Callable[[B], str] = lambda _bench: ""


def summary_basis(summary: Summary[B], bench: B) -> Basis:
    """Return what the summary would be made from now."""
    inputs: dict[str, str] = {}
    for name in summary.partitioned:
        headers = bench.store.headers(name, bench.instances)
        inputs[name] = digest(*(f"{i}={h.data_version}" for i, h in headers.items()))
    for name in summary.summaries:
        header = bench.store.header(name, ALL)
        inputs[name] = header.data_version if header is not None else "missing"
    return Basis(
        summary.code, summary.settings(bench), digest(summary.source(bench), *bench.instances), inputs
    )


def summary_reasons(summary: Summary[B], bench: B) -> list[str]:
    """Return why the summary must be made again; an empty list means it is current."""
    header = bench.store.header(summary.name, ALL)
    if header is None:
        return ["missing"]
    gone = [name for name in summary.files if not (bench.results / name).exists()]
    changed = summary_basis(summary, bench).differences(header.basis)
    again = summary.unfinished(bench)
    return [*changed, *(f"{name} is gone" for name in gone), *([again] if again else [])]


def make_summary(summary: Summary[B], bench: B) -> Record:
    """Make and store the summary."""
    basis = summary_basis(summary, bench)
    record = Record(summary.name, ALL, summary.make(bench), basis)
    bench.store.write(record)
    return record
