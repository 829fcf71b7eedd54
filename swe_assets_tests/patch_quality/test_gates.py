"""Tests that each gate lets good records pass and names the instance where one is wrong."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from swe_assets.patch_quality import gates, gates_of_judges
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.check_verdict import CheckVerdict
from swe_assets.patch_quality.sample import Sample
from swe_assets.storage.records import OK, Record
from swe_assets_tests.patch_quality.small_study import SmallStudy, small_study

ALL_GATES = (
    gates.ids_unique_and_known,
    gates.every_patch_has_an_outcome,
    gates.measured_file_differs_from_base,
    gates.measures_complete_and_in_range,
    gates_of_judges.judge_schema,
    gates_of_judges.extraction_schema,
    gates.account_adds_up,
    gates.matrix_is_the_join_of_its_sources,
    gates.matrix_schema,
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, sample: Sample) -> SmallStudy:
    """Give a study that was run to its end."""
    study = small_study(tmp_path_factory.mktemp("gates home"), sample, 30)
    study.run(expected=None)
    return study


@pytest.fixture
def bench(finished: SmallStudy, monkeypatch: pytest.MonkeyPatch) -> PatchBench:
    """Open the finished study's bench in this process."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(finished.home))
    return PatchBench.open(finished.name)


def usable(bench: PatchBench, asset: str) -> Record:
    """Return the first record of an asset that is not excluded."""
    return next(r for r in bench.store.records(asset, bench.instances) if r.status == OK)


def judged(
    bench: PatchBench, record: Record, payload: Mapping[str, Any], gate: Callable[[PatchBench], CheckVerdict]
) -> CheckVerdict:
    """Return the gate's verdict while the record holds another payload, then put the record back."""
    bench.store.write(Record(record.asset, record.instance_id, payload, record.basis))
    try:
        return gate(bench)
    finally:
        bench.store.write(record)


@pytest.mark.parametrize("gate", ALL_GATES, ids=lambda gate: gate.__name__)
def test_gate_passes_good_records(bench: PatchBench, gate: Callable[[PatchBench], CheckVerdict]) -> None:
    """A finished study passes every gate that is an error, and each looked at something."""
    verdict = gate(bench)
    assert verdict.passed, verdict.description
    assert verdict.looked_at > 0


def test_unknown_outcome_is_named(bench: PatchBench) -> None:
    """An outcome outside the documented ten breaks the gate and names the instance."""
    record = usable(bench, "arquivos_reconstruidos")
    wrong = judged(bench, record, {**record.payload, "outcome": "fine"}, gates.every_patch_has_an_outcome)
    assert set(wrong.wrong) == {record.instance_id}


def test_unpatched_file_is_named(bench: PatchBench) -> None:
    """A measured file that equals its base breaks the gate: the unpatched file was measured."""
    record = usable(bench, "arquivos_reconstruidos")
    files = [
        {**f, "blob_patched": f["blob_base"], "path_patched": f["path_base"]} for f in record.payload["files"]
    ]
    payload = {**record.payload, "files": files}
    wrong = judged(bench, record, payload, gates.measured_file_differs_from_base)
    assert set(wrong.wrong) == {record.instance_id}


@pytest.mark.parametrize(
    "change", [{"ncloc": -1}, {"violations": None}, {"ncloc": 10**9}, {"cognitive_complexity": None}]
)
def test_bad_measure_is_named(bench: PatchBench, change: dict[str, Any]) -> None:
    """A lacking, negative or impossible measure breaks the gate and names the instance."""
    record = usable(bench, "metricas_completas")
    payload = {**record.payload, "patched": {**record.payload["patched"], **change}}
    wrong = judged(bench, record, payload, gates.measures_complete_and_in_range)
    assert set(wrong.wrong) == {record.instance_id}


@pytest.mark.parametrize(
    "change",
    [{"resolve_issue": 1}, {"score_confianca": True}, {"score_confianca": 6}, {"raciocinio_analitico": " "}],
)
def test_bad_verdict_is_named(bench: PatchBench, change: dict[str, Any]) -> None:
    """A verdict outside the schema breaks the gate and names the instance."""
    record = usable(bench, "evaluation_results")
    payload = {**record.payload, "evaluation": {**record.payload["evaluation"], **change}}
    assert set(judged(bench, record, payload, gates_of_judges.judge_schema).wrong) == {record.instance_id}


