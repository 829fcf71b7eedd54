"""What the judges' tables come to in sentences of both languages."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from swe_assets.errors import ReportError
from swe_assets.judging.jury_agreement import MEASURES, MeasureAgreement, agreement
from swe_assets.judging.jury_consistency import Answer, form, repeats
from swe_assets.judging.jury_quality import Said, quality
from swe_assets.patch_quality.analysis.agreement_tables import agreement_tables
from swe_assets.patch_quality.analysis.consistency_tables import consistency_tables
from swe_assets.patch_quality.analysis.evidence_files import read_evidence, write_evidence
from swe_assets.patch_quality.analysis.evidence_tables import matrix_csv
from swe_assets.patch_quality.analysis.finding import Finding
from swe_assets.patch_quality.analysis.judge_findings import (
    agreement_findings,
    consistency_findings,
    quality_findings,
    shown_tables,
)
from swe_assets.patch_quality.analysis.quality_tables import quality_tables
from swe_assets.reporting.tables import Analysis, Table, from_json, to_json
from swe_assets_tests.patch_quality.analysis.studies import sided, study

REHEARSAL = frozenset({"rehearsal"})


def by_name(tables: Sequence[Table]) -> dict[str, Table]:
    """Return tables by their names."""
    return {table.name: table for table in tables}


def of_jury(found: Sequence[MeasureAgreement], votes: Sequence[tuple[int, int]]) -> list[Finding]:
    """Return the findings of a jury whose scores are all alike."""
    return agreement_findings(by_name(agreement_tables(found, votes, [0] * len(votes), marks=frozenset())))


def judged(marks: frozenset[str] = frozenset()) -> Analysis:
    """Return the tables of one judge's quality as its asset writes them."""
    rows = [Said("x-1", True, 0.95, False, "empty"), Said("x-2", True, 0.95, True)]
    tables = quality_tables([quality("a", rows)], marks=marks)
    return Analysis("Qualidade", by_name(tables), {"judges": ["a"]})


def test_a_jury_s_agreement_in_words() -> None:
    """Count of judges and instances, unanimity and ties come first, then alpha for each measure."""
    found = [agreement({"a": [1, 0, 1, 0], "b": [1, 0, 0, 0]}, MEASURES[0])]
    first, second = of_jury(found, [(2, 2), (0, 2), (1, 2), (0, 2)])
    assert first.sentence["pt"] == "2 juízes, 4 instâncias julgadas: unânimes em 75.0\u00a0%; empates: 1."
    assert first.sentence["en"] == "2 judges, 4 instances judged: unanimous on 75.0\u00a0%; ties: 1."
    assert second.sentence["pt"].startswith("resolve_issue: alfa de Krippendorff 0.533 (IC indefinido: ")
    assert second.sentence["en"].startswith("resolve_issue: Krippendorff's alpha 0.533 (no CI: ")


def test_an_interval_is_told_where_there_is_one() -> None:
    """A value with both bounds has them beside it."""
    found = [agreement({"a": [1, 0] * 10, "b": [1, 0] * 9 + [0, 0]}, MEASURES[0])]
    told = of_jury(found, [(2, 2)] * 20)[1].sentence
    assert "0.902 (IC 95 % " in told["pt"] and "0.902 (95 % CI " in told["en"]


def test_one_judge_has_no_agreement_in_words() -> None:
    """Of one judge there is one sentence, that nothing can be measured."""
    (one,) = of_jury([], [(1, 1)])
    assert one.sentence["pt"] == "Sem acordo a medir: 1 instância julgada por um só juiz."
    assert one.sentence["en"] == "No agreement to measure: 1 instance judged by one judge alone."


def test_quality_in_words() -> None:
    """MCC that has no value says why in each language, and "resolved" said of an empty patch is counted."""
    (one,) = quality_findings(judged().tables)
    assert one.strength == "undefined" and one.sentence["pt"].startswith(
        "a: MCC indefinido (MCC: o que foi dito é de uma só classe); sensibilidade 100.0"
    )
    assert one.sentence["pt"].endswith("«resolvida» dita de 1 de 1 patches que nada resolvem.")
    assert one.sentence["en"].startswith("a: MCC undefined (MCC: what was said is all one class); ")
    assert one.sentence["en"].endswith('"resolved" said of 1 of 1 patches that do nothing.')


def test_consistency_in_words() -> None:
    """Not asked for is said; asked for, each judge has a sentence a form with its failed calls."""
    none = consistency_tables([], [], {}, asked=False, marks=frozenset())
    (one,) = consistency_findings(by_name(none))
    assert one.sentence["pt"].startswith("Consistência não pedida")
    answers = [Answer("x-1", "base", True, 4), Answer("x-1", "repeat-2", error="blocked: x")]
    answers += [Answer("x-1", "order", False, 4)]
    steady, other = [repeats("a", answers)], [form("a", "order", answers)]
    made = consistency_tables(steady, other, {"a": answers}, asked=True, marks=REHEARSAL)
    again, first = consistency_findings(by_name(made))
    assert (
        again.sentence["en"].startswith("[REHEARSAL: ")
        and " a, the same question again: " in again.sentence["en"]
    )
    assert again.sentence["pt"].endswith("chamadas sem veredito: 1.") and again.strength == "undefined"
    assert "a, o patch primeiro: muda de veredito em 100.0" in first.sentence["pt"]


def test_a_report_makes_them_again_from_the_tables() -> None:
    """Read back from JSON the tables give the same sentences, each with its row, led by its mark."""
    made = shown_tables({"qualidade_juiz": judged(REHEARSAL)})
    assert shown_tables({"qualidade_juiz": from_json(to_json(judged(REHEARSAL)))}) == made
    (row,) = made["judge_findings"].records()
    assert row["en"].startswith("[REHEARSAL: ") and row["pt"].startswith("[ENSAIO: ")
    assert made[row["table"]].records()[row["row"]]["statistic"] == "mcc"
    assert made["judge_findings"].marks == REHEARSAL and not shown_tables({})


def test_garbled_tables_are_an_error() -> None:
    """A table about judges that lacks a row its sentence tells is an error with the way out."""
    text = to_json(judged()).replace('"mcc"', '"other"')
    with pytest.raises(ReportError, match="'mcc'; run the study again"):
        shown_tables({"qualidade_juiz": from_json(text)})


def test_the_tables_are_inputs_of_the_report(tmp_path: Path) -> None:
    """What an asset about judges wrote lies among the inputs, and is read back as it was."""
    evidence = study(sided(20))
    evidence = type(evidence)(**{**vars(evidence), "about_judges": {"qualidade_juiz": judged()}})
    write_evidence(tmp_path, evidence, matrix_csv(evidence.matrix))
    found, changed = read_evidence(tmp_path)
    assert found.about_judges == evidence.about_judges and not changed
    (tmp_path / "qualidade_juiz.json").write_text(to_json(judged(REHEARSAL)), "utf-8")
    assert read_evidence(tmp_path)[1][0].startswith("input 'qualidade_juiz.json': sha256 ")
