"""The benchmark's rows: which repository, commit and problem statement belong to an instance."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from swe_assets.errors import DatasetError
from swe_assets.patch_quality.inputs.addresses import is_url
from swe_assets.patch_quality.inputs.json_records import OBJECT, Element, JsonObject, read_elements
from swe_assets.patch_quality.inputs.quoting import listed, quoted
from swe_assets.patch_quality.inputs.report_folder import folder_sha256
from swe_assets.patch_quality.inputs.sources import Source, Sources, local_source, readable_path

COLUMNS = ("instance_id", "repo", "base_commit", "problem_statement")
PARQUET = b"PAR1"
_COMMIT = re.compile(r"[0-9a-fA-F]{7,64}")
_REPO = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*){0,4}")


class DatasetRow(NamedTuple):
    """One instance of the benchmark; `problem_statement` is as it came, empty where the dataset has none."""

    instance_id: str
    repo: str
    base_commit: str
    problem_statement: str


@dataclass(frozen=True)
class LoadedDataset:
    """The rows by instance_id in the dataset's order, and what study.toml says about the input."""

    rows: dict[str, DatasetRow]
    record: dict[str, Any]


class _Table(NamedTuple):
    """Rows with their place for messages, and the columns where they are known beforehand."""

    form: str
    columns: tuple[str, ...] | None
    rows: Iterable[tuple[str, dict[str, Any]]]


def read_dataset(given: str, sources: Sources, *, split: str = "test") -> LoadedDataset:
    """Read a dataset from a path, a URL, a folder that `datasets` saved, or a name on the Hugging Face Hub.

    Files are parquet, JSON or JSON lines, told apart by content. Raises DatasetError where columns are
    missing (named), an id comes twice (named), a value is no text, or the dataset cannot be loaded.
    """
    if not is_url(given) and not _is_there(given):
        return _from_hub(given, split)
    if not is_url(given) and readable_path(given).is_dir():
        return _from_folder(given, split, sources)
    source = sources.open(given)
    table = _parquet(source) if source.head().startswith(PARQUET) else _json(source)
    rows = _collected(table, source.given)
    return LoadedDataset(rows, source.record(form=table.form, count=len(rows)))


def check_row(row: DatasetRow) -> None:
    """Raise DatasetError unless a row's repository and commit are of a form that git can be asked for."""
    if not _COMMIT.fullmatch(row.base_commit):
        raise DatasetError(
            f"the dataset's base_commit of {quoted(row.instance_id)} is {quoted(row.base_commit)}, not "
            "a commit id"
        )
    if not _REPO.fullmatch(row.repo) or ".." in row.repo or len(row.repo) > 200:
        raise DatasetError(
            f"the dataset's repo of {quoted(row.instance_id)} is {quoted(row.repo)}, not of the form "
            "OWNER/NAME"
        )


def _is_there(given: str) -> bool:
    """Tell whether a path exists; raise DatasetError where it can neither exist nor name a dataset."""
    from swe_assets.patch_quality.inputs.hub import NAME

    if _exists(given):
        return True
    looks_like_file = re.search(r"\.(jsonl?|parquet|gz|arrow|csv)$", given, re.I)
    if NAME.fullmatch(given) and not looks_like_file:
        return False
    raise DatasetError(
        f"no such file or folder, nor the name of a dataset on the Hugging Face Hub: {quoted(given)}"
    )


def _exists(given: str) -> bool:
    """Tell whether a path exists."""
    try:
        return Path(given).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False


def _from_hub(given: str, split: str) -> LoadedDataset:
    """Load a dataset by its name on the Hub."""
    from swe_assets.patch_quality.inputs.hub import load_from_hub

    found = load_from_hub(given, split, COLUMNS)
    form = "Hugging Face dataset"
    rows = _collected(_Table(form, found.columns, _placed(found.rows)), given)
    record = {"given": given, "location": given, "form": form, "split": split}
    return LoadedDataset(rows, record | {"revision": found.revision, "count": len(rows)})


def _from_folder(given: str, split: str, sources: Sources) -> LoadedDataset:
    """Load a folder that `datasets` saved."""
    from swe_assets.patch_quality.inputs.hub import load_saved

    folder = readable_path(given)
    columns, found = load_saved(folder, split, COLUMNS)
    form = "folder saved by datasets"
    rows = _collected(_Table(form, columns, _placed(found)), given)
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    digests = [(local_source(str(path), sources.limits).sha256, path.relative_to(folder)) for path in files]
    record = {"given": given, "location": str(folder), "sha256": folder_sha256(digests), "form": form}
    return LoadedDataset(rows, record | {"split": split, "count": len(rows)})


