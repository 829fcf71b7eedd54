"""Which metrics a server knows, which of them are numbers, and which count 0 where they are absent."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from swe_assets.errors import SonarReplyError
from swe_assets.sonarqube.values import NUMERIC_TYPES

KEYS_A_CALL = 75
"""Metric keys that api/measures takes in one call; one more is refused with 400."""

PARSE_WITNESSES = ("ncloc", "complexity", "functions", "statements", "classes", "comment_lines")
"""Metrics that the Python analyser stores, also as 0, for every file that it parsed and for no other."""

WITHOUT_PARSING = frozenset({"files", "lines", "generated_lines"})
"""Metrics that a file has although it did not parse."""

ZERO_WHEN_ABSENT = frozenset(
    {
        *("violations", "open_issues", "reopened_issues", "confirmed_issues", "accepted_issues"),
        *("false_positive_issues", "high_impact_accepted_issues", "wont_fix_issues"),
        *(f"{level}_violations" for level in ("blocker", "critical", "major", "minor", "info")),
        *(f"software_quality_{level}_issues" for level in ("blocker", "high", "medium", "low", "info")),
        *(f"software_quality_{side}_issues" for side in ("maintainability", "reliability", "security")),
        *(
            f"software_quality_{side}_remediation_effort"
            for side in ("maintainability", "reliability", "security")
        ),
        "software_quality_maintainability_debt_ratio",
        *("bugs", "code_smells", "vulnerabilities", "security_hotspots", "cognitive_complexity"),
        *("sqale_index", "sqale_debt_ratio", "reliability_remediation_effort", "security_remediation_effort"),
        "effort_to_reach_maintainability_rating_a",
        "effort_to_reach_software_quality_maintainability_rating_a",
        *("duplicated_blocks", "duplicated_files", "duplicated_lines", "duplicated_lines_density"),
    }
)
"""Metrics whose best value 0 a server does not store for a file.

Measured on 25.11: what api/measures/component fills in and component_tree with qualifiers=FIL leaves out;
``wont_fix_issues`` is the name that 9.9 gives to accepted issues. A best value alone does not tell: coverage
has one of 100, and its absence does not mean 100.
"""


@dataclass(frozen=True)
class Metric:
    """One metric: ``direction`` 1 where more is better, -1 where less is, 0 neither.

    ``best_value`` is what its absence means for a file that parsed, None where absence means nothing.
    """

    key: str
    type: str
    direction: int = 0
    best_value: float | None = None
    domain: str = ""

    @property
    def numeric(self) -> bool:
        """Say whether its values are numbers."""
        return self.type in NUMERIC_TYPES


def metrics_in(reply: Any) -> list[Metric]:
    """Return the visible metrics of one page of api/metrics/search, or of a reply's ``metrics``, in order.

    Raises SonarReplyError where the reply has no list of metrics.
    """
    rows = reply.get("metrics") if isinstance(reply, Mapping) else None
    if not isinstance(rows, list):
        raise SonarReplyError("a reply about metrics has no list 'metrics': is this a SonarQube server?")
    return [_metric(row) for row in rows if isinstance(row, Mapping) and row.get("hidden") is not True]


def _metric(row: Mapping[str, Any]) -> Metric:
    """Return one metric of a reply."""
    key, kind = row.get("key"), row.get("type")
    if not isinstance(key, str) or not key or not isinstance(kind, str):
        raise SonarReplyError(f"a metric without a key or type: {str(dict(row))[:120]}")
    return Metric(key, kind, _direction(row), best_value_of(key), str(row.get("domain") or ""))


def _direction(row: Mapping[str, Any]) -> int:
    """Return a metric's direction, which older and newer replies say in two ways."""
    said = row.get("direction")
    if isinstance(said, int) and not isinstance(said, bool):
        return said
    better = row.get("higherValuesAreBetter")
    return 0 if not isinstance(better, bool) else (1 if better else -1)


def best_value_of(key: str) -> float | None:
    """Return what an absent measure of a parsed file stands for, None where it stands for nothing."""
    return 0.0 if key in ZERO_WHEN_ABSENT else None


def numeric_only(metrics: Iterable[Metric]) -> tuple[Metric, ...]:
    """Return the metrics whose values are numbers, each key once, in order."""
    return tuple({metric.key: metric for metric in metrics if metric.numeric}.values())


def batches(keys: Sequence[str], size: int = KEYS_A_CALL) -> Iterator[list[str]]:
    """Yield the keys, each once and in order, in lists that one call takes."""
    once = list(dict.fromkeys(keys))
    for start in range(0, len(once), size):
        yield once[start : start + size]
