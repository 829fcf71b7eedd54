"""Analyses for tests of the page: every table that it draws, small, with hostile texts where texts are."""

from dataclasses import replace
from typing import Any

import numpy as np

from swe_assets.reporting.tables import Analysis, Column, Kind, Table
from swe_assets.statistics.undefined import Undefined

EVIL = (
    "</pre></script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>"
    "<style>*{display:none}</style><a href='https://example.org/x'>x</a>"
)
MEASURES = ("pass@1", "M_defesa", "ncloc", "violations")
MARKED = {"M_defesa": ["rehearsal"], "violations": ["stand_in"], "judge-a": ["rehearsal"]}
ORIGIN = frozenset({"rehearsal", "stand_in"})
PATCH = f"diff --git a/x.py b/x.py\n@@ -1,2 +1,2 @@\n-{EVIL}\n+safe\u202eelif\u200b\n same\n"


def table(
    name: str, columns: str, *rows: tuple[object, ...], title: str = "", marks: frozenset[str] = ORIGIN
) -> Table:
    """Return a table; ``columns`` are ``name:kind`` apart by spaces, number where no kind is said."""
    made = []
    for column in columns.split():
        head, _, kind = column.partition(":")
        found: Kind = kind or "number"  # type: ignore[assignment] # the test's own words
        made.append(Column(head, {"pt": f"{head} (pt)", "en": f"{head} (en)"}, found))
    titles = {"pt": title or f"Tabela {name}", "en": title or f"Table {name}"}
    return Table(name, titles, tuple(made), rows, marks=marks)


def flow() -> Table:
    """Return the flow of fifty instances, with an outcome that is not known."""
    unknown = Undefined("the outcome of 1 is not known")
    return table(
        "flow",
        "step:id reason:text n:integer resolved:integer rate:share",
        ("pinned", None, 50, unknown, unknown),
        ("patches", f"empty {EVIL}", 6, 0, 0.0),
        ("patches", None, 44, 30, 30 / 44),
        ("in_matrix", None, 44, 30, 30 / 44),
        marks=frozenset(),
    )


def spearman(rho: float | Undefined = -0.2) -> Table:
    """Return every pair of the measures; the first has the given rho."""
    pairs = [(a, b) for at, a in enumerate(MEASURES) for b in MEASURES[at + 1 :]]
    rows = []
    for at, (a, b) in enumerate(pairs):
        value = rho if at == 0 else 0.1 * at
        rest = (
            (Undefined("constant"),) * 6
            if isinstance(value, Undefined)
            else (0.01, 0.2, 0.1, -0.4, 0.6, 0.01)
        )
        rows.append((a, b, value, *rest, None if b == "ncloc" else 0.05))
    columns = "a:id b:id rho p:p p_holm:p p_bh:p ci_low ci_high p_permutation:p partial_rho_given_size"
    return table("spearman", columns, *rows)


def logit() -> Table:
    """Return two models by two estimators: a separated term, an infinite VIF."""
    infinite = Undefined("no finite estimate", infinite=True)
    rows = []
    for model in ("total", "delta"):
        rows += [
            (model, "ml", "const", 1.0, 2.7, 1.0, 7.0, 0.02, None),
            (model, "ml", "M_defesa", infinite, infinite, 1.2, infinite, Undefined("separated"), 1.2),
            (model, "ml", "ncloc_log", -0.5, 0.6, 0.4, 0.9, 0.03, infinite),
            (model, "firth", "M_defesa", 2.0, 7.4, 1.1, infinite, 0.04, 1.2),
            (model, "firth", "ncloc_log", -0.4, 0.67, 0.5, 0.9, 0.03, infinite),
        ]
    columns = "model:id kind:id term:id coef odds_ratio:ratio ci_low:ratio ci_high:ratio p:p vif"
    return table("logit", columns, *rows)


def instances(count: int = 120) -> Table:
    """Return so many instances: every third resolved, every tenth outside of the matrix."""
    random = np.random.default_rng(3)
    rows = [
        (
            f"demo__pkg-{at}", f"demo/pkg{at % 3}", "excluded" if at % 10 == 9 else "in_matrix",
            EVIL if at % 10 == 9 else None, int(at % 3 == 0), at % 4, int(random.integers(1, 10_000)), 7,
            None if at % 10 == 9 else bool(at % 2),
        )
        for at in range(count)
    ]  # fmt: skip
    columns = (
        "instance_id:id repo:id place:id reason:text pass@1:integer M_defesa:integer ncloc:integer "
        "delta_ncloc:integer resolve_issue:truth"
    )
    return table("instances", columns, *rows)


def findings() -> Table:
    """Return three findings: one that is marked, one fragile, one whose sentence is markup."""
    led = {
        "pt": "[ENSAIO: juiz de ensaio, não um modelo] M_defesa liga-se a pass@1.",
        "en": "[REHEARSAL: the rehearsal judge, not a model] M_defesa goes with pass@1.",
    }
    return table(
        "findings",
        "order:integer pt:text en:text strength:id table:id row:integer",
        (1, led["pt"], led["en"], "strong", "spearman", 0),
        (2, "Frágil.", "Fragile.", "fragile", "logit", 2),
        (3, EVIL, EVIL, "none", "flow", 0),
    )


