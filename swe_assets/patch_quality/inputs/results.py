"""Results as they really come: which instances a submission resolved, from a file or a folder."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from swe_assets.errors import ResultsError
from swe_assets.patch_quality.inputs.addresses import is_url
from swe_assets.patch_quality.inputs.json_records import LINES, JsonObject, read_elements, read_json
from swe_assets.patch_quality.inputs.outcomes import Outcomes, candidates, from_records, outcomes_of
from swe_assets.patch_quality.inputs.quoting import Note, listed, quoted
from swe_assets.patch_quality.inputs.report_folder import read_report_folder
from swe_assets.patch_quality.inputs.sources import Source, Sources, readable_path


@dataclass(frozen=True)
class Results:
    """Which instances were resolved, in the file's order and each once.

    `groups` holds the other lists of ids by the name they had ("error_ids", "no_generation"; "unresolved"
    where each instance has an outcome of its own). `key` is the dotted path of the block that was read,
    empty for the whole file. `record` is what study.toml says about the input.
    """

    resolved: tuple[str, ...]
    groups: dict[str, tuple[str, ...]]
    form: str
    key: str
    notes: tuple[Note, ...]
    record: dict[str, Any]

    @cached_property
    def reported(self) -> frozenset[str]:
        """Return every id that the results name in any list."""
        return frozenset(self.resolved).union(*self.groups.values())


def read_results(given: str, sources: Sources, *, key: str = "") -> Results:
    """Read results from a path, a URL or a folder of per-instance report.json.

    `key` names a nested block ("a.b"). Without it a file's own block is taken, or the only nested one;
    several are an error that names them. Raises ResultsError, and InputError where the bytes or the JSON
    are not usable.
    """
    if not is_url(given) and readable_path(given).is_dir():
        return _from_folder(given, sources, key)
    source = sources.open(given)
    found, key = _from_file(source, key)
    record = source.record(form=found.form, key=key, count=len(found.resolved))
    return Results(found.resolved, found.groups, found.form, key, tuple(found.notes), record)


def _from_folder(given: str, sources: Sources, key: str) -> Results:
    """Read a folder of report.json."""
    if key:
        raise ResultsError(
            f"{given} is a folder of reports, which has no block {key!r}: leave --results-key out"
        )
    folder = readable_path(given)
    found, digest, size = read_report_folder(folder, sources.limits)
    record = {"given": given, "location": str(folder), "sha256": digest, "bytes": size, "gzipped": False}
    record |= {"form": found.form, "key": "", "count": len(found.resolved)}
    return Results(found.resolved, found.groups, found.form, "", tuple(found.notes), record)


def _from_file(source: Source, key: str) -> tuple[Outcomes, str]:
    """Return a file's outcomes and the key of the block they came from."""
    document = read_elements(source)
    if document.form == LINES:
        if key:
            raise ResultsError(
                f"{source.given} is JSON lines, which has no block {key!r}: leave --results-key out"
            )
        places = ((item.value, f"{source.given}: line {item.line}") for item in document.elements)
        return from_records(places, "JSON lines of outcomes"), ""
    value = read_json(source)
    if key:
        return outcomes_of(_block_at(value, key, source.given), f"{source.given}: {key}"), key
    return _chosen(value, source.given)


def _chosen(value: Any, given: str) -> tuple[Outcomes, str]:
    """Return the outcomes of the whole value or of its only nested block, and that block's key."""
    if not isinstance(value, dict):
        return outcomes_of(value, given), ""
    paths = list(candidates(value))
    if not paths or paths == [()]:
        return outcomes_of(value, given), ""
    names = [".".join(path) for path in paths]
    if len(paths) > 1:
        raise ResultsError(
            f"{given}: {len(paths)} blocks of results: {listed(names, most=20)}; choose one "
            "with --results-key"
        )
    for name in paths[0]:
        value = value[name]
    found = outcomes_of(value, f"{given}: {names[0]}")
    found.notes.insert(
        0, Note("nested_block", f"the results are those of the only block in the file, {names[0]!r}")
    )
    return found, names[0]


def _block_at(value: Any, key: str, given: str) -> Any:
    """Return what stands under a dotted key, where a key may itself hold dots."""
    found = next(_under(value, key), None)
    if found is not None:
        return found[0]
    names = [".".join(path) for path in candidates(value) if path]
    keys = listed(value) if isinstance(value, dict) else quoted(value)
    there = f"blocks there are {listed(names, most=20)}" if names else f"at the top stand {keys}"
    raise ResultsError(f"{given}: nothing under --results-key {quoted(key)}; {there}")


def _under(value: Any, key: str) -> Iterator[tuple[Any]]:
    """Yield, the first names short before long, each value that a dotted key can mean."""
    if not isinstance(value, JsonObject):
        return
    if key in value:
        yield (value[key],)
    dots = [place for place, letter in enumerate(key) if letter == "."]
    for dot in dots:
        if key[:dot] in value:
            yield from _under(value[key[:dot]], key[dot + 1 :])