@pytest.mark.parametrize(
    ("block", "change"),
    [
        ("LLM_Judge_Metrics", {"M_defesa": 4}),
        ("LLM_Judge_Metrics", {"M_defesa": True}),
        ("LLM_Judge_Metrics", {"just_defesa": "w " * 16}),
        ("Metadata_Metrics", {"M_coerencia": 2}),
    ],
)
def test_bad_extraction_is_named(bench: PatchBench, block: str, change: dict[str, Any]) -> None:
    """An extraction outside the schema, or an M_coerencia that its formula does not give, is named."""
    record = usable(bench, "metricas_estruturais_extraidas")
    inner = record.payload["record"]
    payload = {**record.payload, "record": {**inner, block: {**inner[block], **change}}}
    assert set(judged(bench, record, payload, gates_of_judges.extraction_schema).wrong) == {
        record.instance_id
    }


def test_resolved_verdict_on_an_empty_patch_is_warned(bench: PatchBench) -> None:
    """A verdict of resolved on a patch that was not measured is named with the reason."""
    rebuilt = bench.store.headers("arquivos_reconstruidos", bench.instances)
    excluded = {i for i, header in rebuilt.items() if header.reason}
    records = bench.store.records("evaluation_results", bench.instances)
    record = next(r for r in records if r.instance_id in excluded)
    payload = {**record.payload, "evaluation": {**record.payload["evaluation"], "resolve_issue": True}}
    wrong = judged(bench, record, payload, gates_of_judges.resolved_though_not_applied)
    assert record.instance_id in wrong.wrong


def test_lost_instance_breaks_the_account(bench: PatchBench) -> None:
    """An instance without a matrix record breaks the account and is named with the stage it stopped at."""
    record = usable(bench, "matriz_consolidada")
    bench.store.path(record.asset, record.instance_id).unlink()
    try:
        wrong = gates.account_adds_up(bench)
    finally:
        bench.store.write(record)
    assert "not materialised yet" in wrong.wrong[record.instance_id]


def test_stale_instance_breaks_the_account(bench: PatchBench) -> None:
    """An instance whose upstream failed since is not in the matrix by its older row."""
    record = usable(bench, "metricas_completas")
    bench.store.write_failure("projetos_sonar", record.instance_id, "odd")
    try:
        wrong = gates.account_adds_up(bench)
    finally:
        bench.store.failure_path("projetos_sonar", record.instance_id).unlink()
    assert wrong.wrong == {record.instance_id: "projetos_sonar failed: odd"}


def test_older_row_breaks_the_join(bench: PatchBench) -> None:
    """A row that is not what its sources hold now breaks the join and is named."""
    record = usable(bench, "matriz_consolidada")
    payload = {**record.payload, "ncloc": record.payload["ncloc"] + 1}
    wrong = judged(bench, record, payload, gates.matrix_is_the_join_of_its_sources)
    assert set(wrong.wrong) == {record.instance_id}


@pytest.mark.parametrize(
    "change",
    [
        {"pass@1": 2},
        {"M_defesa": 0},
        {"ncloc": -3},
        {"judge": ""},
        {"base_lines": -1},
        {"delta_ncloc": 10**6},
    ],
)
def test_row_outside_the_schema_is_named(bench: PatchBench, change: dict[str, Any]) -> None:
    """A value out of range breaks the schema and names instance, column and value."""
    record = usable(bench, "matriz_consolidada")
    wrong = judged(bench, record, {**record.payload, **change}, gates.matrix_schema)
    assert set(wrong.wrong) == {record.instance_id}
    assert next(iter(change)) in wrong.description


def test_foreign_record_is_named(bench: PatchBench) -> None:
    """A record of an id that is neither pinned nor removed breaks the gate."""
    record = usable(bench, "patches")
    stray = Record("patches", "nobody__x-1", record.payload, record.basis)
    bench.store.write(stray)
    try:
        assert set(gates.ids_unique_and_known(bench).wrong) == {"nobody__x-1"}
    finally:
        bench.store.path("patches", "nobody__x-1").unlink()


def test_small_sample_is_warned(bench: PatchBench, tmp_path: Path) -> None:
    """Thirty instances are too few for four predictors, and the warning gives the events per variable."""
    verdict = gates.large_enough_for_the_logit(bench)
    assert not verdict.passed
    assert "EPV" in verdict.description


def test_long_lists_are_cut_with_their_number() -> None:
    """A verdict names twenty instances and says how many more there are."""
    verdict = CheckVerdict(50, "rule", {f"i-{n}": "bad" for n in range(30)})
    assert "30 of 50 break it" in verdict.description
    assert "and 10 more" in verdict.description