def whole(count: int = 120) -> Analysis:
    """Return an analysis with every table that has a figure, and with hostile title and texts."""
    tables = [findings(), flow(), *_distributions(), spearman(), _sides(), _missing(), logit(), _influence()]
    tables += [*_judges(), instances(count), *_studies()]
    texts = {f"demo__pkg-{at}": {"patch": PATCH, f"reasoning {EVIL}": EVIL} for at in range(0, count, 2)}
    manifest: dict[str, Any] = {
        "inputs": {"matriz.csv": "0" * 64},
        "marked": MARKED,
        "labels": {"stand_in": "Ruff 0.17.6"},
        "absent": {"power": {"pt": "Não foi pedido.", "en": "It was not asked for."}},
        "provenance": {"commands": [EVIL]},
    }
    return Analysis(f"Demo {EVIL}", {one.name: one for one in tables}, manifest, texts)


def without(analysis: Analysis, *names: str) -> Analysis:
    """Return an analysis that lacks some tables."""
    kept = {name: one for name, one in analysis.tables.items() if name not in names}
    return replace(analysis, tables=kept)


def _distributions() -> list[Table]:
    bars = [(name, float(at), float(at + 1), 3 + at) for name in MEASURES for at in range(4)]
    rows = [(name, 18, 0.0, 2.0, 3.0) for name in MEASURES]
    empty = ("base_ncloc", 0, *(Undefined("no value"),) * 3)
    return [
        table("distributions", "column:id n:integer min median max", *rows, empty),
        table("histograms", "column:id low high n:integer", *bars),
    ]


def _sides() -> Table:
    columns = "a:id b:id rho_total p_total:p rho_base p_base:p rho_delta p_delta:p"
    return table("spearman_sides", columns, ("pass@1", "ncloc", -0.2, 0.01, -0.18, 0.02, 0.1, 0.4))


def _missing() -> Table:
    return table("missing_bounds", "a:id b:id rho rho_best rho_worst", ("pass@1", "ncloc", -0.2, 0.1, -0.5))


def _influence() -> Table:
    return table(
        "influence",
        "model:id kind:id term:id coef p:p instance_id:id coef_without p_without:p changes_conclusion:truth",
        ("total", "ml", "M_defesa", 1.0, 0.04, "demo__pkg-1", 0.8, 0.2, True),
        ("total", "ml", "ncloc_log", 1.0, 0.5, "demo__pkg-2", 0.8, Undefined("no test"), False),
        ("spearman", "rho", "pass@1 × violations", 0.3, 1e-9, "demo__pkg-3", 0.2, 1e-8, False),
    )


def _judges() -> list[Table]:
    rates = "accuracy:share accuracy_low:share accuracy_high:share sensitivity:share sensitivity_low:share"
    rates += " sensitivity_high:share specificity:share specificity_low:share specificity_high:share"
    rates += " precision:share precision_low:share precision_high:share"
    told, ends = (0.8, 0.7, 0.9) * 4, "low:share high:share"
    calibrated = [
        ("judge-a", at + 1, 9, at / 10 + 0.05, at / 10, max(at / 10 - 0.1, 0), at / 10 + 0.1)
        for at in range(9)
    ]
    return [
        table(
            "judge_tests", f"judge:id n:integer tp:integer fp:integer fn:integer tn:integer {rates} mcc",
            ("judge-a", 40, 20, 5, 3, 12, *told, 0.6), marks=frozenset({"rehearsal"}),
        ),
        table("calibration", f"who:id bin:integer n:integer mean_said:share rate:share {ends}", *calibrated),
        table(
            "discrimination", f"who:id sample:id auc:share {ends}",
            ("judge-a", "stated", 0.8, 0.7, 0.9),
            ("model: total", "in_sample", 0.6, 0.5, 0.7),
            ("model: total", "cross_validated", 0.55, 0.45, 0.65),
        ),
    ]  # fmt: skip


def _studies() -> list[Table]:
    return [
        table(
            "comparison_studies", "study:id n:integer resolved:integer rate:share low:share high:share",
            ("one", 50, 30, 0.6, 0.46, 0.72), ("other", 50, 20, 0.4, 0.28, 0.54),
        ),
        table("comparison", "a:id b:id difference low high p_holm:p", ("one", "other", 0.2, 0.1, 0.3, 0.01)),
        table(
            "comparison_metrics", "a:id b:id metric:id difference low high p_holm:p d d_low d_high",
            ("one", "other", "ncloc", -1.5, -2.0, -1.0, 1e-4, -3.0, -4.1, -1.9),
            ("one", "other", "violations", 0.0, *(Undefined("all 50 scores are 0"),) * 6),
        ),
    ]  # fmt: skip
