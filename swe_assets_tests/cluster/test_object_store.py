"""Records, contents and claims on a real server of the S3 protocol."""

import threading
import time
from itertools import count

import pytest

from swe_assets.errors import RecordError, StoreError
from swe_assets.storage.blobs import BlobStore
from swe_assets.storage.claims import Patience, held
from swe_assets.storage.fsspec_objects import FsspecObjects
from swe_assets.storage.records import EXCLUDED, Basis, InstanceStore, Record
from swe_assets_tests.cluster.s3_server import BUCKET, S3
from swe_assets_tests.http_stub import Served, serving

_fresh = count()


@pytest.fixture
def objects(s3_access: S3) -> FsspecObjects:
    """Give an empty prefix of the bucket."""
    return FsspecObjects(f"s3://{BUCKET}/test{next(_fresh)}")


@pytest.fixture
def store(objects: FsspecObjects) -> InstanceStore:
    """Give an empty store of records."""
    return InstanceStore(objects)


def record(instance_id: str, text: str = "x") -> Record:
    """Return a record with a payload."""
    return Record("first", instance_id, {"text": text}, Basis("1", inputs={"above": "v"}))


def test_round_trip(store: InstanceStore) -> None:
    """A record is read as it was written, with hostile text and a payload beyond one range."""
    written = record("a__b-1", "é\ud800\0" * 50_000)
    store.write(written)
    assert store.read("first", "a__b-1") == written
    assert store.header("first", "a__b-1") == written.header
    assert store.read("first", "a__b-2") is None


def test_order_and_gaps(store: InstanceStore) -> None:
    """Many ids come in the order asked for, those without a record left out, in more than one batch."""
    ids = [f"a__b-{number}" for number in range(150)]
    for instance_id in ids[::3]:
        store.write(record(instance_id))
    assert list(store.headers("first", ids)) == ids[::3]
    assert [r.instance_id for r in store.records("first", reversed(ids))] == ids[::3][::-1]
    assert store.ids("first") == sorted(ids[::3])


def test_magic_names(store: InstanceStore) -> None:
    """An id that looks like a pattern means itself alone."""
    store.write(record("a__b-1"))
    store.write(record("a__b-[1*]?"))
    assert list(store.headers("first", ["a__b-*", "a__b-[1*]?"])) == ["a__b-[1*]?"]


def test_long_header(store: InstanceStore) -> None:
    """A header beyond the first range is read whole."""
    long = Record("first", "a__b-1", {}, Basis("1"), EXCLUDED, "why " * 3000)
    store.write(long)
    assert store.headers("first", ["a__b-1"])["a__b-1"].reason == long.reason


def test_failures(store: InstanceStore) -> None:
    """A failure is noted, found with all or with some, and forgotten by the next record."""
    store.write_failure("first", "a__b-1", "odd")
    store.write_failure("first", "a__b-2", "odder")
    assert store.failures("first") == {"a__b-1": "odd", "a__b-2": "odder"}
    assert store.failures("first", ["a__b-2", "a__b-3"]) == {"a__b-2": "odder"}
    store.write(record("a__b-1"))
    assert store.failures("first") == {"a__b-2": "odder"}
    assert store.failures("second") == {} and not store.any("second") and store.any("first")


def test_damage(store: InstanceStore, objects: FsspecObjects) -> None:
    """A record that is not what its header says is taken away, so that it is made again."""
    store.write(record("a__b-1"))
    name = "first/a__b/a__b-1.json"
    objects.write(name, (objects.read(name) or b"").replace(b'"x"', b'"y"'))
    with pytest.raises(RecordError, match="damaged"):
        store.need("first", "a__b-1")
    assert not objects.exists(name)


def test_notes(store: InstanceStore) -> None:
    """A note about the store is read as written."""
    assert store.note(".turn") is None
    store.write_note(".turn", "token")
    assert store.note(".turn") == "token"


