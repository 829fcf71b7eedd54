"""The per-instance store: one small object for each asset and instance, whole or not there.

An object has two lines of JSON: a header (status, reason, versions, what it was made from) and the
payload. Planning reads headers alone. The data version is the SHA-256 of status, reason and payload,
so a record that comes out the same leaves everything downstream as it is.
"""

import hashlib
import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from swe_assets.errors import RecordError, StoreError
from swe_assets.storage.atomic import to_json
from swe_assets.storage.folder_objects import FolderObjects
from swe_assets.storage.objects import Objects

RECORD, FAILURE = ".json", ".failed"
FEW = 1000
OK = "ok"
EXCLUDED = "excluded"


def digest(*parts: str) -> str:
    """Return a short, stable hexadecimal digest of the parts (SHA-256, first 16 bytes)."""
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:32]


@dataclass(frozen=True)
class Basis:
    """What a record was made from; two records of one instance with equal bases hold the same work."""

    code: str
    settings: str = ""
    source: str = ""
    inputs: Mapping[str, str] = field(default_factory=dict)

    def differences(self, other: "Basis") -> list[str]:
        """Name what changed from other (older) to this one, in words for a plan."""
        found = [
            f"{what} changed"
            for what, new, old in (
                ("code", self.code, other.code),
                ("settings", self.settings, other.settings),
                ("source", self.source, other.source),
            )
            if new != old
        ]
        keys = sorted({*self.inputs, *other.inputs})
        return found + [f"{key} changed" for key in keys if self.inputs.get(key) != other.inputs.get(key)]

    def as_dict(self) -> dict[str, Any]:
        """Return the basis as JSON-ready values."""
        return {
            "code": self.code,
            "settings": self.settings,
            "source": self.source,
            "inputs": dict(self.inputs),
        }


@dataclass(frozen=True)
class Header:
    """The first line of a stored record: all that planning needs."""

    asset: str
    instance_id: str
    status: str
    reason: str
    data_version: str
    basis: Basis


@dataclass(frozen=True)
class Record:
    """One asset of one instance: ok or excluded (with a reason), its payload and its basis.

    ``told`` is what its maker says of the making; it is neither stored nor part of the data version.
    """

    asset: str
    instance_id: str
    payload: Mapping[str, Any]
    basis: Basis
    status: str = OK
    reason: str = ""
    told: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def data_version(self) -> str:
        """Return the digest of status, reason and payload."""
        return digest(self.status, self.reason, to_json(self.payload))

    @property
    def header(self) -> Header:
        """Return the record without its payload."""
        return Header(self.asset, self.instance_id, self.status, self.reason, self.data_version, self.basis)


