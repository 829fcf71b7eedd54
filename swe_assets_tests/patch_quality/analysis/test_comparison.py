"""Comparison of studies: real submissions, values by hand and by scipy."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from swe_assets.errors import InputError, ReportError
from swe_assets.patch_quality.analysis.comparison import Submission, submission_of, submission_of_csv
from swe_assets.patch_quality.analysis.comparison_files import (
    ENTRIES,
    comparison_analysis,
    read_comparison,
    write_comparison,
)
from swe_assets.patch_quality.analysis.evidence import InstanceLine
from swe_assets.patch_quality.analysis.evidence_files import write_evidence
from swe_assets.patch_quality.analysis.evidence_tables import instances_csv, matrix_csv
from swe_assets.patch_quality.analysis.instance_table import instance_table
from swe_assets.patch_quality.analysis.labels import Labels
from swe_assets.reporting.tables import to_csv
from swe_assets_tests.patch_quality.analysis.matrices import frame, labelled, saved
from swe_assets_tests.patch_quality.analysis.studies import sided, study
from swe_assets_tests.shared_data import shared


def polydev(system: str) -> Submission:
    """Return a real submission to SWE-bench Verified: its outcomes on the 500 instances."""
    folder = shared("data", "swebench")
    with gzip.open(folder / "verified_500.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    told = json.loads((folder / "submissions/polydev_hybrid_haiku45/outcome.json").read_text())
    resolved = set(told[system]["resolved_ids"])
    lines_of = (
        InstanceLine(r["instance_id"], r["repo"], resolved=r["instance_id"] in resolved) for r in rows
    )
    return Submission(system, tuple(lines_of))


def vexp() -> Submission:
    """Return another real submission, to 100 of the instances."""
    path = shared("data", "swebench", "submissions", "vexp_claude_opus45_100", "outcome.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return Submission(
        "vexp", tuple(InstanceLine(r["instanceId"], r["repo"], resolved=r["resolved"]) for r in rows)
    )


def small(name: str, outcomes: str, **known: float) -> Submission:
    """Return a submission from a word of outcomes, such as ``110``."""
    lines = (InstanceLine(f"i{at}", "o/n", resolved=o == "1", known=known) for at, o in enumerate(outcomes))
    return Submission(name, tuple(lines))


def test_real_submissions() -> None:
    """Polydev's hybrid resolves 373 of 500 and its baseline 323; McNemar is scipy's binomial test."""
    analysis = comparison_analysis([polydev("hybrid"), polydev("baseline"), vexp()])
    rates = [
        (row["study"], row["n"], row["resolved"]) for row in analysis.tables["comparison_studies"].records()
    ]
    assert rates == [("hybrid", 500, 373), ("baseline", 500, 323), ("vexp", 100, 73)]
    first, second, third = analysis.tables["comparison"].records()
    assert (first["only_a"], first["only_b"], first["difference"]) == (50, 0, 0.1)
    assert first["p_mcnemar"] == pytest.approx(stats.binomtest(0, 50).pvalue, rel=1e-12)
    assert (second["n"], third["n"]) == (100, 100)
    expected = stats.binomtest(second["only_a"], second["only_a"] + second["only_b"]).pvalue
    assert second["p_mcnemar"] == pytest.approx(expected, rel=1e-12)
    assert second["both"] + second["only_b"] == 73


def test_counts_by_hand() -> None:
    """Of five instances both resolve one, a alone two, b alone one, neither one."""
    (row,) = comparison_analysis([small("a", "11100"), small("b", "10010")]).tables["comparison"].records()
    assert [row[k] for k in ("both", "only_a", "only_b", "neither")] == [1, 2, 1, 1]
    assert (row["p_mcnemar"], row["rate_a"], row["rate_b"]) == (1.0, 0.6, 0.4)


def test_metrics_are_scipys_paired_t() -> None:
    """A measure's difference over common instances is scipy's paired t test."""
    one, other = sided(40), sided(40)
    other["ncloc"] = other["ncloc"] + [1, 2] * 20
    from swe_assets.patch_quality.analysis.evidence import Evidence
    from swe_assets.patch_quality.analysis.matrix import matrix_of

    pair = [submission_of(n, Evidence(n, matrix_of(t))) for n, t in (("a", one), ("b", other))]
    rows = {row["metric"]: row for row in comparison_analysis(pair).tables["comparison_metrics"].records()}
    assert rows["ncloc"]["difference"] == -1.5
    assert rows["ncloc"]["p"] == pytest.approx(stats.ttest_rel(one["ncloc"], other["ncloc"]).pvalue, rel=1e-9)


def test_one_repository_alone_is_not_strong() -> None:
    """A measure that differs in one repository alone: statsmodels' clustered p, and no strong finding."""
    import statsmodels.api as sm

    repos = [f"o/r{at // 20}" for at in range(100)]
    gap = [5 * (at < 20) + at % 2 for at in range(100)]
    pair = [
        Submission(name, tuple(
            InstanceLine(f"i{at}", repo, resolved=True, known={"ncloc": 10 + more * gap[at]})
            for at, repo in enumerate(repos)
        ))
        for name, more in (("a", 1), ("b", 0))
    ]  # fmt: skip
    analysis = comparison_analysis(pair)
    (row,) = analysis.tables["comparison_metrics"].records()
    codes = {"groups": [repos.index(repo) for repo in repos]}
    fit = sm.OLS(gap, [1] * 100).fit(cov_type="cluster", cov_kwds=codes, use_t=True)
    assert (row["p_clustered"], row["n_clusters"]) == (pytest.approx(fit.pvalues[0], rel=1e-9), 5)
    assert [row["low_clustered"], row["high_clustered"]] == pytest.approx(fit.conf_int()[0].tolist())
    assert row["p_holm"] < 1e-4 < 0.05 < row["p_clustered"]
    assert row["d"] == pytest.approx(fit.params[0] / np.std(gap, ddof=1)) and row["d_low"] < 0 < row["d_high"]
    (told,) = [one for one in analysis.tables["findings"].records() if one["table"] == "comparison_metrics"]
    assert told["strength"] == "moderate" and "with repositories as clusters, p = 0." in told["en"]


