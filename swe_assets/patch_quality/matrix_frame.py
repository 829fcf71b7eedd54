"""The table of amostra as the analysis wants it."""

from typing import TYPE_CHECKING

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.matriz_consolidada import COLUMNS
from swe_assets.storage.summary import ALL

if TYPE_CHECKING:
    import pandas as pd


def matrix_frame(bench: PatchBench) -> "pd.DataFrame":
    """Return the matrix that amostra holds, one row an instance; StoreError where amostra is missing."""
    import pandas as pd

    rows = bench.store.need("amostra", ALL).payload["rows"]
    return pd.DataFrame(rows, columns=list(COLUMNS))
