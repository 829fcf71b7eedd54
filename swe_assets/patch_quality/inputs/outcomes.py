"""Outcomes in the shapes that harnesses and leaderboards write them, from a decoded value to ids.

A *block* is an object with a list of resolved ids under `resolved`, `resolved_ids` or `resolved_instances`
(https://github.com/SWE-bench/SWE-bench/blob/main/swebench/harness/reporting.py and the leaderboard's own
results.json). *Outcomes* are one `resolved: true or false` for each instance.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from swe_assets.errors import ResultsError
from swe_assets.patch_quality.inputs.json_records import JsonObject
from swe_assets.patch_quality.inputs.quoting import Note, listed, quoted

RESOLVED_KEYS = ("resolved_ids", "resolved", "resolved_instances")
ID_KEYS = ("instance_id", "instanceId")
GROUPS = frozenset(
    (
        *("applied", "generated", "install_fail", "no_apply", "no_generation", "no_logs", "reset_failed"),
        *("test_errored", "test_timeout", "unresolved", "with_logs"),
    )
)
"""Lists beside `resolved` in the leaderboard's results.json; the harness's own end in _ids or _instances."""
NEVER_RESOLVED = frozenset(
    (
        *("empty_patch_ids", "error_ids", "incomplete_ids", "infra_failure_ids"),
        *("no_apply", "no_generation", "no_logs"),
    )
)
UNRESOLVED = frozenset(("unresolved", "unresolved_ids", "unresolved_instances"))
FORMS = (
    "read are: a list of ids under resolved, resolved_ids or resolved_instances, a bare list of ids, one "
    "{instance_id, resolved: true or false} each, or a folder of report.json"
)
DEPTH = 8


@dataclass
class Outcomes:
    """Who was resolved: ids in the order found, each once; other named lists; and what was odd."""

    resolved: tuple[str, ...]
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    form: str = ""
    notes: list[Note] = field(default_factory=list)


def is_block(value: Any) -> bool:
    """Tell whether a value is an object with a list of resolved ids."""
    return isinstance(value, dict) and any(isinstance(value.get(key), list) for key in RESOLVED_KEYS)


def is_outcome_map(value: Any) -> TypeGuard[JsonObject]:
    """Tell whether a value is an object from instance_id to {resolved: true or false, …}."""
    return (
        isinstance(value, JsonObject)
        and bool(value)
        and all(isinstance(item, dict) and "resolved" in item for item in value.values())
        and not any(_counted(item["resolved"]) or is_block(item) for item in value.values())
    )


def candidates(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of each block or outcome map at or below a value, outermost first."""
    if is_block(value) or is_outcome_map(value):
        yield path
    elif isinstance(value, dict) and len(path) < DEPTH:
        for key, item in value.items():
            yield from candidates(item, (*path, key))


def outcomes_of(value: Any, where: str) -> Outcomes:
    """Return who was resolved according to a value of any of the known forms.

    Raises ResultsError, which says what was found and which forms are read, for anything else.
    """
    if isinstance(value, list) and not any(isinstance(item, dict) for item in value):
        ids, notes = _ids(value, where, "the list")
        return Outcomes(ids, form="bare list of ids", notes=notes)
    if isinstance(value, list):
        return from_records(((item, where) for item in value), form="list of outcomes")
    if is_block(value):
        return _from_block(value, where)
    if is_outcome_map(value):
        return _from_map(
            value, ((key, item["resolved"]) for key, item in value.items()), where, "outcome by id"
        )
    if isinstance(value, dict) and any(key in value for key in ID_KEYS):
        return from_records([(value, where)], form="one outcome")
    if isinstance(value, JsonObject) and value and all(isinstance(item, bool) for item in value.values()):
        return _from_map(value, value.items(), where, "true or false by id")
    raise ResultsError(f"{where}: {_found(value)}; {FORMS}")


def from_records(records: Iterable[tuple[Any, str]], form: str) -> Outcomes:
    """Return the outcomes of objects with an instance_id and `resolved`, each with where it stands."""
    return _from_pairs((_pair(record, where) for record, where in records), form)


def _pair(record: Any, where: str) -> tuple[str, Any, str]:
    """Return (id, resolved, where) of one record, or raise ResultsError."""
    if not isinstance(record, JsonObject):
        raise ResultsError(f"{where}: found {quoted(record)} among outcomes; {FORMS}")
    names = [record[key] for key in ID_KEYS if key in record]
    if not names or not isinstance(names[0], str) or not names[0] or "resolved" not in record:
        raise ResultsError(
            f"{where}: an outcome needs 'instance_id' (a text) and 'resolved'; its keys are {listed(record)}"
        )
    if record.repeated & {*ID_KEYS, "resolved"}:
        raise ResultsError(f"{where}: the outcome of {quoted(names[0])} has a duplicate key")
    return names[0], record["resolved"], where


