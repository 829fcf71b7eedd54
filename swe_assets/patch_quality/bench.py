"""The study's bench: its pin, its store and the services its stages use, each opened when first asked for."""

import threading
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from swe_assets.errors import CommitMissingError
from swe_assets.home import home, mirrors_dir
from swe_assets.patch_quality.pinned_rows import dataset_rows, prediction_rows
from swe_assets.patch_quality.study import DatasetRow, Study, load_study
from swe_assets.storage.blobs import BlobStore
from swe_assets.storage.objects import objects_of
from swe_assets.storage.records import InstanceStore

if TYPE_CHECKING:
    from swe_assets.analysers.projects import ProjectAnalyser
    from swe_assets.judging.prompts import Prompts
    from swe_assets.llm.called_model import CallServices
    from swe_assets.llm.prices import PriceList
    from swe_assets.llm.protocol import ChatModel, Meter
    from swe_assets.repositories.objects import OpenRepository


class PatchBench:
    """What the stages of one study work with.

    ``meter`` counts and bounds the money of model calls; it is set, if at all, before the first of them.
    """

    def __init__(self, study: Study) -> None:
        self.study = study
        self.meter: Meter | None = None
        self._opening = threading.RLock()
        self._store = InstanceStore(objects_of(study.path, "store"))
        self.blobs = BlobStore(objects_of(study.path, "blobs"))

    @classmethod
    def open(cls, name: str) -> "PatchBench":
        """Open the bench of a pinned study; StudyError where there is none."""
        return cls(load_study(name))

    @property
    def store(self) -> InstanceStore:
        """Return the study's records."""
        return self._store

    @property
    def instances(self) -> tuple[str, ...]:
        """Return the pinned ids in their fixed order."""
        return self.study.instances

    @property
    def results(self) -> Path:
        """Return the folder of files written for people and other tools."""
        return self.study.path / "results"

    @cached_property
    def predictions(self) -> Mapping[str, str | None]:
        """Return the patch of each pinned instance, None where the prediction was null."""
        return prediction_rows(self.study)

    @cached_property
    def dataset(self) -> Mapping[str, DatasetRow]:
        """Return the dataset row of each pinned instance."""
        return dataset_rows(self.study)

    @cached_property
    def resolved(self) -> frozenset[str]:
        """Return the ids whose patch passed the tests."""
        return self.study.resolved()

    @cached_property
    def _repositories(self) -> dict[str, "OpenRepository"]:
        return {}

    def repository(self, name: str, commit: str) -> "OpenRepository":
        """Return the open mirror of a repository that has the commit, cloned or fetched where it must be.

        Raises MirrorError and CommitMissingError.
        """
        from swe_assets.repositories.mirrors import MirrorSettings, open_mirror

        opened = self._repositories.get(name)
        if opened is not None:
            try:
                opened.resolve(commit)
            except CommitMissingError:
                opened.close()
            else:
                return opened
        study = self.study
        settings = MirrorSettings(mirrors_dir(), study.mirrors_folder, dict(study.mirror_map))
        self._repositories[name] = open_mirror(settings, name, commit)
        return self._repositories[name]

    def close(self) -> None:
        """Close the mirrors that were opened."""
        for opened in self._repositories.values():
            opened.close()
        self._repositories.clear()

    @cached_property
    def analyser(self) -> "ProjectAnalyser":
        """Return the analyser that the study names; nothing is asked of a server until it must be."""
        from swe_assets.analysers.measured_here import in_two_steps
        from swe_assets.analysers.registry import analyser_named
        from swe_assets.analysers.settings import AnalyserSettings

        study = self.study
        told = AnalyserSettings(study.name, study.sonar_mode, study.path / "analyser.json")
        return in_two_steps(analyser_named(study.analyser, told))

    @property
    def models(self) -> Mapping[str, "ChatModel"]:
        """Return the judges that the study names, by name; ConfigurationError where a key is missing.

        Threads that ask at once get the same models.
        """
        with self._opening:
            return self._models

    @cached_property
    def _models(self) -> dict[str, "ChatModel"]:
        from swe_assets.llm.model_settings import ModelSettings
        from swe_assets.llm.registry import model_named

        settings = ModelSettings(services=self.call_services, folder=self.study.path)
        return {name: model_named(name, settings) for name in self.study.judges}

    @property
    def model(self) -> "ChatModel":
        """Return the study's first judge; ConfigurationError where a key is missing."""
        return self.models[self.study.judges[0]]

    @cached_property
    def planned_models(self) -> Mapping[str, "ChatModel"]:
        """Return the judges for reading their provenance, which needs no key."""
        from swe_assets.llm.model_settings import ModelSettings
        from swe_assets.llm.registry import model_named

        settings = ModelSettings(check=False, folder=self.study.path)
        return {name: model_named(name, settings) for name in self.study.judges}

    @property
    def call_services(self) -> "CallServices":
        """Return what the judges share: the answers kept for all studies, the meter, the stop of calls."""
        with self._opening:
            return self._call_services

    @cached_property
    def _call_services(self) -> "CallServices":
        from swe_assets.llm.call_store import open_call_store
        from swe_assets.llm.called_model import CallServices

        return CallServices(open_call_store(home()), self.meter)

    @cached_property
    def prices(self) -> "PriceList":
        """Return the prices by which this run's calls are shown, each looked up once."""
        from swe_assets.llm.prices import PriceList

        return PriceList()

    @property
    def call_concurrency(self) -> int:
        """Return how many instances may be judged at once: what the most patient judge allows.

        An instance's judges are asked at once, and each model bounds its own calls under way.
        """
        from swe_assets.llm.called_model import call_threads

        return max(map(call_threads, self.planned_models.values()))

    def stop_calls(self) -> None:
        """Let no further call begin, and end the waits between calls; what is under way is kept."""
        self.call_services.stop.set()

    def parses(self, content: bytes) -> bool:
        """Return whether a Python source parses, by the grammar that SonarQube reads."""
        from swe_assets.analysers.embedded import parses

        return parses(content)

    @cached_property
    def prompts(self) -> "Prompts":
        """Return the judge's prompts: the study's own folder of them, or ours."""
        from swe_assets.judging.prompts import Prompts

        folder = self.study.path / "prompts"
        return Prompts.load(folder if folder.is_dir() else None)
