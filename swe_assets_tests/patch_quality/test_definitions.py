"""Tests of what the code location offers to Dagster."""

import logging
from pathlib import Path

import dagster as dg
import pytest

from swe_assets.patch_quality.definitions import load_definitions
from swe_assets.patch_quality.report_assets import REPORT_NAMES
from swe_assets.patch_quality.sample import Sample
from swe_assets.patch_quality.stages import STAGE_NAMES, depths, stages
from swe_assets.patch_quality.study import load_study
from swe_assets.patch_quality.study_assets import study_definitions
from swe_assets.storage.engine import backfill_policy
from swe_assets_tests.patch_quality.small_study import SmallStudy, small_study

EDGES = {
    "patches": set(),
    "mapeamento_commits": {"patches"},
    "arquivos_reconstruidos": {"patches", "mapeamento_commits"},
    "projetos_sonar": {"arquivos_reconstruidos"},
    "metricas_completas": {"projetos_sonar"},
    "resultados_testes": set(),
    "evaluation_payload": {"patches"},
    "evaluation_results": {"evaluation_payload"},
    "metricas_estruturais_extraidas": {"evaluation_results"},
    "matriz_consolidada": {"metricas_completas", "metricas_estruturais_extraidas", "resultados_testes"},
    "amostra": {"matriz_consolidada", "arquivos_reconstruidos"},
    "acordo_juizes": {"amostra", "evaluation_results", "metricas_estruturais_extraidas"},
    "qualidade_juiz": {"amostra", "evaluation_results", "resultados_testes", "arquivos_reconstruidos"},
    "consistencia_juiz": {"amostra", "evaluation_payload", "evaluation_results"},
    "auditoria_amostra": {
        *("patches", "evaluation_payload", "evaluation_results"),
        *("metricas_estruturais_extraidas", "resultados_testes"),
    },
    "auditoria_retorno": {"auditoria_amostra"},
    "relatorio_correlacao": {"amostra"},
    "relatorio_logit": {"amostra"},
    "relatorio": {
        *("amostra", "evaluation_results", "metricas_completas"),
        *("acordo_juizes", "qualidade_juiz", "consistencia_juiz", "relatorio_correlacao", "relatorio_logit"),
    },
}


@pytest.fixture
def pinned(tmp_path: Path, sample: Sample, monkeypatch: pytest.MonkeyPatch) -> SmallStudy:
    """Pin a small study and make its home this process's."""
    study = small_study(tmp_path / "home", sample, 6)
    monkeypatch.setenv("SWE_ASSETS_HOME", str(study.home))
    return study


def specs(study: SmallStudy) -> dict[str, dg.AssetSpec]:
    """Return the specs of the study's assets by name."""
    found = study_definitions(load_study(study.name)).resolve_all_asset_specs()
    return {spec.key.path[-1]: spec for spec in found}


def test_graph_is_the_documented_one(pinned: SmallStudy) -> None:
    """The assets and their upstream are those of the study's design."""
    found = {name: {dep.asset_key.path[-1] for dep in spec.deps} for name, spec in specs(pinned).items()}
    assert found == EDGES
    assert list(EDGES) == [*STAGE_NAMES, *REPORT_NAMES]


def test_every_asset_says_what_the_ui_needs(pinned: SmallStudy) -> None:
    """Each asset has the study as prefix and group, kinds, an owner, a description and a code version."""
    for spec in specs(pinned).values():
        assert spec.key.path[0] == spec.group_name == pinned.name
        assert spec.kinds and spec.owners and spec.description and spec.code_version


def test_partitions_follow_the_pin(pinned: SmallStudy) -> None:
    """The partitions of every stage are instances.txt, in its order; the reports have none."""
    found = specs(pinned)
    for name in STAGE_NAMES:
        partitions = found[name].partitions_def
        assert partitions is not None
        assert list(partitions.get_partition_keys()) == pinned.instances
    assert all(found[name].partitions_def is None for name in REPORT_NAMES)


@pytest.mark.parametrize("judge_excluded", [True, False])
def test_no_stage_joins_the_run_above_it(judge_excluded: bool) -> None:
    """Each stage hangs on one of another backfill policy, which keeps it out of that one's run."""
    listed = [stage for stage, _face in stages(judge_excluded=judge_excluded)]
    depth = depths(listed)
    for stage in listed:
        above = [
            backfill_policy(depth[name]) for name in stage.upstream if depth[name] == depth[stage.name] - 1
        ]
        assert bool(above) == bool(stage.upstream)
        assert backfill_policy(depth[stage.name]) not in above


def test_every_stage_takes_a_range(pinned: SmallStudy) -> None:
    """The policy of every stage is one that the stock command line takes a range of partitions for."""
    graph = study_definitions(load_study(pinned.name)).resolve_asset_graph()
    for name in STAGE_NAMES:
        policy = graph.get(dg.AssetKey([pinned.name, name])).backfill_policy
        assert policy is not None and policy.policy_type.value == "SINGLE_RUN"


def test_blocking_gates_stand_before_the_reports(pinned: SmallStudy) -> None:
    """The account, the join and the schema of the matrix block; they guard amostra."""
    checks = study_definitions(load_study(pinned.name)).resolve_asset_graph().asset_check_keys
    graph = study_definitions(load_study(pinned.name)).resolve_asset_graph()
    blocking = {key.name for key in checks if graph.get_check_spec(key).blocking}
    assert blocking == {"account_adds_up", "matrix_is_the_join_of_its_sources", "matrix_schema"}


def test_tampered_study_leaves_the_others(
    pinned: SmallStudy, sample: Sample, caplog: pytest.LogCaptureFixture
) -> None:
    """A study whose pinned order was changed is left out by name, and the others load."""
    other = SmallStudy(pinned.home, sample, pinned.predictions, "other")
    other.add()
    listing = other.path / "instances.txt"
    listing.write_text("".join(sorted(listing.read_text().splitlines(keepends=True), reverse=True)))
    with caplog.at_level(logging.WARNING, logger="dagster"):
        keys = {spec.key.path[0] for spec in load_definitions().resolve_all_asset_specs()}
    assert keys == {pinned.name}
    assert "study other is left out" in caplog.text


def test_no_study_is_an_empty_location(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home without studies gives an empty code location, not an error."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path))
    assert list(load_definitions().resolve_all_asset_specs()) == []


def test_a_study_on_sonarqube_says_so(pinned: SmallStudy) -> None:
    """Its assets carry SonarQube's kind and mode in place of Ruff's, and load without a server."""
    pinned.call("study", "update", pinned.name, "--analyser=sonarqube", "--yes")
    repository = study_definitions(load_study(pinned.name)).get_repository_def()
    node = repository.asset_graph.get(dg.AssetKey([pinned.name, "metricas_completas"]))
    assert node.kinds == {"python", "sonarqube"}
    assert node.metadata["analyser"].value == "sonarqube batch"