def _from_pairs(pairs: Iterable[tuple[str, Any, str]], form: str) -> Outcomes:
    """Return the outcomes of (id, resolved, where); raise ResultsError for contradictions."""
    known: dict[str, bool] = {}
    twice: dict[str, None] = {}
    for instance_id, resolved, where in pairs:
        if not isinstance(resolved, bool):
            raise ResultsError(
                f"{where}: 'resolved' of {quoted(instance_id)} is {quoted(resolved)}, neither true nor false"
            )
        if known.get(instance_id, resolved) != resolved:
            raise ResultsError(f"{where}: {quoted(instance_id)} is resolved in one place and not in another")
        if instance_id in known:
            twice[instance_id] = None
        known[instance_id] = resolved
    resolved_ids = tuple(instance_id for instance_id, resolved in known.items() if resolved)
    unresolved = tuple(instance_id for instance_id, resolved in known.items() if not resolved)
    return Outcomes(resolved_ids, {"unresolved": unresolved}, form, _repetitions(twice, "outcomes"))


def _from_map(value: JsonObject, pairs: Iterable[tuple[str, Any]], where: str, form: str) -> Outcomes:
    """Return the outcomes of an object keyed by instance_id, or raise for a key that stands twice."""
    if value.repeated:
        raise ResultsError(f"{where}: duplicate key {listed(sorted(value.repeated))}")
    return _from_pairs(((key, resolved, where) for key, resolved in pairs), form)


def _from_block(block: JsonObject, where: str) -> Outcomes:
    """Return the outcomes of a block, with its count and its other lists compared against the resolved."""
    twice = block.repeated & set(RESOLVED_KEYS)
    if twice:
        raise ResultsError(f"{where}: duplicate key {listed(sorted(twice))}")
    lists = {key: _ids(block[key], where, key) for key in RESOLVED_KEYS if isinstance(block.get(key), list)}
    key, (resolved, notes) = next(iter(lists.items()))
    for other, (ids, _) in lists.items():
        if set(ids) != set(resolved):
            differing = sorted(set(ids) ^ set(resolved))
            raise ResultsError(f"{where}: the lists {key!r} and {other!r} differ by {listed(differing)}")
    groups = {
        name: _ids(value, where, name)[0]
        for name, value in block.items()
        if isinstance(value, list) and _is_group(name) and name not in RESOLVED_KEYS
    }
    notes = [*notes, *_count_notes(block, key, resolved), *_contradictions(resolved, groups, where)]
    return Outcomes(resolved, groups, f"list under {key}", notes)


def _is_group(name: str) -> bool:
    """Tell whether a key of a block names a list of instance ids."""
    return name in GROUPS or name.endswith(("_ids", "_instances"))


def _ids(values: list[Any], where: str, name: str) -> tuple[tuple[str, ...], list[Note]]:
    """Return a list's ids, each once, and a note on repetitions; raise ResultsError where one is no text."""
    strange = [value for value in values if not isinstance(value, str) or not value]
    if strange:
        raise ResultsError(f"{where}: in {name} stands {quoted(strange[0])}, which is no instance_id")
    counted = Counter(values)
    return tuple(counted), _repetitions([value for value, times in counted.items() if times > 1], name)


def _repetitions(ids: Collection[str], name: str) -> list[Note]:
    """Return the note that says which ids a list has more than once, if any."""
    text = f"{len(ids)} of the ids stand more than once in {name}; counted once"
    return [Note("duplicate_results", text, tuple(ids))] if ids else []


def _count_notes(block: JsonObject, key: str, resolved: tuple[str, ...]) -> list[Note]:
    """Return a note for each count beside the list that is not the list's length, and take the list."""
    lengths = (len(block[key]), len(resolved))
    return [
        Note(
            "count_disagrees",
            f"{name} and the list {key} disagree: {block[name]} and {lengths[1]} differ; the list was taken",
        )
        for name in RESOLVED_KEYS
        if _counted(block.get(name)) and block[name] not in lengths
    ]


def _contradictions(resolved: tuple[str, ...], groups: dict[str, tuple[str, ...]], where: str) -> list[Note]:
    """Return a note for each list that should not share ids with the resolved; raise for unresolved ones."""
    notes = []
    for name, ids in groups.items():
        both = tuple(sorted(set(ids) & set(resolved)))
        if both and name in UNRESOLVED:
            raise ResultsError(f"{where}: both resolved and in {name}: {listed(both)}")
        if both and name in NEVER_RESOLVED:
            notes.append(
                Note("resolved_and_failed", f"{len(both)} of the ids are resolved and in {name}", both)
            )
    return notes


def _counted(value: Any) -> bool:
    """Tell whether a value is a number rather than a truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _found(value: Any) -> str:
    """Say why a value holds no outcomes."""
    if not isinstance(value, dict):
        return f"found {quoted(value)}"
    for key in RESOLVED_KEYS:
        if key in value:
            what = "the count " if _counted(value[key]) else ""
            return f"{key!r} is {what}{quoted(value[key])}, not a list of ids"
    return f"no resolved ids under the keys {listed(value)}" if value else "the object is empty"
