"""Packing: what is scanned together, what needs no scan, and the keys of both."""

from collections.abc import Callable

import pytest

from swe_assets.analysers.projects import HandedOver, Offer, Project
from swe_assets.analysers.protocol import SourceFile
from swe_assets.errors import ConfigurationError, RecordError
from swe_assets.sonarqube.batches import (
    PER_INSTANCE,
    ScanOptions,
    Work,
    batch_key,
    instance_key,
    options_from,
    packed,
)

V25 = {"server": "25.11"}


def project(instance_id: str, side: str = "patched", content: bytes = b"x = 1\n") -> Project:
    """Return a project of one file."""
    return Project(instance_id, side, (SourceFile("a.py", content),))


def offer(instance_id: str, *projects: Project) -> Offer:
    """Return an offer of projects, by default base and patched."""
    both = projects or (project(instance_id, "base"), project(instance_id))
    return Offer(instance_id, lambda: both)


def broken(instance_id: str) -> Offer:
    """Return an offer whose contents are damaged."""

    def load() -> tuple[Project, ...]:
        raise RecordError("stored content abc is damaged")

    return Offer(instance_id, load)


def pack(
    *offers: Offer, kept: Callable[[Project], dict[str, str] | None] = lambda _: None, **how: object
) -> list[HandedOver | list[str]]:
    """Return what packing yields, batches as their instances' ids."""
    options = ScanOptions("study", **how)  # type: ignore[arg-type]  # each test says its own fields
    found = packed(offers, options, kept)
    return [one if isinstance(one, HandedOver) else [work.instance_id for work in one] for one in found]


def test_batches_are_bounded_by_modules() -> None:
    """Two modules an instance: with room for four, two instances a batch; an instance is never torn."""
    assert pack(*map(offer, "abcde"), modules=5) == [["a", "b"], ["c", "d"], ["e"]]


def test_few_instances_are_shared_out_over_the_scanners() -> None:
    """Sixty modules and two scanners are two batches of thirty; a handful stays together."""
    names = [f"i-{n}" for n in range(30)]
    assert [len(one) for one in pack(*map(offer, names), scanners=2)] == [15, 15]  # type: ignore[arg-type]  # lists
    assert pack(*map(offer, names[:4]), scanners=2) == [names[:4]]


def test_batches_are_bounded_by_bytes() -> None:
    """A batch ends before it has more source than is said; a larger instance is a batch of its own."""
    large = project("b", content=b"#" * 1_500_000)
    offers = [offer("a"), offer("b", large), offer("c"), offer("d")]
    assert pack(*offers, megabytes=1) == [["a"], ["b"], ["c", "d"]]


def test_one_instance_a_batch_in_the_other_mode() -> None:
    """In per-instance mode nothing is scanned together."""
    assert pack(offer("a"), offer("b"), mode=PER_INSTANCE) == [["a"], ["b"]]


def test_a_side_without_files_needs_no_scan() -> None:
    """Where the patch deletes the only file, its patched side has an empty receipt."""
    offers = [offer("a", project("a", "base"), Project("a", "patched", ()))]
    (batch,) = packed(offers, ScanOptions("s"), lambda _: None)
    assert isinstance(batch, tuple)
    assert batch == (Work("a", (project("a", "base"),), {"patched": {}}),)


def test_what_is_kept_is_not_scanned() -> None:
    """An instance whose sides are all kept is done at once."""
    assert pack(offer("a"), kept=lambda _: {"kept": "yes"}) == [
        HandedOver("a", {"base": {"kept": "yes"}, "patched": {"kept": "yes"}})
    ]


def test_damaged_contents_concern_their_instance_alone() -> None:
    """The others are packed all the same."""
    first, batch = pack(offer("a"), broken("b"), offer("c"))
    assert isinstance(first, HandedOver)
    assert str(first.error) == "stored content abc is damaged"
    assert batch == ["a", "c"]


def test_a_batch_s_key_is_of_its_content() -> None:
    """The same projects have the same key; another content, side, study or version has another."""
    one = [project("a"), project("b")]
    key = batch_key("s", one, V25)
    others = {
        batch_key("s", [project("a"), project("b", content=b"x = 2\n")], V25),
        batch_key("s", [project("a", "base"), project("b")], V25),
        batch_key("t", one, V25),
        batch_key("s", one, {"server": "26.1"}),
        batch_key("s", one[:1], V25),
    }
    assert key == batch_key("s", list(one), dict(V25))
    assert len(others | {key}) == 6


def test_an_instance_s_key_is_its_name() -> None:
    """The dashboard of an instance is found by study and id; the base side has a project of its own."""
    assert instance_key("study", project("django__django-1")) == "study:django__django-1"
    assert instance_key("study", project("django__django-1", "base")) == "study:django__django-1:base"


def test_the_machine_s_own_numbers() -> None:
    """Without settings there are as many scanners as cores; the environment says otherwise."""
    assert options_from("s", "batch", {}).scanners >= 1
    numbers = {"SCANNERS": "3", "MODULES": "7", "MEMORY_MIB": "512"}
    said = {f"SWE_ASSETS_SONAR_{name}": number for name, number in numbers.items()}
    found = options_from("s", "batch", said)
    assert (found.scanners, found.modules, found.memory_mib) == (3, 7, 512)


@pytest.mark.parametrize("said", ["0", "-1", "two", "1.5", "٣"])
def test_a_setting_that_is_no_number(said: str) -> None:
    """The message names the variable and what was found."""
    with pytest.raises(ConfigurationError, match="SWE_ASSETS_SONAR_SCANNERS is"):
        options_from("s", "batch", {"SWE_ASSETS_SONAR_SCANNERS": said})
