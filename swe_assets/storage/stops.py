"""Why instances were not tried: a stage's stop, noted for whoever asks, and no failure of any of them.

One object an asset, which says the reason by instance. Planning does not read it: the next run tries these
instances as it would have, and takes them out of the note as it begins.
"""

import json
from collections.abc import Iterable

from swe_assets.storage.atomic import to_json
from swe_assets.storage.records import InstanceStore


def stops(store: InstanceStore, asset: str) -> dict[str, str]:
    """Return by instance why it was not tried when a stage last stopped; a torn note counts as none."""
    try:
        noted = json.loads(store.objects.read(_name(asset)) or b"{}")
    except ValueError:
        return {}
    return {str(i): str(why) for i, why in noted.items()} if isinstance(noted, dict) else {}


def note_stop(store: InstanceStore, asset: str, ids: Iterable[str], reason: str) -> None:
    """Note that these instances were not tried, and why; what is noted of others stays.

    Raises StoreError where it cannot be written.
    """
    with store.objects.held(_turn(asset)):
        noted = stops(store, asset) | dict.fromkeys(ids, reason)
        store.objects.write(_name(asset), to_json(noted).encode())


def forget_stop(store: InstanceStore, asset: str, ids: Iterable[str]) -> None:
    """Take instances that are to be tried now out of the note, and the note away once it is empty."""
    if not stops(store, asset):
        return
    with store.objects.held(_turn(asset)):
        tried = set(ids)
        left = {i: why for i, why in stops(store, asset).items() if i not in tried}
        if left:
            store.objects.write(_name(asset), to_json(left).encode())
        else:
            store.objects.remove(_name(asset))


def _name(asset: str) -> str:
    return f".stops/{asset}.json"


def _turn(asset: str) -> str:
    return f".claims/stops-{asset}"