def test_equal_studies_differ_in_nothing() -> None:
    """A study beside itself: no difference in rate is shown, and no finding on a measure."""
    analysis = comparison_analysis([submission_of(name, study()) for name in ("a", "b")])
    (row,) = analysis.tables["findings"].records()
    assert "no difference is shown" in row["en"] and row["strength"] == "none"


@pytest.mark.parametrize("given", [[], ["a"], ["a", "a"]])
def test_fewer_than_two_studies(given: list[str]) -> None:
    """Less than two studies, or two of one name, are an error."""
    with pytest.raises(InputError, match="at least two"):
        comparison_analysis([small(name, "10") for name in given])


def test_studies_without_a_common_instance() -> None:
    """Studies of different datasets are an error that names them."""
    other = Submission("b", (InstanceLine("elsewhere", resolved=True),))
    with pytest.raises(InputError, match="'a' and 'b'"):
        comparison_analysis([small("a", "10"), other])


def test_written_and_read(tmp_path: Path) -> None:
    """A comparison is read back as it was written, and a changed file is named."""
    pair = [small("a", "110", ncloc=3), small("b", "011")]
    write_comparison(tmp_path, pair)
    assert read_comparison(tmp_path) == (pair, [])
    (tmp_path / "estudo_1.csv").write_text((tmp_path / "estudo_1.csv").read_text().replace(",1,", ",0,", 1))
    assert read_comparison(tmp_path)[1] == ["input 'estudo_1.csv': not what was compared (sha256)"]


def test_entries_that_lead_elsewhere(tmp_path: Path) -> None:
    """Entries that name a file of another folder are refused."""
    write_comparison(tmp_path, [small("a", "110"), small("b", "011")])
    path = tmp_path / ENTRIES
    path.write_text(path.read_text().replace("estudo_1.csv", "../estudo_1.csv"))
    with pytest.raises(ReportError):
        read_comparison(tmp_path)


def test_matrix_or_outcomes_alone(tmp_path: Path) -> None:
    """A CSV is taken as a matrix with its measures, or as outcomes alone."""
    whole = submission_of_csv("m", saved(frame(9), tmp_path / "m.csv"))
    (tmp_path / "o.csv").write_text("instance_id,pass@1\na,1\n")
    assert len(whole.lines) == 9 and "ncloc" in whole.lines[0].known
    assert submission_of_csv("o", tmp_path / "o.csv").outcomes == {"a": True}


def test_a_table_that_is_no_whole_matrix_keeps_its_marks(tmp_path: Path) -> None:
    """Without one of the nine columns, and as a report's own table, a rehearsal's ratings stay marked."""
    part = saved(labelled(9).drop(columns="ncloc"), tmp_path / "part.csv")
    one = submission_of_csv("part", part)
    assert one.marks == {"rehearsal", "stand_in"} and "M_defesa" in one.lines[0].known
    (tmp_path / "own.csv").write_bytes(instances_csv(one.lines, one.marks))
    assert submission_of_csv("own", tmp_path / "own.csv").marks == one.marks
    other = replace(submission_of_csv("other", part), marks=frozenset())
    analysis = comparison_analysis([one, other])
    assert analysis.manifest["marked"]["part"] == ["rehearsal", "stand_in"]
    assert "other" not in analysis.manifest["marked"]
    assert analysis.tables["comparison_metrics"].marks == {"rehearsal", "stand_in"}


def test_a_reports_own_instances_are_compared(tmp_path: Path) -> None:
    """The instances that a report keeps, those outside of the matrix too, are a study to compare."""
    evidence = study(sided(20), labels=Labels(rehearsal=True))
    write_evidence(tmp_path, evidence, matrix_csv(evidence.matrix))
    (tmp_path / "instances.csv").write_bytes(to_csv(instance_table(evidence)))
    for name in ("instancias.csv", "instances.csv"):
        found = submission_of_csv("own", tmp_path / name)
        assert len(found.outcomes) == len(evidence.lines) and found.marks == {"rehearsal"}
