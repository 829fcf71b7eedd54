"""Files written alongside the records: made again exactly when the records they show have changed."""

import json

from swe_assets.storage.atomic import to_json
from swe_assets.storage.records import digest
from swe_assets.storage.stage import B, Stage

STAMPS = "stamps.json"


def records_digest(stage: Stage[B], bench: B) -> str:
    """Return the digest of a stage's current records and failures."""
    headers = bench.store.headers(stage.name, bench.instances)
    failures = bench.store.failures(stage.name)
    versions = [f"{i}={header.data_version}" for i, header in headers.items()]
    return digest(*bench.instances, *versions, *(f"{i}!{why}" for i, why in failures.items()))


def read_stamps(bench: B) -> dict[str, str]:
    """Return what was last exported or checked, by name; empty where nothing was."""
    try:
        found = json.loads(bench.store.note(STAMPS) or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def write_stamp(bench: B, name: str, stamp: str) -> None:
    """Note that name was done for the records that stamp is the digest of."""
    bench.store.write_note(STAMPS, to_json({**read_stamps(bench), name: stamp}))


def export_if_changed(stage: Stage[B], bench: B) -> bool:
    """Write the stage's files unless they are there and show the current records; return whether it wrote.

    Concurrent runs take turns, so that no older file can end under a newer stamp.
    """
    with bench.store.exports_turn():
        stamp = records_digest(stage, bench)
        there = all((bench.results / name).exists() for name in stage.files)
        if there and read_stamps(bench).get(stage.name) == stamp:
            return False
        stage.export(bench)
        write_stamp(bench, stage.name, stamp)
        return True
