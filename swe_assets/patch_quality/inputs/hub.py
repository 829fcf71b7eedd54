"""Datasets by name from the Hugging Face Hub, and folders saved before, read by `datasets` itself."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swe_assets.errors import DatasetError
from swe_assets.patch_quality.inputs.addresses import scrubbed
from swe_assets.patch_quality.inputs.quoting import listed, quoted

if TYPE_CHECKING:
    import datasets

NAME = re.compile(
    r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*)(?:@(?P<revision>[A-Za-z0-9][\w./-]*))?"
)
TIMEOUT_SECONDS = 30.0
SAVED_MARKS = ("state.json", "dataset_dict.json")
Rows = Iterator[dict[str, Any]]
_COMMIT = re.compile(r"(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])")


@dataclass(frozen=True)
class HubDataset:
    """The rows of a dataset of the Hub at the revision (a commit's 40 hex digits) that was resolved."""

    name: str
    revision: str
    columns: tuple[str, ...]
    rows: Rows


def load_from_hub(given: str, split: str, columns: tuple[str, ...]) -> HubDataset:
    """Load `NAME` or `NAME@REVISION` from the Hub; only the wanted columns are decoded.

    With HF_HUB_OFFLINE=1 the copy in `datasets`' cache is used, and its revision recorded. Raises
    DatasetError when the name, revision or split is not there or the Hub cannot be reached.
    """
    found = NAME.fullmatch(given)
    if found is None:
        raise DatasetError(f"{quoted(given)} is not the name of a dataset on the Hub: OWNER/NAME[@REVISION]")
    name, wanted = found["name"], found["revision"]
    offline = os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE")
    revision = wanted if offline else _resolve(name, wanted)
    table = _load(name, revision, split)
    return HubDataset(name, _revision(table, revision), tuple(table.column_names), _rows(table, columns))


def load_saved(folder: Path, split: str, columns: tuple[str, ...]) -> tuple[tuple[str, ...], Rows]:
    """Return the columns and rows of a folder that `save_to_disk` wrote, or raise DatasetError."""
    import datasets

    if not any((folder / mark).is_file() for mark in SAVED_MARKS):
        raise DatasetError(
            f"{folder} is a folder, but none that `datasets` saved (no {' or '.join(SAVED_MARKS)} in it); "
            "give a parquet, JSON or JSON lines file"
        )
    try:
        table = datasets.load_from_disk(str(folder))
        if isinstance(table, datasets.DatasetDict):
            if split not in table:
                raise DatasetError(f"{folder} has no split {split!r}; its splits are {listed(table)}")
            table = table[split]
    except (OSError, ValueError, KeyError, TypeError) as failure:
        raise DatasetError(f"{folder} cannot be loaded by `datasets`: {failure}") from None
    return tuple(table.column_names), _rows(table, columns)


def _resolve(name: str, revision: str | None) -> str:
    """Return the commit that a dataset's revision (None: its main branch) is at now."""
    from huggingface_hub import HfApi
    from huggingface_hub.errors import RepositoryNotFoundError, RevisionNotFoundError

    try:
        sha = HfApi().dataset_info(name, revision=revision, timeout=TIMEOUT_SECONDS).sha
    except RepositoryNotFoundError:
        raise DatasetError(f"the Hugging Face Hub has no dataset {name!r}, or it needs HF_TOKEN") from None
    except RevisionNotFoundError:
        raise DatasetError(f"the dataset {name!r} has no revision {revision!r}") from None
    except Exception as failure:  # the Hub's client raises its HTTP library's own errors
        raise DatasetError(
            f"the Hugging Face Hub cannot be reached for the dataset {name!r} ({_short(failure)}); check the "
            "network, set HF_HUB_OFFLINE=1 to use a copy that `datasets` has cached, or give a file: "
            "parquet, JSON or JSON lines"
        ) from None
    if not sha:
        raise DatasetError(f"the Hugging Face Hub does not say at which commit the dataset {name!r} is")
    return sha


def _load(name: str, revision: str | None, split: str) -> datasets.Dataset:
    """Return one split of a dataset, or raise DatasetError with the library's reason."""
    import datasets

    try:
        return datasets.load_dataset(name, split=split, revision=revision)
    except Exception as failure:  # the library raises errors of a dozen kinds
        at = f" at {revision}" if revision else ""
        raise DatasetError(
            f"the dataset {name!r}{at}, split {split!r}, cannot be loaded: {_short(failure)}"
        ) from None


def _revision(table: datasets.Dataset, known: str | None) -> str:
    """Return the commit a loaded dataset is from: the one asked for, or what its cached files say."""
    if known and _COMMIT.fullmatch(known):
        return known
    places = [*(table.info.download_checksums or {}), *(file["filename"] for file in table.cache_files)]
    found = [match.group() for place in places if (match := _COMMIT.search(place))]
    if not found:
        raise DatasetError(
            "the cached copy of the dataset does not say its revision: load it once with the network"
        )
    return found[0]


def _rows(table: datasets.Dataset, columns: tuple[str, ...]) -> Rows:
    """Yield rows of the wanted columns that are there."""
    wanted = [column for column in columns if column in table.column_names]
    yield from table.select_columns(wanted) if wanted else ()


def _short(failure: Exception) -> str:
    """Return the first line of a library's error, without secrets."""
    text = scrubbed(str(failure)).strip().partition("\n")[0]
    return text[:300] or type(failure).__name__
