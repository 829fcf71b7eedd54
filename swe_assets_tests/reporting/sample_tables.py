"""A small analysis for tests: every kind of cell, absent and undefined ones too."""

from swe_assets.reporting.tables import Analysis, Column, Table
from swe_assets.statistics.undefined import Undefined

TIES = Undefined("all values are equal")
COLUMNS = (
    Column("term", {"pt": "termo", "en": "term"}, "id"),
    Column("coef", {"pt": "coeficiente", "en": "coefficient"}, "number"),
    Column("p", {"pt": "p", "en": "p"}, "p"),
    Column("rate", {"pt": "taxa", "en": "rate"}, "share"),
    Column("n", {"pt": "n", "en": "n"}, "integer"),
    Column("leads", {"pt": "a relatar", "en": "leads"}, "truth"),
)
ROWS: tuple[tuple[object, ...], ...] = (
    ("M_defesa", 0.1 + 0.2, 1e-9, 0.746, 500, True),
    ("ncloc_log", TIES, None, Undefined("beyond a float", infinite=True), 0, False),
)


def table(rows: tuple[tuple[object, ...], ...] = ROWS, name: str = "logit") -> Table:
    """Return a table with a cell of each kind, marked as a rehearsal's."""
    notes = ({"pt": "nota & aviso", "en": "a note"},)
    return Table(name, {"pt": "Modelo_1", "en": "Model"}, COLUMNS, rows, notes, frozenset({"rehearsal"}))


def analysis(rows: tuple[tuple[object, ...], ...] = ROWS) -> Analysis:
    """Return an analysis with that table, a manifest and a text."""
    texts = {"a__b-1": {"patch": "diff --git a/x b/x\n+\udcff"}}
    return Analysis("estudo", {"logit": table(rows)}, {"inputs": {"m.csv": "ab"}, "seed": 0}, texts)