def test_contents(objects: FsspecObjects) -> None:
    """Contents go by git's blob id, and a damaged one is taken away."""
    blobs = BlobStore(objects)
    blob = blobs.put(b"print()\n")
    assert blob == "aec92917403fe09d962fb43a3bcef0ae21f4c217"
    assert blobs.get(blobs.put(b"print()\n")) == b"print()\n"
    objects.write(f"{blob[:2]}/{blob[2:]}", b"junk")
    with pytest.raises(RecordError):
        blobs.get(blob)
    assert blobs.get(blobs.put(b"print()\n")) == b"print()\n"


def test_conditional_put(objects: FsspecObjects) -> None:
    """An object that is there is not put again by a conditional put."""
    assert objects.write_new("one", b"1")
    assert not objects.write_new("one", b"2")
    assert objects.read("one") == b"1"


@pytest.mark.parametrize(
    ("status", "code"), [(412, "PreconditionFailed"), (409, "ConditionalRequestConflict")]
)
def test_a_refused_put_is_lost_and_no_fault(
    status: int, code: str, monkeypatch: pytest.MonkeyPatch, s3_access: S3
) -> None:
    """Servers that name no condition (MinIO), or that two asked at once (AWS), refuse just this one put."""
    said = f"<Error><Code>{code}</Code><Message>no</Message></Error>"
    with serving(lambda _asked: Served(status, said, {"content-type": "application/xml"})) as (url, asked):
        monkeypatch.setenv("AWS_ENDPOINT_URL", url.rstrip("/"))
        refusing = FsspecObjects(f"s3://{BUCKET}/refused-{status}")
        refusing.fs = type(refusing.fs)(skip_instance_cache=True, endpoint_url=url)
        assert not refusing.write_new("claim/0", b"1")
        assert asked[0].headers["if-none-match"] == "*"
        with pytest.raises(StoreError, match="cannot write"):
            refusing.write("claim/0", b"1")


def test_missing_bucket(s3_access: S3) -> None:
    """A bucket that is not there is a store that cannot be written, named in the message."""
    with pytest.raises(StoreError, match="s3://nowhere/x/first"):
        InstanceStore(FsspecObjects("s3://nowhere/x")).write(record("a__b-1"))


def test_one_holder_at_a_time(objects: FsspecObjects) -> None:
    """Of eight that want a claim at the same time one after the other holds it."""
    inside: list[int] = []
    most: list[int] = []

    def work(number: int) -> None:
        with held(objects, "claim", Patience(poll=0.05)):
            inside.append(number)
            most.append(len(inside))
            time.sleep(0.05)
            inside.remove(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 8
    assert len(objects.names("claim", "")) <= 2


def test_left_claim_is_taken_over(objects: FsspecObjects) -> None:
    """A claim whose holder died is taken over once it did not change for the time set, not before."""
    objects.write_new("claim/000000000000", b'{"holder": "dead", "beat": 3, "released": false}')
    began = time.monotonic()
    with held(objects, "claim", Patience(left=1.0, poll=0.1)):
        assert time.monotonic() - began >= 1.0


def test_living_holder_keeps_its_claim(objects: FsspecObjects) -> None:
    """A holder that takes longer than the time set keeps its claim, since it renews it."""
    patience = Patience(left=0.6, poll=0.05)
    order: list[str] = []

    def second() -> None:
        with held(objects, "claim", patience):
            order.append("second")

    with held(objects, "claim", patience):
        waiting = threading.Thread(target=second)
        waiting.start()
        time.sleep(2.0)
        order.append("first")
    waiting.join()
    assert order == ["first", "second"]


def test_late_claimant_loses(objects: FsspecObjects) -> None:
    """Who puts a number that was passed already sees the later one and waits for it."""
    objects.write_new("claim/000000000007", b'{"holder": "other", "beat": 0, "released": true}')
    with held(objects, "claim"):
        assert max(objects.names("claim", "")) == "000000000008"
    assert b'"released": true' in (objects.read("claim/000000000008") or b"")
