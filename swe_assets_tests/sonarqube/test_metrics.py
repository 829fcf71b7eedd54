"""Which metrics are numbers, and how they are asked for."""

import pytest

from swe_assets.errors import SonarReplyError
from swe_assets.sonarqube.metrics import KEYS_A_CALL, Metric, batches, metrics_in, numeric_only

SHOWN = {"key": "ncloc", "type": "INT", "direction": -1, "hidden": False, "domain": "Size"}


def test_a_metric_as_25_11_lists_it() -> None:
    """Key, type, direction and domain are read; ncloc's absence stands for nothing."""
    assert metrics_in({"metrics": [SHOWN]}) == [Metric("ncloc", "INT", -1, None, "Size")]


def test_a_metric_as_a_tree_lists_it() -> None:
    """A tree's own list says the direction in other words."""
    row = {"key": "coverage", "type": "PERCENT", "higherValuesAreBetter": True, "bestValue": "100.0"}
    assert metrics_in({"metrics": [row]}) == [Metric("coverage", "PERCENT", 1, None)]


def test_only_stored_best_values_stand_for_absence() -> None:
    """Violations count 0 where they are absent; coverage, whose best value is 100, does not count."""
    rows = [
        {"key": key, "type": "INT"} for key in ("violations", "coverage", "new_violations", "uncovered_lines")
    ]
    assert [metric.best_value for metric in metrics_in({"metrics": rows})] == [0.0, None, None, None]


def test_hidden_and_wordy_metrics_are_no_numbers() -> None:
    """What is hidden, a level, data or a distribution is left out; a key twice counts once."""
    kinds = ["INT", "FLOAT", "PERCENT", "RATING", "WORK_DUR", "MILLISEC", "BOOL", "LEVEL", "DATA", "DISTRIB"]
    rows = [{"key": kind.lower(), "type": kind} for kind in kinds]
    hidden = {"key": "h", "type": "INT", "hidden": True}
    found = numeric_only(metrics_in({"metrics": [*rows, hidden, rows[0]]}))
    assert [metric.type for metric in found] == kinds[:6]


@pytest.mark.parametrize(
    "reply", [{}, {"metrics": 1}, {"metrics": [{"key": "a"}]}, [], {"metrics": [{"type": "INT"}]}]
)
def test_a_reply_without_metrics_is_refused(reply: object) -> None:
    """A list of metrics has keys and types."""
    with pytest.raises(SonarReplyError):
        metrics_in(reply)


@pytest.mark.parametrize("count", [0, 1, 74, 75, 76, 150, 151])
def test_no_batch_is_larger_than_a_call_takes(count: int) -> None:
    """All keys come, once and in order, at most 75 a call."""
    keys = [f"k{number}" for number in range(count)]
    parts = list(batches([*keys, *keys[:3]]))
    assert [key for part in parts for key in part] == keys
    assert all(0 < len(part) <= KEYS_A_CALL for part in parts)
