"""The call store: valid answers by all that shapes them, paid for once, kept whole for audit.

One object an answer, of four lines: the format and the SHA-256 of what follows; the reply; the request; what
is known of the model. An object that does not match its digest counts as none, with a warning. Beside them,
under names that no look-up for an answer finds, lie replies that could not be used and answers put aside.
"""

import hashlib
import json
import logging
import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from swe_assets.errors import RecordError, StoreError
from swe_assets.llm.object_schema import object_schema
from swe_assets.llm.protocol import ChatReply, ChatRequest, Provider, schema_digest
from swe_assets.storage.atomic import to_json
from swe_assets.storage.folder_objects import FolderObjects
from swe_assets.storage.objects import Objects, objects_of

logger = logging.getLogger(__name__)

FORMAT = "swe-assets call 1"
ENDING = ".call"
FAILED, ASIDE = ".failed", ".aside"
_NOT_KEPT = {"value", "stored"}
_REPLY_FIELDS = {part.name for part in fields(ChatReply)} - _NOT_KEPT


@dataclass(frozen=True)
class KeptAnswer:
    """One kept answer with all that is known of its call.

    ``request``: fingerprint, system, user, schema (JSON schema or None), temperature, max_tokens, purpose,
    sample. ``about``: what its writer said of the model, such as provenance and parameters. ``time``: when it
    was kept, ISO 8601 in UTC.
    """

    key: str
    reply: ChatReply
    request: Mapping[str, Any]
    about: Mapping[str, Any]
    time: str


def answer_key(provider: Provider, request: ChatRequest) -> str:
    """Return the sha256 (hex) of all that shapes an answer: model, parameters, prompts, schema, sample.

    The address is the one that is asked, whether the spec names it or it is the service's own; the schema
    counts as pydantic writes it and as it is sent.
    """
    spec = provider.spec
    address = getattr(provider, "address", None) or (spec.base_url or "").rstrip("/")
    form = None
    if request.schema is not None:
        form = [object_schema(request.schema), getattr(provider, "schema_form", 0)]
    named = [spec.provider, spec.model, address]
    shaping = [provider.provenance(), spec.parameters(), named, form, request.fingerprint()]
    return hashlib.sha256(to_json(shaping).encode("utf-8")).hexdigest()


ROOM_BYTES = 32 * 2**20
"""What must be free before a call is sent: a service's longest reply is 8 MiB, and several are under way."""


