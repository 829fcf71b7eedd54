"""The analysers a study can name."""

from collections.abc import Callable

from swe_assets.analysers.protocol import Analyser
from swe_assets.analysers.settings import AnalyserSettings
from swe_assets.errors import ConfigurationError

DEFAULT = AnalyserSettings()


def _embedded(_settings: AnalyserSettings) -> Analyser:
    from swe_assets.analysers.embedded import EmbeddedAnalyser

    return EmbeddedAnalyser()


def _sonarqube(settings: AnalyserSettings) -> Analyser:
    from swe_assets.analysers.sonarqube import SonarQubeAnalyser

    return SonarQubeAnalyser(settings)


_KNOWN: dict[str, Callable[[AnalyserSettings], Analyser]] = {"embedded": _embedded, "sonarqube": _sonarqube}


def analyser_names() -> tuple[str, ...]:
    """Return the names of all known analysers, the default first."""
    return tuple(_KNOWN)


def analyser_named(name: str, settings: AnalyserSettings = DEFAULT) -> Analyser:
    """Return the analyser a study names; raises ConfigurationError for a name nobody registered."""
    make = _KNOWN.get(name)
    if make is None:
        known = ", ".join(_KNOWN)
        raise ConfigurationError(f"no analyser is called {name!r}; known are: {known}")
    return make(settings)


def register_analyser(name: str, make: Callable[[], Analyser]) -> None:
    """Make an analyser known under a name; raises ConfigurationError if the name is taken."""
    if name in _KNOWN:
        raise ConfigurationError(f"an analyser called {name!r} is there already; choose another name")
    _KNOWN[name] = lambda _settings: make()
