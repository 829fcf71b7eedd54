"""All that a study's analysis is made from: the matrix, every pinned instance, the judges' verdicts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from swe_assets.errors import InputError, MatrixError
from swe_assets.patch_quality.analysis.matrix import OUTCOME, Matrix
from swe_assets.reporting.tables import Analysis
from swe_assets.statistics.numeric import Number
from swe_assets.statistics.streams import stream_seed

IN_MATRIX = "in_matrix"
_OF_ID = re.compile(r"(?P<owner>.+?)__(?P<name>.+)-[0-9]+")


@dataclass(frozen=True)
class InstanceLine:
    """One pinned instance: where it stands and why, how its patch applied, and what is known of it.

    ``resolved`` is None where its outcome is not known. ``known`` holds measures of an instance that is not
    in the matrix.
    """

    instance_id: str
    repo: str | None = None
    place: str = IN_MATRIX
    stage: str = ""
    reason: str = ""
    outcome: str = ""
    resolved: bool | None = None
    known: Mapping[str, Number] = field(default_factory=dict)


@dataclass(frozen=True)
class Judgement:
    """What one judge said of one patch: whether it resolves the issue, and how sure it is, from 1 to 5."""

    instance_id: str
    judge: str
    resolve_issue: bool
    score_confianca: int


@dataclass(frozen=True)
class Settings:
    """What is drawn and from which seed: bootstrap draws, permutations, folds of cross-validation.

    ``lang`` is the language of the page and its figures, pt or en.
    """

    seed: int = 0
    draws: int = 10_000
    permutations: int = 10_000
    folds: int = 10
    lang: str = "pt"

    def __post_init__(self) -> None:
        counts = (self.seed, self.draws, self.permutations, self.folds)
        lowest = (0, 1, 1, 2)
        if any(type(n) is not int or n < least for n, least in zip(counts, lowest, strict=True)):
            raise InputError(
                f"settings {self}: seed is a whole number from 0, draws and permutations from 1, folds from 2"
            )
        if self.lang not in ("pt", "en"):
            raise InputError(f"settings {self}: lang is pt or en")

    def stream(self, name: str) -> int:
        """Return the seed of the draws of that name, on which no other name's hang; see ``stream_seed``."""
        return stream_seed(self.seed, name)


@dataclass(frozen=True)
class Evidence:
    """One study's evidence; ``lines`` is empty where only the matrix is known.

    ``stages`` gives the order of flow, ``texts`` the long texts by instance, ``marks`` marks besides those of
    the matrix's labels, ``provenance`` what the manifest is to say of models, versions and commands.
    ``about_judges`` holds by asset the tables on how judges agree, how good and how steady they are.
    """

    title: str
    matrix: Matrix
    lines: tuple[InstanceLine, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    stages: tuple[str, ...] = ()
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    marks: frozenset[str] = frozenset()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    settings: Settings = Settings()
    about_judges: Mapping[str, Analysis] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise MatrixError where matrix and instances do not tell the same, or no verdict is of them."""
        known = {line.instance_id: line for line in self.lines}
        inside = {key for key, line in known.items() if line.place == IN_MATRIX}
        if self.lines and inside != set(self.matrix.ids):
            apart = sorted(inside ^ set(self.matrix.ids))
            raise MatrixError(
                f"matrix and instances disagree on which are in the matrix: {', '.join(apart[:5])} "
                f"({len(apart)} in all); give both of one study"
            )
        for key, value in zip(self.matrix.ids, self.matrix.columns[OUTCOME], strict=True):
            if self.lines and known[key].resolved not in (None, bool(value)):
                raise MatrixError(f"{key!r}: pass@1 is {value!r} in the matrix, not so in the instances")
        judged = {judgement.instance_id for judgement in self.judgements}
        if judged and not judged & {*known, *self.matrix.ids}:
            raise MatrixError(
                f"none of the {len(judged)} judged instances is in the matrix or the instances "
                f"({min(judged)!r}, for one); give the verdicts of the same study"
            )

    @property
    def repos(self) -> tuple[str | None, ...]:
        """Return the repository of each row of the matrix, None where nothing tells it."""
        told = {line.instance_id: line.repo for line in self.lines}
        listed = self.matrix.repos or (None,) * self.matrix.n
        rows = zip(self.matrix.ids, listed, strict=True)
        return tuple(repo or told.get(key) or repo_of(key) for key, repo in rows)

    def marks_of(self, *names: str) -> frozenset[str]:
        """Return the marks that a table with these measures must bear; ``judge`` stands for verdicts."""
        labels, found = self.matrix.labels, set(self.marks)
        judged = any(name == "judge" or name.startswith("M_") for name in names)
        if judged and labels.rehearsal:
            found.add("rehearsal")
        if judged and labels.small_model:
            found.add("small_model")
        if labels.stand_in and any(name.endswith(("sqale_index", "violations")) for name in names):
            found.add("stand_in")
        return frozenset(found)


def repo_of(instance_id: str) -> str | None:
    """Return the repository that an id of SWE-bench's form names, or None.

    >>> repo_of("scikit-learn__scikit-learn-13439")
    'scikit-learn/scikit-learn'
    """
    found = _OF_ID.fullmatch(instance_id)
    return f"{found['owner']}/{found['name']}" if found else None