class CallStore:
    """Answers in a folder or an object store; many threads and processes may share one.

    Every method raises StoreError where the place cannot be read or written.
    """

    def __init__(self, root: Path | Objects) -> None:
        self.objects: Objects = FolderObjects(root) if isinstance(root, Path) else root

    @property
    def place(self) -> str:
        """Return where the answers lie, for messages."""
        return self.objects.place

    def find(self, key: str) -> ChatReply | None:
        """Return the kept answer, marked as stored and without its validated value, or None."""
        lines = self._lines(key)
        return None if lines is None else _reply(lines[1])

    def check_room(self) -> None:
        """Raise StoreError where the disk has no room for the answers that calls under way may bring."""
        if not isinstance(self.objects, FolderObjects):
            return
        folder = next(place for place in (self.objects.root, *self.objects.root.parents) if place.exists())
        free = shutil.disk_usage(folder).free
        if free < ROOM_BYTES:
            raise StoreError(
                f"{free / 2**20:.1f} MiB are free in {self.place!r}, of which paid answers want "
                f"{ROOM_BYTES / 2**20:.0f}: make room, nothing more is asked until then"
            )

    def keep(
        self, key: str, request: ChatRequest, reply: ChatReply, about: Mapping[str, Any] | None = None
    ) -> None:
        """Keep an answer, on disk before this returns; a whole one that is there stays."""
        if self._lines(key) is not None:
            return
        body = _body(key, request, reply, about)
        self.objects.write(_name(key), _head(key, body) + body, durable=True)

    def put_aside(self, key: str) -> None:
        """Move an answer that can no longer be used to a name of its own, for audit."""
        content = self.objects.read(_name(key))
        if content is not None:
            digest = hashlib.sha256(content).hexdigest()[:12]
            self.objects.write(_name(f"{key}-{digest}", ASIDE), content, durable=True)
            self.objects.remove(_name(key))

    def keep_failed(
        self, key: str, request: ChatRequest, reply: ChatReply, about: Mapping[str, Any] | None = None
    ) -> None:
        """Keep a reply that could not be used, for audit alone; ``find`` never gives it."""
        body = _body(key, request, reply, about)
        name = f"{key}-{hashlib.sha256(body).hexdigest()[:12]}"
        self.objects.write(_name(name, FAILED), _head(name, body) + body)

    @contextmanager
    def claim(self, key: str, stop: threading.Event | None = None) -> Iterator[None]:
        """Hold the right to pay for an answer; WaitEndedError where stop is set while another holds it.

        There are 4,096 names, so now and then a call waits for another one; whoever holds one waits for no
        second.
        """
        with self.objects.held(f".claims/{key[:3]}", stop):
            yield

    def keys(self) -> list[str]:
        """Return the keys of all answers, sorted."""
        return self.objects.names("", ENDING)

    def answer(self, key: str) -> KeptAnswer:
        """Return a kept answer with all that is known of its call; RecordError where none is whole."""
        lines = self._lines(key)
        if lines is None:
            raise RecordError(f"no whole answer {key!r} in {self.place!r}: run again what asked for it")
        return _kept(key, lines)

    def answers(self) -> Iterator[KeptAnswer]:
        """Yield all whole answers, by key; one that is put aside meanwhile is left out."""
        return self._all(ENDING)

    def failed(self) -> Iterator[KeptAnswer]:
        """Yield all whole replies that could not be used, by key; ``about`` says by ``failure`` why."""
        return self._all(FAILED)

    def _all(self, ending: str) -> Iterator[KeptAnswer]:
        for name in self.objects.names("", ending):
            if (lines := self._lines(name, ending)) is not None:
                yield _kept(name.partition("-")[0], lines)

    def _lines(self, key: str, ending: str = ENDING) -> list[bytes] | None:
        """Return an answer's lines if it is there and just as it was written."""
        content = self.objects.read(_name(key, ending))
        if content is None:
            return None
        head, _, body = content.partition(b"\n")
        if head + b"\n" != _head(key, body):
            _warn(self.place, _name(key, ending))
            return None
        return [head, *body.split(b"\n")]


def open_call_store(home: Path) -> CallStore:
    """Return the call store that all studies of a home share, or of the place that SWE_ASSETS_STORE names."""
    return CallStore(objects_of(home / "calls", "answers"))


_told: set[tuple[str, str]] = set()
"""The damaged objects that this process has warned of, by place and name."""


def _warn(place: str, name: str) -> None:
    """Say of an object that it is damaged, once in this process however often it is looked at."""
    if (place, name) not in _told:
        _told.add((place, name))
        logger.warning("the kept answer %s in %s is torn or was edited: it is not used", name, place)


def _name(key: str, ending: str = ENDING) -> str:
    return f"{key[:2]}/{key}{ending}"


def _body(key: str, request: ChatRequest, reply: ChatReply, about: Mapping[str, Any] | None) -> bytes:
    """Return the three lines of a call."""
    told = {"key": key, "time": datetime.now(UTC).isoformat(timespec="milliseconds"), **(about or {})}
    said = {name: getattr(reply, name) for name in _REPLY_FIELDS}
    return "".join(f"{to_json(part)}\n" for part in (said, _as_asked(request), told)).encode("utf-8")


def _kept(key: str, lines: list[bytes]) -> KeptAnswer:
    """Return what an answer's lines hold."""
    request, told = json.loads(lines[2]), json.loads(lines[3])
    return KeptAnswer(key, _reply(lines[1]), request, told, str(told["time"]))


def _head(key: str, body: bytes) -> bytes:
    """Return the first line, which only this body under this key can have."""
    return f"{FORMAT} {hashlib.sha256(key.encode() + body).hexdigest()}\n".encode()


def _as_asked(request: ChatRequest) -> dict[str, Any]:
    """Return a request as it is kept: all its fields, its schema written out."""
    schema = request.schema
    written = None if schema is None else {"digest": schema_digest(schema), **schema.model_json_schema()}
    plain = {part.name: getattr(request, part.name) for part in fields(request) if part.name != "schema"}
    return {"fingerprint": request.fingerprint(), **plain, "schema": written}


def _reply(line: bytes) -> ChatReply:
    said = json.loads(line)
    return ChatReply(**{**said, "notes": tuple(said["notes"])}, stored=True)