def _placed(rows: Iterator[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield rows with their place in the table."""
    for number, row in enumerate(rows, 1):
        yield f"row {number}", row


def _parquet(source: Source) -> _Table:
    """Return a parquet file's rows, decoded batch by batch and only in the needed columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if source.gzipped:
        raise DatasetError(f"{source.given} is parquet inside gzip: unpack it first")
    try:
        file = pq.ParquetFile(source.path)
    except (pa.ArrowException, OSError) as failure:
        raise DatasetError(f"{source.given} is not readable parquet: {failure}") from None
    return _Table("parquet", tuple(file.schema_arrow.names), _placed(_batches(file, source)))


def _batches(file: Any, source: Source) -> Iterator[dict[str, Any]]:
    """Yield the rows of an open parquet file; raise DatasetError on damage or past the limit."""
    import pyarrow as pa

    total = 0
    try:
        for batch in file.iter_batches(batch_size=256, columns=list(COLUMNS)):
            total += batch.nbytes
            if total > source.limits.input_bytes:
                raise DatasetError(
                    f"{source.given} holds more than {source.limits.input_bytes:,} bytes of text: raise the "
                    "limit with --max-input-bytes"
                )
            yield from batch.to_pylist()
    except (pa.ArrowException, OSError) as failure:
        raise DatasetError(f"{source.given} is not readable parquet: {failure}") from None


def _json(source: Source) -> _Table:
    """Return the rows of a JSON list, an object keyed by instance_id, or JSON lines."""
    document = read_elements(source)
    elements = list(document.elements) if document.form == OBJECT else document.elements
    if isinstance(elements, list) and any(pair.key == COLUMNS[0] for pair in elements):
        row = JsonObject((pair.key or "", pair.value) for pair in elements)
        return _Table("one JSON object", None, [("line 1", row)])
    return _Table(document.form, None, _json_rows(elements, source))


def _json_rows(elements: Iterable[Element], source: Source) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each element as a row with its line; raise DatasetError where one is no object."""
    for key, value, line in elements:
        if not isinstance(value, JsonObject):
            raise DatasetError(
                f"{source.given}: line {line}: found {quoted(value)}, where each row of a dataset is "
                "an object"
            )
        twice = sorted(value.repeated & set(COLUMNS))
        if twice:
            raise DatasetError(f"{source.given}: line {line}: a row has a duplicate key: {listed(twice)}")
        yield f"line {line}", value if key is None else {COLUMNS[0]: key, **value}


def _collected(table: _Table, given: str) -> dict[str, DatasetRow]:
    """Return the rows by instance_id; raise DatasetError for missing columns and repeated ids."""
    _check_columns(table.columns, given)
    rows: dict[str, DatasetRow] = {}
    twice: dict[str, None] = {}
    for place, values in table.rows:
        row = _row(values, f"{given}: {place}")
        if row.instance_id in rows:
            twice[row.instance_id] = None
        rows[row.instance_id] = row
    if twice:
        raise DatasetError(f"{given}: instance_id stands more than once in the dataset: {listed(twice)}")
    if not rows:
        raise DatasetError(f"{given}: the dataset has no rows")
    return rows


def _check_columns(columns: Iterable[str] | None, where: str) -> None:
    """Raise DatasetError that names the needed columns which are not there."""
    if columns is None:
        return
    missing = [column for column in COLUMNS if column not in columns]
    if missing:
        raise DatasetError(
            f"{where}: missing columns: {', '.join(missing)}; there are {listed(columns, most=20)}"
        )


def _row(values: dict[str, Any], where: str) -> DatasetRow:
    """Return one row, its texts exactly as they came; raise DatasetError where one is missing or no text."""
    _check_columns(values, where)
    found = {column: values[column] for column in COLUMNS}
    if found["problem_statement"] is None:
        found["problem_statement"] = ""
    for column, value in found.items():
        if not isinstance(value, str) or (not value and column != "problem_statement"):
            raise DatasetError(f"{where}: {column} is {quoted(value)}, not a text that says something")
    return DatasetRow(**found)
