"""The per-instance store: one small file for each asset and instance, whole or not there.

A file has two lines of JSON: a header (status, reason, versions, what it was made from) and the
payload. Planning reads headers alone. The data version is the SHA-256 of status, reason and payload,
so a record that comes out the same leaves everything downstream as it is.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from swe_assets.errors import RecordError, StoreError
from swe_assets.storage.atomic import remove, to_json, write_bytes
from swe_assets.storage.locks import locked

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
    """One asset of one instance: ok or excluded (with a reason), its payload and its basis."""

    asset: str
    instance_id: str
    payload: Mapping[str, Any]
    basis: Basis
    status: str = OK
    reason: str = ""

    @property
    def data_version(self) -> str:
        """Return the digest of status, reason and payload."""
        return digest(self.status, self.reason, to_json(self.payload))

    @property
    def header(self) -> Header:
        """Return the record without its payload."""
        return Header(self.asset, self.instance_id, self.status, self.reason, self.data_version, self.basis)


class InstanceStore:
    """The records of one study, in folders by asset and repository."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def place(self) -> str:
        """Return where the records lie, for messages."""
        return str(self.root)

    def note(self, name: str) -> str | None:
        """Return a note about the store as a whole, or None where there is none."""
        try:
            return (self.root / name).read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None

    def write_note(self, name: str, text: str) -> None:
        """Note something about the store as a whole."""
        write_bytes(self.root / name, text.encode("utf-8"))

    def path(self, asset: str, instance_id: str) -> Path:
        """Return where a record lies; ids were checked to be plain file names when they were pinned."""
        if "/" in instance_id or "\0" in instance_id or instance_id.startswith("."):
            raise StoreError(f"not a usable instance id: {instance_id!r}")
        folder = instance_id.rpartition("-")[0] or "_"
        return self.root / asset / folder / f"{instance_id}.json"

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
        path = self.path(record.asset, record.instance_id)
        write_bytes(path, text.encode("utf-8"), durable=durable)
        remove(self.failure_path(record.asset, record.instance_id))

    def header(self, asset: str, instance_id: str) -> Header | None:
        """Return a record's header, or None where there is no readable record."""
        path = self.path(asset, instance_id)
        try:
            with path.open("rb") as stream:
                return _header(stream.readline())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as wrong:
            raise StoreError(f"cannot read the record {str(path)!r}: {wrong.strerror or wrong}") from wrong

    def headers(self, asset: str, instance_ids: Iterable[str]) -> dict[str, Header]:
        """Return the headers of those instances that have a record."""
        found = ((i, self.header(asset, i)) for i in instance_ids)
        return {i: header for i, header in found if header is not None}

    def read(self, asset: str, instance_id: str) -> Record | None:
        """Return a record, or None where there is none or its file is torn."""
        try:
            head, _, rest = self.path(asset, instance_id).read_bytes().partition(b"\n")
        except (FileNotFoundError, NotADirectoryError):
            return None
        header = _header(head)
        try:
            payload = json.loads(rest)
        except ValueError:
            return None
        if header is None or not isinstance(payload, dict):
            return None
        record = Record(asset, instance_id, payload, header.basis, header.status, header.reason)
        return record if record.data_version == header.data_version else None

    def records(self, asset: str, instance_ids: Iterable[str]) -> Iterator[Record]:
        """Yield the records of those instances that have one, in the order given."""
        for instance_id in instance_ids:
            record = self.read(asset, instance_id)
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
        remove(self.path(asset, instance_id))

    def failure_path(self, asset: str, instance_id: str) -> Path:
        """Return where the reason of a failed attempt is noted."""
        return self.path(asset, instance_id).with_suffix(".failed")

    def write_failure(self, asset: str, instance_id: str, reason: str) -> None:
        """Note why an attempt failed; an older record stays."""
        text = to_json({"instance_id": instance_id, "reason": reason})
        write_bytes(self.failure_path(asset, instance_id), text.encode("utf-8"))

    def failure(self, asset: str, instance_id: str) -> str | None:
        """Return why the last attempt failed, or None."""
        try:
            noted = json.loads(self.failure_path(asset, instance_id).read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except ValueError:
            return "failed; the note of the reason is torn"
        return str(noted["reason"]) if isinstance(noted, dict) and "reason" in noted else "failed"

    def failures(self, asset: str) -> dict[str, str]:
        """Return the reasons of an asset's noted failures by instance id, from one look at its folders."""
        notes = sorted((self.root / asset).glob("*/*.failed"))
        ids = (path.name.removesuffix(".failed") for path in notes)
        return {i: reason for i in ids if (reason := self.failure(asset, i)) is not None}

    @contextmanager
    def claim(self, asset: str, instance_id: str) -> Iterator[None]:
        """Hold the right to make one record, so that two runs never pay for the same call."""
        with locked(self.root / ".claims" / f"{asset}-{digest(instance_id)[:2]}"):
            yield


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
