"""The figure of the correlation report: the heatmap with its title, n and the labels of its numbers."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.reporting.drawing import Drawing, Text, wrapped
from swe_assets.reporting.figure_heatmap import triangle
from swe_assets.reporting.figure_style import WIDE, Style
from swe_assets.reporting.tables import Table
from swe_assets.statistics.multiple_tests import holm
from swe_assets.statistics.rank_correlation import RankCorrelation

_LEGEND = "Negrito: p < 0.05 depois de Holm; ◦: só sem correção; –: indefinido"


def heatmap_drawing(
    ranks: RankCorrelation,
    names: Sequence[str],
    *,
    title: str,
    notes: Sequence[str],
    marked: Mapping[str, Sequence[str]] | None = None,
) -> Drawing:
    """Return the correlations among ``names``, 760 pixels wide, the title with n above and the notes below.

    ``marked`` are the marks that a name must bear in its place. Blue is below 0 and red above; what holds
    after Holm's correction over all pairs is bold.
    """
    drawing, y = Drawing(WIDE), 10.0
    clean = "".join(letter if letter.isprintable() else " " for letter in title)
    for line in wrapped(clean, WIDE - 24, 15, 2):
        y += 20
        drawing.add(Text(12, y, line, size=15, bold=True))
    drawing.add(Text(12, y + 20, f"Correlação de Spearman (ρ), n = {ranks.n}", "muted", 12))
    y = triangle(drawing, _pairs(ranks, names), Style("pt", WIDE, marked or {}), y + 36) + 24
    drawing.add(Text(12, y, _LEGEND, "muted", 11))
    for note in notes:
        for line in wrapped(note, WIDE - 24, 11, 3):
            y += 17
            drawing.add(Text(12, y, line, "warn", 11, bold=True))
    drawing.height = y + 14
    return drawing


def _pairs(ranks: RankCorrelation, names: Sequence[str]) -> Table:
    """Return the pairs as the heatmap reads them."""
    pairs = list(combinations(names, 2))
    corrected = holm([ranks.p[pair] for pair in pairs]).adjusted
    rows = tuple((*pair, ranks.rho[pair], ranks.p[pair], q) for pair, q in zip(pairs, corrected, strict=True))
    named = columns("a", "b", "rho", "p", "p_holm")
    return Table("spearman", words("Correlações", "Correlations"), named, rows)
