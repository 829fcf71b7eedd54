"""What our command line ran is in the UI, and what the UI ran counts for our command line."""

import json
from typing import Any

import pytest

from swe_assets.patch_quality.checks import GATES
from swe_assets.patch_quality.report_assets import REPORT_NAMES
from swe_assets.patch_quality.stages import STAGE_NAMES
from swe_assets.storage.records import InstanceStore
from swe_assets_tests.dagster_ui.graphql import RANGE, Ui
from swe_assets_tests.patch_quality.small_study import SmallStudy


def counts(study: SmallStudy, asset: str) -> dict[str, Any]:
    """Return what `swe-assets status` counts for an asset."""
    found = json.loads(study.call("status", study.name, "--json", expected=None).stdout)
    row: dict[str, Any] = next(a for a in found["assets"] if a["asset"] == asset)
    return row


def planned(study: SmallStudy) -> dict[str, str]:
    """Return what a dry run says of each asset."""
    lines = study.run("--dry-run").stdout.splitlines()
    return dict(line.split(": ", 1) for line in lines if not line.startswith(" "))


def test_every_partition_is_materialised(ui: Ui, ran: SmallStudy) -> None:
    """The UI counts each pinned instance of each stage as materialised, excluded ones too."""
    nodes = ui.nodes(ran.name)
    assert set(nodes) == {*STAGE_NAMES, *REPORT_NAMES}
    for stage in STAGE_NAMES:
        assert nodes[stage]["partitionStats"] == {"numMaterialized": 12, "numFailed": 0, "numPartitions": 12}
        assert ui.partitions(ran.name, stage) == ran.instances


def test_assets_are_described(ui: Ui, ran: SmallStudy) -> None:
    """Group, owner, kinds, a description and the upstream assets are shown."""
    for name, node in ui.nodes(ran.name).items():
        assert node["groupName"] == ran.name
        assert node["owners"] == [{"team": "patch_quality"}]
        assert node["kinds"] and node["description"], name
    above = ui.nodes(ran.name)["arquivos_reconstruidos"]["dependencyKeys"]
    assert {key["path"][1] for key in above} == {"mapeamento_commits", "patches"}


def test_exclusion_is_in_the_metadata(ui: Ui, ran: SmallStudy) -> None:
    """The latest materialisation of an excluded instance says so and why, at every later stage."""
    reasons = counts(ran, "arquivos_reconstruidos")["reasons"]
    ids = {i: reason.removeprefix("excluded: ") for reason, listed in reasons.items() for i in listed}
    assert ids
    for instance_id, reason in ids.items():
        for stage in ("arquivos_reconstruidos", "projetos_sonar", "metricas_completas", "matriz_consolidada"):
            shown = ui.latest(ran.name, stage, instance_id)["metadata"]
            assert (shown["status"], shown["reason"]) == ("excluded", reason)


def test_lineage_is_in_the_tags(ui: Ui, ran: SmallStudy) -> None:
    """A materialisation carries its own data version and those of the upstream records it was made from."""
    store = InstanceStore(ran.path / "store")
    instance_id = ran.instances[0]
    header = store.header("arquivos_reconstruidos", instance_id)
    assert header is not None
    tags = ui.latest(ran.name, "arquivos_reconstruidos", instance_id)["tags"]
    assert tags["dagster/data_version"] == header.data_version
    for name in ("patches", "mapeamento_commits"):
        above = store.header(name, instance_id)
        assert above is not None
        assert tags[f"dagster/input_data_version/{ran.name}/{name}"] == above.data_version
        assert tags[f"dagster/input_event_pointer/{ran.name}/{name}"].isdigit()


def test_nothing_is_stale(ui: Ui, ran: SmallStudy) -> None:
    """Dagster itself takes every asset for fresh after a whole run."""
    assert {node["staleStatus"] for node in ui.nodes(ran.name).values()} == {"FRESH"}
    last = ui.latest(ran.name, "matriz_consolidada", ran.instances[-1])
    assert last["stale"] == "FRESH"


def test_checks_are_shown(ui: Ui, ran: SmallStudy) -> None:
    """Each gate stands beside its asset with a verdict on the latest materialisation, in words."""
    shown = {
        (name, check["name"]): check["executionForLatestMaterialization"]
        for name, node in ui.nodes(ran.name).items()
        for check in node["assetChecksOrError"].get("checks", [])
    }
    assert set(shown) == {(gate.asset, gate.rule.__name__) for gate in GATES}
    for (_asset, check), verdict in shown.items():
        assert verdict is not None and verdict["evaluation"]["description"], check
        assert verdict["status"] == "SUCCEEDED" or verdict["evaluation"]["severity"] == "WARN", check


@pytest.fixture(scope="module")
def launched(studies: dict[str, SmallStudy], ui: Ui) -> SmallStudy:
    """Give a study of which nothing but what the UI launches is run: one partition, a range, a chain."""
    study = studies["launched"]
    ids = study.instances
    ends = dict(zip(RANGE, (ids[2], ids[6]), strict=True))
    for assets, tags in (
        (["patches"], {"dagster/partition": ids[0]}),
        (["resultados_testes"], ends),
        (STAGE_NAMES, {"dagster/partition": ids[9]}),
    ):
        assert ui.launch(study.name, assets, tags)["status"] == "SUCCESS"
    return study


def test_one_partition_from_the_ui_counts(launched: SmallStudy, ui: Ui) -> None:
    """A partition launched in the UI is done for `status`, and a dry run leaves it out."""
    ids = launched.instances
    assert ui.partitions(launched.name, "patches") == [ids[0], ids[9]]
    assert (counts(launched, "patches")["ok"], counts(launched, "patches")["missing"]) == (2, 10)
    assert planned(launched)["patches"] == "10 to run"


def test_a_range_from_the_ui_counts(launched: SmallStudy, ui: Ui) -> None:
    """A range of one stage launched as a single run is done for `status` and a dry run."""
    ids = launched.instances
    assert ui.partitions(launched.name, "resultados_testes") == [*ids[2:7], ids[9]]
    assert counts(launched, "resultados_testes")["ok"] == 6
    assert planned(launched)["resultados_testes"] == "6 to run"


def test_a_chain_of_one_partition_counts(launched: SmallStudy, ui: Ui) -> None:
    """All stages of one partition run in one run, in their order."""
    for stage in STAGE_NAMES:
        assert launched.instances[9] in ui.partitions(launched.name, stage)
    row = counts(launched, "matriz_consolidada")
    assert row["ok"] + row["excluded"] == 1
    assert planned(launched)["matriz_consolidada"] == "11 to run"
