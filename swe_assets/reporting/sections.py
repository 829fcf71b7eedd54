"""The order of a report: which figures and tables stand under which heading."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """A heading with its figures, and the further tables that belong to it."""

    name: str
    figures: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()

    @property
    def anchor(self) -> str:
        """Return the section's id on the page."""
        return f"s-{self.name.replace('_', '-')}"


SECTIONS: Sequence[Section] = (
    Section(
        "comparison",
        ("rates", "comparison", "comparison_metrics"),
        ("comparison_studies", "comparison", "comparison_metrics"),
    ),
    Section("flow", ("flow", "missing_bounds"), ("flow", "flow_tests", "missing_bounds")),
    Section("distributions", ("distributions",), ("distributions", "histograms", "normality")),
    Section("correlations", ("heatmap", "intervals", "sides"), ("spearman", "spearman_sides")),
    Section("models", ("forest", "vif"), ("logit", "fit", "separation_cells", "exact")),
    Section("judges", ("confusion", "judge_tests"), ("judge_tests",)),
    Section(
        "judge_findings",
        (),
        (
            "judge_findings",
            "acordo_juizes_juri",
            "acordo_juizes",
            "acordo_juizes_pares",
            "qualidade_juiz",
            "qualidade_juiz_refutados",
            "consistencia_juiz",
            "consistencia_juiz_formas",
        ),
    ),
    Section("chances", ("calibration", "discrimination"), ("calibration", "discrimination")),
    Section("fragility", ("fragility",), ("influence",)),
    Section("power", (), ("power",)),
)
OWN_PLACE = ("findings", "instances")
"""The tables that the page shows in a way of their own."""
