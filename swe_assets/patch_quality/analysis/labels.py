"""What every table and figure must say of the numbers' origin."""

from collections.abc import Iterable
from dataclasses import dataclass

STAND_IN_METRICS = ("sqale_index", "violations")
_FALSE = {"", "0", "0.0", "false", "no", "não", "none", "nan", "<na>"}


@dataclass(frozen=True)
class Labels:
    """Whether the judge only rehearsed, and which analyser stood in for SonarQube (None: none did)."""

    rehearsal: bool = False
    stand_in: str | None = None

    def __or__(self, other: "Labels") -> "Labels":
        """Return the labels of both; a stand-in named twice is named once."""
        named = [text for text in (self.stand_in, other.stand_in) if text]
        return Labels(self.rehearsal or other.rehearsal, "; ".join(dict.fromkeys(named)) or None)

    @property
    def rehearsal_text(self) -> str:
        """Return the sentence that marks the rehearsal judge's ratings, or an empty text."""
        return (
            "ENSAIO / rehearsal: as métricas M_* vêm do juiz de ensaio, não de um modelo"
            if self.rehearsal
            else ""
        )

    @property
    def stand_in_text(self) -> str:
        """Return the sentence that marks measures that are not SonarQube's, or an empty text."""
        if not self.stand_in:
            return ""
        whose = "são do Ruff, não do SonarQube" if "ruff" in self.stand_in.lower() else "não são do SonarQube"
        return f"violations e sqale_index {whose} [{self.stand_in}]"

    def texts(self) -> list[str]:
        """Return the sentences that apply, in the order they are shown."""
        return [text for text in (self.rehearsal_text, self.stand_in_text) if text]

    def of_metric(self, metric: str) -> str:
        """Return the sentence that concerns one metric, or an empty text."""
        if metric.startswith("M_"):
            return self.rehearsal_text
        return self.stand_in_text if metric in STAND_IN_METRICS else ""


def labels_of(judges: Iterable[object], analysers: Iterable[object], rehearsals: Iterable[object]) -> Labels:
    """Return the labels that a matrix's columns judge, analyser and rehearsal call for.

    One row judged by a rehearsal, or measured by an embedded analyser or by Ruff, labels the whole; what
    SonarQube measured is SonarQube's, whatever its quality profile is called.
    """
    rehearsal = any("rehears" in str(judge).lower() for judge in judges)
    rehearsal |= any(str(value).strip().lower() not in _FALSE for value in rehearsals)
    named = sorted({" ".join(str(value).split()) for value in analysers})
    others = [name for name in named if not name.lower().startswith("sonarqube")]
    stand_ins = [name for name in others if "ruff" in name.lower() or "embedded" in name.lower()]
    return Labels(rehearsal, "; ".join(stand_ins) or None)
