"""What a person says when pinning a study: where the inputs are, and the settings of its run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swe_assets.errors import ConfigurationError, StudyError
from swe_assets.patch_quality.consistency_settings import Consistency
from swe_assets.patch_quality.inputs.addresses import has_credentials, is_scrubbed, is_url, shown_url
from swe_assets.patch_quality.inputs.quoting import quoted
from swe_assets.patch_quality.jury_settings import check_jury
from swe_assets.patch_quality.max_cost import checked_max_cost

if TYPE_CHECKING:
    from swe_assets.patch_quality.inputs.sources import Sources
    from swe_assets.patch_quality.inputs.submission import Submission

INPUTS = ("predictions", "results", "dataset")


@dataclass(frozen=True)
class StudyInputs:
    """Where the inputs are: paths or URLs, the dataset also a name on the Hub; None where not said.

    A `submission` (folder or URL) stands for predictions and results, and for the dataset where its split is
    known; what is also said by itself wins.
    """

    submission: str | None = None
    predictions: str | None = None
    results: str | None = None
    dataset: str | None = None
    results_key: str | None = None
    split: str | None = None

    @property
    def said(self) -> bool:
        """Tell whether any of them was said."""
        return any(getattr(self, item.name) is not None for item in fields(self))


@dataclass(frozen=True)
class StudySettings:
    """How a study is run; `mirror_map` gives the path or URL of single repositories' mirrors.

    `sonar_mode` is for the analyser sonarqube: batch (its default) or per-instance. `judges` are one judge
    or the jury, in the order in which it is shown. `max_cost` bounds the USD of one run, None does not.
    """

    analyser: str = "embedded"
    sonar_mode: str | None = None
    judges: tuple[str, ...] = ("rehearsal",)
    judge_excluded: bool = True
    fuzz: int = 0
    max_patch_bytes: int = 64 * 1024 * 1024
    mirrors_folder: Path | None = None
    mirror_map: Mapping[str, str] = field(default_factory=dict)
    consistency: Consistency = field(default_factory=Consistency)
    max_cost: float | None = None

    def record(self) -> dict[str, Any]:
        """Return the settings as they are written to study.toml."""
        return {
            "analyser": self.analyser,
            **({"judge": self.judges[0]} if len(self.judges) == 1 else {"judges": list(self.judges)}),
            "judge_excluded": self.judge_excluded,
            "fuzz": self.fuzz,
            "max_patch_bytes": self.max_patch_bytes,
            **({"sonarqube": {"mode": self.sonar_mode or "batch"}} if self.analyser == "sonarqube" else {}),
            **({} if self.max_cost is None else {"max_cost": self.max_cost}),
            **({"consistency": self.consistency.record()} if self.consistency != Consistency() else {}),
            "mirrors": {
                **({"folder": str(self.mirrors_folder)} if self.mirrors_folder else {}),
                "map": dict(self.mirror_map),
            },
        }


@dataclass(frozen=True)
class FoundInputs:
    """Where each input is in the end; `from_submission` names those that a submission gave."""

    predictions: str
    results: str
    dataset: str
    results_key: str
    split: str
    from_submission: frozenset[str]
    submission: Submission | None


def find_inputs(inputs: StudyInputs, sources: Sources) -> FoundInputs:
    """Return where each input is, looking into the submission; raise StudyError for what nothing gives."""
    from swe_assets.patch_quality.inputs.submission import find_submission

    submission = find_submission(inputs.submission, sources) if inputs.submission is not None else None
    found = {name: _place(name, inputs, submission) for name in INPUTS}
    return FoundInputs(
        **found,
        results_key=inputs.results_key or "",
        split=inputs.split or "test",
        from_submission=frozenset(name for name in INPUTS if not getattr(inputs, name)),
        submission=submission,
    )


def _place(name: str, inputs: StudyInputs, submission: Submission | None) -> str:
    """Return where one input is; raise StudyError where nothing says it, or its URL lost its secrets."""
    place: str | None = getattr(inputs, name) or getattr(submission, name, None)
    if place is None:
        raise StudyError(_lack(name, inputs))
    if is_url(place) and is_scrubbed(place):
        raise StudyError(f"the secrets of {shown_url(place)} were not kept: give the URL again by --{name}")
    return place


def _lack(name: str, inputs: StudyInputs) -> str:
    """Say which input is missing and how to give it."""
    if inputs.submission is None:
        return f"no {name} given: add --{name}, or a submission's folder or URL"
    why = "its split is not known" if name == "dataset" else "it holds none by a known name"
    return f"the submission {shown_place(inputs.submission)} does not say its {name} ({why}): add --{name}"


def shown_place(place: str) -> str:
    """Return a path as it is and a URL without secrets."""
    return shown_url(place) if is_url(place) else place


def check_settings(settings: StudySettings, folder: Path | None = None) -> StudySettings:
    """Return the settings as they came; raise ConfigurationError where one cannot be used or recorded.

    ``folder`` is the study's own, where it is there already: its models.toml may name judges.
    """
    from swe_assets.analysers.registry import analyser_named
    from swe_assets.analysers.settings import AnalyserSettings
    from swe_assets.llm.registry import ModelSettings, model_named

    for name, value in (("analyser", settings.analyser), *(("judge", name) for name in settings.judges)):
        if not value.strip() or not value.isprintable() or len(value) > 500:
            raise ConfigurationError(
                f"{quoted(value)} is no name of {'an' if name == 'analyser' else 'a'} {name}"
            )
    if settings.sonar_mode and settings.analyser != "sonarqube":
        raise ConfigurationError(
            f"the mode {quoted(settings.sonar_mode)} is for the analyser sonarqube, and the study's is "
            f"{quoted(settings.analyser)}: say --analyser sonarqube, or take the mode out by --sonar-mode ''"
        )
    analyser_named(settings.analyser, AnalyserSettings(mode=settings.sonar_mode))
    check_jury(settings.judges)
    for judge in settings.judges:
        model_named(judge, ModelSettings(check=False, folder=folder))
    settings.consistency.check()
    checked_max_cost(settings.max_cost, "max_cost")
    if settings.fuzz not in range(4):
        raise ConfigurationError(f"fuzz is {settings.fuzz}: give 0 (none, the default) to 3 lines of context")
    if settings.max_patch_bytes < 1:
        raise ConfigurationError(f"max_patch_bytes is {settings.max_patch_bytes}: give at least 1")
    _check_text(settings.mirrors_folder)
    return settings


def mirror_entry(given: str) -> tuple[str, str]:
    """Return (repository, absolute path or URL) of a REPO=PATH_OR_URL; an empty second part means none.

    Raises MirrorError for what is no repository or no source of a mirror, ConfigurationError for an address
    with credentials in it, which would stand in study.toml.
    """
    from swe_assets.repositories.sources import checked_repository, source_of

    repository, equals, place = given.partition("=")
    if not equals:
        raise ConfigurationError(
            f"--mirror is {quoted(given)}: give REPO=PATH_OR_URL, as in pallets/flask=../flask"
        )
    checked_repository(repository)
    if not place:
        return repository, ""
    if is_url(place) and has_credentials(place):
        raise ConfigurationError(
            f"the mirror of {repository} is {shown_url(place)} with credentials: leave them to "
            "git's credential helper"
        )
    source = source_of(place)
    _check_text(source.path)
    return repository, str(source.path) if source.path else source.url


def _check_text(path: Path | None) -> None:
    """Raise ConfigurationError for a path that study.toml cannot hold."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        raise ConfigurationError(
            f"the path {str(path)!r} is not UTF-8, so study.toml cannot hold it"
        ) from None
