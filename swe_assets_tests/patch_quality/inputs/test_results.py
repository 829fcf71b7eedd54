"""Results in every shape they come in, and what is refused about them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from swe_assets.errors import InputError, ResultsError
from swe_assets.patch_quality.inputs.limits import Limits
from swe_assets.patch_quality.inputs.results import Results, read_results
from swe_assets.patch_quality.inputs.sources import Sources
from swe_assets_tests.shared_data import shared

Read = Callable[..., Results]


@pytest.fixture
def read(tmp_path: Path, sources: Sources) -> Read:
    """Give a function that writes a value as JSON (a text as it is) and reads it as results."""

    def write_and_read(value: Any, key: str = "") -> Results:
        path = tmp_path / "results.json"
        path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
        return read_results(str(path), sources, key=key)

    return write_and_read


@pytest.mark.parametrize(
    "value",
    [
        {"resolved": ["a", "b"]},
        {"resolved_ids": ["a", "b"], "resolved_instances": 2},
        {"resolved_instances": ["a", "b"]},
        {"resolved": 2, "resolved_ids": ["a", "b"]},
        {"resolved": ["b", "a"], "resolved_ids": ["a", "b"]},
        ["a", "b"],
        [{"instance_id": "a", "resolved": True}, {"instance_id": "b", "resolved": True}],
        {"a": {"resolved": True, "tests_status": {}}, "b": {"resolved": True}, "c": {"resolved": False}},
        {"a": True, "b": True, "c": False},
        '{"instance_id": "a", "resolved": true}\n{"instanceId": "b", "resolved": true}\n',
        {"run": {"report": {"resolved": ["a", "b"]}}},
    ],
)
def test_forms(read: Read, value: Any) -> None:
    """Every known form tells the same two resolved instances."""
    assert set(read(value).resolved) == {"a", "b"}


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({"resolved": 2}, "'resolved' is the count 2, not a list"),
        ({"resolved": None}, "'resolved' is None"),
        ({"resolved": "a"}, "'resolved' is 'a'"),
        ({"resolved": ["a", 7]}, "in resolved stands 7"),
        ({"resolved": ["a", None]}, "in resolved stands None"),
        ({"resolved": [""]}, "in resolved stands ''"),
        ({"resolved": ["a"], "resolved_ids": ["b"]}, "differ by 'a', 'b'"),
        ({"resolved": ["a"], "unresolved": ["a"]}, "both resolved and in unresolved: 'a'"),
        ({"done": ["a"]}, "no resolved ids under the keys 'done'"),
        ({}, "the object is empty"),
        (7, "found 7"),
        ([{"instance_id": "a"}], "needs 'instance_id' .* and 'resolved'"),
        ([{"instance_id": "a", "resolved": "true"}], "'resolved' of 'a' is 'true'"),
        ([{"instance_id": "a", "resolved": 1}], "'resolved' of 'a' is 1"),
        ([{"instance_id": "a", "resolved": True}, "b"], "found 'b' among outcomes"),
        ([{"instance_id": "a", "resolved": v} for v in (True, False)], "'a' is resolved in one place"),
        ('{"resolved": ["a"], "resolved": []}', "duplicate key 'resolved'"),
        ('{"a": {"resolved": true}, "a": {"resolved": false}}', "duplicate key 'a'"),
        ({"x": {"resolved": ["a"]}, "y": {"resolved": []}}, "2 blocks of results: 'x', 'y'"),
    ],
)
def test_refused(read: Read, value: Any, says: str) -> None:
    """What tells no outcomes, or two at once, is an error that says what was found."""
    with pytest.raises(ResultsError, match=says):
        read(value)


def test_trailing_comma(read: Read) -> None:
    """JSON with a trailing comma is an error with line and column."""
    with pytest.raises(InputError, match=r"line [34] column \d+"):
        read('{\n "resolved": [\n  "a",\n ]\n}\n')


def test_line_of_a_bad_outcome(read: Read) -> None:
    """An outcome in JSON lines that is neither true nor false is named with its line."""
    with pytest.raises(ResultsError, match="line 2: 'resolved' of 'b' is None"):
        read('{"instance_id": "a", "resolved": true}\n{"instance_id": "b", "resolved": null}\n')


@pytest.mark.parametrize("key", ["m.run", "m.run.resolved_ids"])
def test_results_key(read: Read, key: str) -> None:
    """A dotted key names a nested block, or the list itself; a key may hold dots."""
    value = {"m.run": {"resolved_ids": ["a"]}, "other": {"resolved_ids": ["b"]}}
    assert (read(value, key).resolved, read(value, key).key) == (("a",), key)


@pytest.mark.parametrize(
    ("key", "says"), [("z", "blocks there are 'x', 'y'"), ("x.resolved.q", "blocks there are")]
)
def test_results_key_absent(read: Read, key: str, says: str) -> None:
    """A key that leads nowhere is an error that names the blocks which are there."""
    with pytest.raises(ResultsError, match=says):
        read({"x": {"resolved": []}, "y": {"resolved": []}}, key)


def test_only_nested_block_is_said(read: Read) -> None:
    """A single nested block is taken, recorded and said."""
    found = read({"model": "m", "hybrid": {"resolved": 1, "resolved_ids": ["a"]}})
    assert (found.key, found.notes[0].code) == ("hybrid", "nested_block")


def test_count_that_disagrees(read: Read) -> None:
    """A count beside a list of another length is said, and the list taken."""
    found = read({"resolved_instances": 2, "resolved_ids": ["a"]})
    assert (found.resolved, found.notes[0].code) == (("a",), "count_disagrees")
    assert "2 and 1 differ" in found.notes[0].text


def test_groups(read: Read) -> None:
    """The harness's other lists are kept by name, and those that contradict the outcome are said."""
    found = read(
        {"resolved_ids": ["a"], "unresolved_ids": ["b"], "infra_failure_ids": ["b"], "error_ids": ["a"]}
    )
    assert found.groups["infra_failure_ids"] == ("b",)
    assert found.reported == {"a", "b"}
    assert [(note.code, note.ids) for note in found.notes] == [("resolved_and_failed", ("a",))]


@pytest.mark.parametrize(
    ("place", "key", "resolved", "reported"),
    [
        ("submissions/polydev_hybrid_haiku45/outcome.json", "hybrid", 373, 373),
        ("submissions/polydev_hybrid_haiku45/outcome.json", "baseline", 323, 323),
        ("submissions/vexp_claude_opus45_100/outcome.jsonl.gz", "", 73, 100),
        ("rag_gpt4_resolved_ids.json", "", 14, 14),
    ],
)
def test_real_results(tmp_path: Path, place: str, key: str, resolved: int, reported: int) -> None:
    """The real submissions resolve as many instances as their publishers say."""
    found = read_results(
        str(shared("data", "swebench", *place.split("/"))), Sources(tmp_path, Limits()), key=key
    )
    assert (len(found.resolved), len(found.reported)) == (resolved, reported)


def test_real_blocks_are_named(tmp_path: Path) -> None:
    """The real file with three blocks is refused without a key, and all three are named."""
    path = shared("data", "swebench", "submissions", "polydev_hybrid_haiku45", "outcome.json")
    with pytest.raises(ResultsError, match="'baseline', 'polydev', 'hybrid'"):
        read_results(str(path), Sources(tmp_path, Limits()))
