"""The table of amostra as the analysis wants it, where its gates hold."""

from typing import TYPE_CHECKING

from swe_assets.errors import MatrixError
from swe_assets.patch_quality import gates
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.matriz_consolidada import COLUMNS
from swe_assets.storage.summary import ALL

if TYPE_CHECKING:
    import pandas as pd

BLOCKING = (gates.account_adds_up, gates.matrix_is_the_join_of_its_sources, gates.matrix_schema)
"""The gates without which no report is made, however it is started."""


def matrix_frame(bench: PatchBench) -> "pd.DataFrame":
    """Return the matrix that amostra holds, one row an instance.

    Raises RecordError where amostra is missing and MatrixError where a blocking gate does not hold: Dagster
    stops the reports only in the run that makes amostra, so they look for themselves.
    """
    import pandas as pd

    rows = bench.store.need("amostra", ALL).payload["rows"]
    broken = [verdict.description for gate in BLOCKING if not (verdict := gate(bench)).passed]
    if broken:
        raise MatrixError(f"no report is made while a gate of the matrix is broken: {'; '.join(broken)}")
    return pd.DataFrame(rows, columns=list(COLUMNS))
