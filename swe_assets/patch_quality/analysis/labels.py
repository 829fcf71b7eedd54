"""What every table and figure must say of the numbers' origin."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from swe_assets.reporting.words import mark_word

if TYPE_CHECKING:
    import pandas as pd

STAND_IN_METRICS = ("sqale_index", "violations")
SMALL_MODEL = "plumbing-check"  # in the name of every model that only shows that the plumbing holds
_FALSE = {"", "0", "0.0", "false", "no", "não", "none", "nan", "<na>"}


@dataclass(frozen=True)
class Labels:
    """Whether the judge only rehearsed, which analyser stood in for SonarQube (None: none did), and more.

    ``small_model`` says that the judge was the small model that checks the plumbing.
    """

    rehearsal: bool = False
    stand_in: str | None = None
    small_model: bool = False

    def __or__(self, other: "Labels") -> "Labels":
        """Return the labels of both; a stand-in named twice is named once."""
        named = [text for text in (self.stand_in, other.stand_in) if text]
        small = self.small_model or other.small_model
        return Labels(self.rehearsal or other.rehearsal, "; ".join(dict.fromkeys(named)) or None, small)

    @property
    def rehearsal_text(self) -> str:
        """Return the sentence that marks the rehearsal judge's ratings, or an empty text."""
        return (
            "ENSAIO / rehearsal: as métricas M_* vêm do juiz de ensaio, não de um modelo"
            if self.rehearsal
            else ""
        )

    @property
    def small_model_text(self) -> str:
        """Return the sentence that marks the ratings of the small model, or an empty text."""
        return (
            "MODELO PEQUENO / small model: as métricas M_* provam o percurso, não são resultado"
            if self.small_model
            else ""
        )

    @property
    def judge_text(self) -> str:
        """Return the sentences that concern what a judge rated, or an empty text."""
        return "; ".join(filter(None, (self.rehearsal_text, self.small_model_text)))

    @property
    def stand_in_text(self) -> str:
        """Return the sentence that marks measures that are not SonarQube's, or an empty text."""
        if not self.stand_in:
            return ""
        whose = "são do Ruff, não do SonarQube" if "ruff" in self.stand_in.lower() else "não são do SonarQube"
        return f"violations e sqale_index {whose} [{self.stand_in}]"

    @property
    def marks(self) -> list[str]:
        """Return the marks that a report's tables bear for these labels."""
        found = {
            "rehearsal": self.rehearsal,
            "small_model": self.small_model,
            "stand_in": bool(self.stand_in),
        }
        return [mark for mark, borne in found.items() if borne]

    def texts(self) -> list[str]:
        """Return the sentences that apply, in the order they are shown."""
        texts = (self.rehearsal_text, self.small_model_text, self.stand_in_text)
        return [text for text in texts if text]

    def named(self, name: str, lang: str = "pt") -> str:
        """Return a metric's or term's name with the marks that it must bear in place.

        >>> Labels(rehearsal=True).named("M_defesa"), Labels(rehearsal=True).named("ncloc_log")
        ('M_defesa [ensaio]', 'ncloc_log')
        """
        borne = {"rehearsal": self.rehearsal, "small_model": self.small_model}
        marks = [mark for mark, there in borne.items() if there and name.startswith("M_")]
        marks += ["stand_in"] if self.stand_in and name.endswith(STAND_IN_METRICS) else []
        return name + "".join(f" [{mark_word(mark, lang)}]" for mark in marks)

    def of_metric(self, metric: str) -> str:
        """Return the sentence that concerns one metric, or an empty text."""
        if metric.startswith("M_"):
            return self.judge_text
        return self.stand_in_text if metric in STAND_IN_METRICS else ""


def labels_of_frame(frame: "pd.DataFrame") -> Labels:
    """Return the labels that a table's columns judge, analyser, rehearsal and marks call for, where present.

    ``marks`` is the column that a report's own tables have: names of marks, separated by blanks.
    """

    def unique(name: str) -> list[object]:
        return list(frame[name].unique()) if name in frame.columns else []

    told = {mark for cell in unique("marks") for mark in str(cell).split()}
    stand_in = "stand-in" if "stand_in" in told and not unique("analyser") else None
    own = Labels("rehearsal" in told, stand_in, "small_model" in told)
    return own | labels_of(unique("judge"), unique("analyser"), unique("rehearsal"))


def labels_of(judges: Iterable[object], analysers: Iterable[object], rehearsals: Iterable[object]) -> Labels:
    """Return the labels that a matrix's columns judge, analyser and rehearsal call for.

    One row judged by a rehearsal, or measured by an embedded analyser or by Ruff, labels the whole; what
    SonarQube measured is SonarQube's, whatever its quality profile is called.
    """
    judged = [str(judge).lower() for judge in judges]
    rehearsal = any("rehears" in judge for judge in judged)
    rehearsal |= any(str(value).strip().lower() not in _FALSE for value in rehearsals)
    named = sorted({" ".join(str(value).split()) for value in analysers})
    others = [name for name in named if not name.lower().startswith("sonarqube")]
    stand_ins = [name for name in others if "ruff" in name.lower() or "embedded" in name.lower()]
    return Labels(rehearsal, "; ".join(stand_ins) or None, any(SMALL_MODEL in judge for judge in judged))