class InstanceStore:
    """The records of one study, in folders by asset and repository, as files or in an object store."""

    def __init__(self, root: Path | Objects) -> None:
        self.objects: Objects = FolderObjects(root) if isinstance(root, Path) else root

    @property
    def place(self) -> str:
        """Return where the records lie, for messages."""
        return self.objects.place

    def note(self, name: str) -> str | None:
        """Return a note about the store as a whole, or None where there is none."""
        found = self.objects.read(name)
        return None if found is None else found.decode("utf-8", "replace")

    def write_note(self, name: str, text: str) -> None:
        """Note something about the store as a whole."""
        self.objects.write(name, text.encode("utf-8"))

    def path(self, asset: str, instance_id: str) -> Path:
        """Return where a record lies below the place, which is a path for files alone."""
        return Path(self.place) / record_name(asset, instance_id)

    def write(self, record: Record, *, durable: bool = False) -> None:
        """Store a record and forget a failure noted before."""
        header = {
            "asset": record.asset,
            "instance_id": record.instance_id,
            "status": record.status,
            "reason": record.reason,
            "data_version": record.data_version,
            "basis": record.basis.as_dict(),
        }
        text = f"{to_json(header)}\n{to_json(record.payload)}\n"
        name = record_name(record.asset, record.instance_id)
        self.objects.write(name, text.encode("utf-8"), durable=durable)
        self.objects.remove(failure_name(record.asset, record.instance_id))

    def header(self, asset: str, instance_id: str) -> Header | None:
        """Return a record's header, or None where there is no readable record."""
        return self.headers(asset, [instance_id]).get(instance_id)

    def headers(self, asset: str, instance_ids: Iterable[str]) -> dict[str, Header]:
        """Return the headers of those instances that have a record."""
        ids = list(instance_ids)
        lines = self.objects.first_lines([record_name(asset, i) for i in ids])
        found = ((i, _header(line)) for i, line in zip(ids, lines, strict=True) if line is not None)
        return {i: header for i, header in found if header is not None}

    def any(self, asset: str) -> bool:
        """Return whether an asset has any record or noted failure."""
        return self.objects.any(asset)

    def ids(self, asset: str) -> list[str]:
        """Return the ids of all records of an asset, also of instances that are no longer pinned."""
        return self.objects.names(asset, RECORD)

    def read(self, asset: str, instance_id: str) -> Record | None:
        """Return a record, or None where there is none or it is torn."""
        return _record(asset, instance_id, self.objects.read(record_name(asset, instance_id)))

    def records(self, asset: str, instance_ids: Iterable[str]) -> Iterator[Record]:
        """Yield the records of those instances that have one, in the order given."""
        ids = list(instance_ids)
        contents = self.objects.read_many([record_name(asset, i) for i in ids])
        for instance_id, content in zip(ids, contents, strict=True):
            record = _record(asset, instance_id, content)
            if record is not None:
                yield record

    def need(self, asset: str, instance_id: str) -> Record:
        """Return a record that must be there; RecordError says what to run where it is not.

        A damaged file is taken away, so that its instance counts as missing and is made again.
        """
        record = self.read(asset, instance_id)
        if record is None:
            self.discard(asset, instance_id)
            raise RecordError(f"{asset} of {instance_id!r} is missing or was damaged: run {asset} again")
        return record

    def discard(self, asset: str, instance_id: str) -> None:
        """Take away a record that cannot be used."""
        self.objects.remove(record_name(asset, instance_id))

    def failure_path(self, asset: str, instance_id: str) -> Path:
        """Return where the reason of a failed attempt is noted, which is a path for files alone."""
        return Path(self.place) / failure_name(asset, instance_id)

    def write_failure(self, asset: str, instance_id: str, reason: str) -> None:
        """Note why an attempt failed; an older record stays."""
        text = to_json({"instance_id": instance_id, "reason": reason})
        self.objects.write(failure_name(asset, instance_id), text.encode("utf-8"))

    def failure(self, asset: str, instance_id: str) -> str | None:
        """Return why the last attempt failed, or None."""
        return _reason(self.objects.read(failure_name(asset, instance_id)))

    def failures(self, asset: str, instance_ids: Sequence[str] | None = None) -> dict[str, str]:
        """Return the reasons of an asset's noted failures by instance id, sorted; of some ids where given.

        All notes are found by one look at the asset's folders, those of few ids by a look for each.
        """
        few = instance_ids is not None and len(instance_ids) <= FEW
        ids = sorted(instance_ids or ()) if few else self.objects.names(asset, FAILURE)
        notes = self.objects.read_many([failure_name(asset, i) for i in ids])
        return {i: why for i, note in zip(ids, notes, strict=True) if (why := _reason(note)) is not None}

    @contextmanager
    def claim(self, asset: str, instance_id: str, stop: threading.Event | None = None) -> Iterator[None]:
        """Hold the right to make one record, so that two runs or threads never pay for the same call.

        There are 4,096 names an asset: whoever holds one waits for no second, and two instances that share
        one are made one after the other. WaitEndedError where stop is set while another holds it.
        """
        with self.objects.held(f".claims/{asset}-{digest(instance_id)[:3]}", stop):
            yield

    @contextmanager
    def exports_turn(self) -> Iterator[None]:
        """Hold the turn to write files from the records."""
        with self.objects.held(".exports.lock"):
            yield


def record_name(asset: str, instance_id: str) -> str:
    """Return a record's name in the store; ids were checked to be plain file names when they were pinned."""
    return _name(asset, instance_id, RECORD)


def failure_name(asset: str, instance_id: str) -> str:
    """Return the name of the note of a failed attempt."""
    return _name(asset, instance_id, FAILURE)


def _name(asset: str, instance_id: str, ending: str) -> str:
    if "/" in instance_id or "\0" in instance_id or instance_id.startswith("."):
        raise StoreError(f"not a usable instance id: {instance_id!r}")
    return f"{asset}/{instance_id.rpartition('-')[0] or '_'}/{instance_id}{ending}"


def _record(asset: str, instance_id: str, content: bytes | None) -> Record | None:
    head, _, rest = (content or b"").partition(b"\n")
    header = _header(head)
    try:
        payload = json.loads(rest)
    except ValueError:
        return None
    if header is None or not isinstance(payload, dict):
        return None
    record = Record(asset, instance_id, payload, header.basis, header.status, header.reason)
    return record if record.data_version == header.data_version else None


def _reason(note: bytes | None) -> str | None:
    if note is None:
        return None
    try:
        noted = json.loads(note)
    except ValueError:
        return "failed; the note of the reason is torn"
    return str(noted["reason"]) if isinstance(noted, dict) and "reason" in noted else "failed"


def _header(line: bytes) -> Header | None:
    try:
        raw = json.loads(line)
        basis = raw["basis"]
        return Header(
            raw["asset"],
            raw["instance_id"],
            raw["status"],
            raw["reason"],
            raw["data_version"],
            Basis(basis["code"], basis["settings"], basis["source"], basis["inputs"]),
        )
    except (ValueError, KeyError, TypeError):
        return None
