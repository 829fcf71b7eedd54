"""Measures of a file, a module or a project, where each metric is a number or says why it is none."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from swe_assets.errors import SonarReplyError
from swe_assets.sonarqube.metrics import PARSE_WITNESSES, WITHOUT_PARSING, Metric
from swe_assets.sonarqube.values import Value, parse_value

FILES = ("FIL", "UTS")
"""Qualifiers of files: source and test."""


@dataclass(frozen=True)
class Measured:
    """A metric's value; ``stored`` is False where the server leaves a best value out and it is meant."""

    value: Value
    stored: bool = True


@dataclass(frozen=True)
class NotMeasured:
    """The analyser could not measure, because a file did not parse; never 0."""

    reason: str


@dataclass(frozen=True)
class NotApplicable:
    """There is nothing to measure: no report, no new code, switched off, or no such metric here."""

    reason: str


State = Measured | NotMeasured | NotApplicable


@dataclass(frozen=True)
class Measures:
    """One component's measures, every metric that was asked for, in that order.

    ``parsed`` is None where nothing asked for could tell. ``unparsed`` names the files below it, or itself,
    that did not parse. ``path`` is the one on the server, from the project's root; empty for a project.
    """

    key: str
    path: str
    qualifier: str
    states: Mapping[str, State]
    parsed: bool | None = None
    unparsed: tuple[str, ...] = ()

    def __getitem__(self, metric: str) -> State:
        return self.states[metric]

    def numbers(self) -> dict[str, int | float]:
        """Return the metrics that have a number, in order."""
        return {
            key: state.value
            for key, state in self.states.items()
            if isinstance(state, Measured)
            and isinstance(state.value, int | float)
            and not isinstance(state.value, bool)
        }

    def reasons(self) -> dict[str, str]:
        """Return why each other metric has none."""
        return {
            key: state.reason
            for key, state in self.states.items()
            if isinstance(state, NotMeasured | NotApplicable)
        }

    def switched_off(self, keys: Iterable[str], reason: str) -> "Measures":
        """Return the same measures where some metrics were not applicable to how the scan was made."""
        gone = {key: NotApplicable(reason) for key in keys if key in self.states}
        return replace(self, states={**self.states, **gone})


@dataclass
class Found:
    """A component as the server gave it: raw values by metric, added up over calls.

    ``is_python`` is False for test files, which have no measures of code, and for other languages.
    """

    key: str
    path: str
    qualifier: str
    values: dict[str, Any] = field(default_factory=dict)
    is_python: bool = True


def found_in(row: Any) -> Found:
    """Return one component of a reply of api/measures, its values as they came.

    Raises SonarReplyError where it has no key or qualifier, or where its measures are none.
    """
    if not isinstance(row, Mapping) or not isinstance(row.get("key"), str):
        raise SonarReplyError(f"a component without a key: {str(row)[:120]!r}: is this a SonarQube server?")
    key, qualifier = row["key"], row.get("qualifier")
    path = row.get("path")
    if not isinstance(path, str):
        path = key.split(":", 1)[1] if qualifier in FILES and ":" in key else ""
    rows = row.get("measures", [])
    if not isinstance(rows, list) or not isinstance(qualifier, str):
        raise SonarReplyError(f"component {key!r} has no qualifier or list of measures: {str(row)[:120]!r}")
    values = {str(one["metric"]): value_in(one) for one in rows if "metric" in one}
    is_python = qualifier == "FIL" and row.get("language") in (None, "py")
    return Found(key, path, qualifier, values, is_python)


def value_in(measure: Mapping[str, Any]) -> Any:
    """Return a measure's value as it came: its own, or that of the new-code period in any version's form.

    None where it has neither.
    """
    if measure.get("value") is not None:
        return measure["value"]
    period = measure.get("period")
    periods = measure.get("periods")
    if not isinstance(period, Mapping) and isinstance(periods, list) and periods:
        period = periods[0]
    return period.get("value") if isinstance(period, Mapping) else None


def measures_of(
    found: Found, metrics: Sequence[Metric], unparsed: Sequence[str] = (), *, asked: Iterable[str] = ()
) -> Measures:
    """Return what a component's values mean for each of the metrics.

    ``asked``: keys that the server was asked for besides. ``unparsed``: the files below a module or project
    that did not parse; its totals leave them out, so every metric that needs parsing is NotMeasured there. A
    file parsed if the server has any of PARSE_WITNESSES for it; what is absent there is the best value where
    a server does not store that.
    """
    if found.qualifier in FILES:
        parsed = _parsed(found, {metric.key for metric in metrics} | set(asked))
        missing = [found.path] if parsed is False else []
    else:
        parsed, missing = (not unparsed), list(unparsed)
    states = {metric.key: _state(found, metric, parsed, missing) for metric in metrics}
    return Measures(found.key, found.path, found.qualifier, states, parsed, tuple(missing))


def _parsed(found: Found, asked: set[str]) -> bool | None:
    """Say whether a file parsed; None where no metric that would tell was asked for."""
    if any(found.values.get(key) is not None for key in PARSE_WITNESSES):
        return True
    return False if found.is_python and not asked.isdisjoint(PARSE_WITNESSES) else None


def _state(found: Found, metric: Metric, parsed: bool | None, unparsed: Sequence[str]) -> State:
    """Return what one metric is for a component."""
    raw = found.values.get(metric.key)
    if unparsed and metric.key not in WITHOUT_PARSING:
        more = f" and {len(unparsed) - 3} more" if len(unparsed) > 3 else ""
        return NotMeasured(f"did not parse: {', '.join(map(repr, unparsed[:3]))}{more}")
    if raw is not None:
        return Measured(parse_value(raw, metric.type, metric.key))
    if found.qualifier in FILES and metric.best_value is not None:
        if not parsed:
            return NotMeasured("nothing that was asked for tells whether the file parsed")
        best = metric.best_value
        return Measured(best if metric.type in ("PERCENT", "FLOAT") else int(best), stored=False)
    if metric.key.startswith("new_"):
        return NotApplicable("no new code to measure")
    return NotApplicable(f"the server has no {metric.key} for {found.path or found.key!r}")
