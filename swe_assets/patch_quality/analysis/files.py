"""The names of the analysis' files, and writing them whole or not at all."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from swe_assets.statistics.undefined import Undefined
from swe_assets.storage.atomic import write_bytes
from swe_assets.storage.csv_text import csv_text

RHO = "matriz_correla\u00e7\u00e3o_spearman.csv"  # composed (NFC), whatever an editor makes of it
P_VALUES = "matriz_p_values_spearman.csv"
NORMALITY = "normality.csv"
HEATMAP = "heatmap.png"
HEATMAP_SVG = "heatmap.svg"
LOGIT = "logit.csv"
SUMMARY = "logit_summary.txt"
FIT = "fit.json"
REPORT = "report.html"
COMPARED = "comparacao_entradas.json"
PUBLISHED = (RHO, P_VALUES, NORMALITY, HEATMAP, HEATMAP_SVG, LOGIT, SUMMARY, FIT, REPORT)
"""The files of the study that was published; the analysis, its tables and its inputs lie beside them."""


def write(out: Path, name: str, content: bytes) -> Path:
    """Write a file of the folder (made if absent), whole or not at all, and return its path.

    Raises StoreError where the folder or the file cannot be written.
    """
    write_bytes(out / name, content)
    return out / name


def cell(value: object) -> str:
    """Return a value as a CSV cell: floats at full precision, undefined and None as an empty cell."""
    if value is None or isinstance(value, Undefined):
        return ""
    return repr(value) if isinstance(value, float) else str(value)


def csv_bytes(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Return rows as UTF-8 CSV with unix line ends."""
    text = csv_text(header, ([cell(value) for value in row] for row in rows))
    return text.encode("utf-8", "backslashreplace")


def json_bytes(record: Mapping[str, Any]) -> bytes:
    """Return a record as indented UTF-8 JSON; NaN and infinity are refused."""
    return (json.dumps(record, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode(
        "utf-8", "backslashreplace"
    )
