"""Runs one case on how Dagster behaves: by the shape of its input, on a real instance."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from swe_assets.errors import StudyError
from swe_assets.patch_quality.study_ids import check_ids

Case = dict[str, Any]
KEY = dg.AssetKey("asset")


def check_dagster_case(case: Case, tmp_path: Path) -> None:
    """Run a case; a shape without a rule fails, it is never passed over."""
    given, expected = case["input"], case["expected"]
    rule = next((rule for keys, rule in RULES if set(keys) <= set(given)), None)
    assert rule is not None, f"no rule for the shape {sorted(given)}"
    rule(given, expected, tmp_path)


def _asset(keys: list[str], fails: str = "") -> dg.AssetsDefinition:
    @dg.asset(name="asset", partitions_def=dg.StaticPartitionsDefinition(keys))
    def asset(context: dg.AssetExecutionContext) -> None:
        if context.partition_key == fails:
            raise ValueError(fails)

    return asset


def _statuses(instance: dg.DagsterInstance, keys: list[str]) -> dict[str, str]:
    found = instance.get_status_by_partition(KEY, keys, dg.StaticPartitionsDefinition(keys)) or {}
    return {key: status.value for key, status in found.items() if status is not None}


def partition_keys(given: Case, expected: Case, _tmp: Path) -> None:
    """Check that keys Dagster refuses, or a file system may confuse, are refused by name when pinned."""
    keys = given["partition_keys"]
    with pytest.raises(StudyError) as refused:
        check_ids(keys)
    assert any(repr(key)[1:-1] in str(refused.value) for key in keys)
    if "raises" in expected:
        with pytest.raises(getattr(dg, expected["raises"])):
            dg.StaticPartitionsDefinition(keys)
    elif expected.get("accepted"):
        dg.StaticPartitionsDefinition(keys)


def slash_collision(given: Case, expected: Case, tmp_path: Path) -> None:
    """Check that one id may block another in Dagster's files, and that our pin refuses such ids."""
    manager = dg.FilesystemIOManager(base_dir=str(tmp_path))
    keys = given["partition_keys"]

    @dg.asset(name="asset", partitions_def=dg.StaticPartitionsDefinition(keys))
    def asset() -> int:
        return 1

    with dg.DagsterInstance.ephemeral() as instance:
        for key in given["order"]:
            run = dg.materialize(
                [asset],
                partition_key=key,
                instance=instance,
                resources={"io_manager": manager},
                raise_on_error=False,
            )
            assert ("success" if run.success else "failure") == expected[key]
    with pytest.raises(StudyError):
        check_ids(keys)


def key_range(given: Case, expected: Case, _tmp: Path) -> None:
    """Check that a range follows the order of definition, and that an unknown end is named."""
    partitions = dg.StaticPartitionsDefinition(given["partition_keys"])
    span = dg.PartitionKeyRange(*given["range"])
    if "keys" in expected:
        assert list(partitions.get_partition_keys_in_range(span)) == expected["keys"]
        return
    with pytest.raises(Exception, match="|".join(expected["names"])) as raised:
        partitions.get_partition_keys_in_range(span)
    assert type(raised.value).__name__ == expected["raises"]


def removed_partition(given: Case, expected: Case, _tmp: Path) -> None:
    """Check that running a partition that was taken out fails with its name."""
    with dg.DagsterInstance.ephemeral() as instance:
        dg.materialize([_asset(given["before"])], partition_key=given["run"], instance=instance)
        with pytest.raises(Exception, match="|".join(expected["names"])) as raised:
            dg.materialize([_asset(given["after"])], partition_key=given["run"], instance=instance)
    assert type(raised.value).__name__ == expected["raises"]


def removed_still_materialized(given: Case, expected: Case, _tmp: Path) -> None:
    """Check that records of a removed partition stay, so that counts must be over the current keys."""

    @dg.asset(name="asset", partitions_def=dg.DynamicPartitionsDefinition(name="ids"))
    def asset() -> None:
        """Do nothing."""

    with dg.DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions("ids", given["dynamic"])
        for key in given["materialized"]:
            dg.materialize([asset], partition_key=key, instance=instance)
        for key in given["deleted"]:
            instance.delete_dynamic_partition("ids", key)
        assert sorted(instance.get_materialized_partitions(KEY)) == expected["get_materialized_partitions"]


def run_without_partition(_given: Case, expected: Case, _tmp: Path) -> None:
    """Check that a partitioned asset that reads its key cannot run without one."""
    with dg.DagsterInstance.ephemeral() as instance:
        run = dg.materialize([_asset(["a"])], instance=instance, raise_on_error=False)
        errors = [e.step_failure_data.error for e in run.all_events if e.is_step_failure]
    assert not run.success
    assert expected["raises"] in str(errors)


def one_fails(given: Case, expected: Case, _tmp: Path) -> None:
    """Check that one failed partition leaves the others and their downstream materialised."""
    keys = given["partitions"]

    @dg.asset(name="below", deps=["asset"], partitions_def=dg.StaticPartitionsDefinition(keys))
    def below() -> None:
        """Do nothing."""

    with dg.DagsterInstance.ephemeral() as instance:
        for key in keys:
            dg.materialize(
                [_asset(keys, given["fails"]), below],
                partition_key=key,
                instance=instance,
                raise_on_error=False,
            )
        assert sorted(instance.get_materialized_partitions(KEY)) == expected["materialized"]
        downstream = instance.get_materialized_partitions(dg.AssetKey("below"))
        assert sorted(downstream) == expected["downstream_materialized"]
        assert _statuses(instance, keys)[given["fails"]] == expected[f"status_{given['fails']}"]


def failed_rerun(given: Case, expected: Case, _tmp: Path) -> None:
    """Check that after a rerun fails, materialisation and status disagree as we rely on."""
    key = given["partition"]
    with dg.DagsterInstance.ephemeral() as instance:
        for outcome in (given["first"], given["second"]):
            fails = key if outcome == "failure" else ""
            dg.materialize([_asset([key], fails)], partition_key=key, instance=instance, raise_on_error=False)
        has = key in instance.get_materialized_partitions(KEY)
        assert has == expected["get_materialized_partitions_has"]
        assert _statuses(instance, [key])[key] == expected["get_status_by_partition"]


def report_over_partitions(given: Case, expected: Case, _tmp: Path) -> None:
    """Check that nothing in Dagster keeps a report from running while a partition is missing."""

    @dg.asset(deps=["asset"])
    def report() -> None:
        """Do nothing."""

    assets = [_asset(given["upstream_partitions"]), report]
    with dg.DagsterInstance.ephemeral() as instance:
        for key in given["materialized"]:
            dg.materialize(assets, selection=["asset"], partition_key=key, instance=instance)
        run = dg.materialize(assets, selection=["report"], instance=instance)
    assert run.success == expected["report_can_run"]


def blocking_check(given: Case, expected: Case, _tmp: Path) -> None:
    """Check that a blocking check stops downstream in its run, while the asset stays materialised."""
    keys = list(given["passes"])
    ran: list[str] = []

    @dg.asset_check(asset="asset", blocking=True)
    def check(context: dg.AssetCheckExecutionContext) -> dg.AssetCheckResult:
        return dg.AssetCheckResult(passed=given["passes"][context.partition_key])

    @dg.asset(name=given["downstream"], deps=["asset"], partitions_def=dg.StaticPartitionsDefinition(keys))
    def below(context: dg.AssetExecutionContext) -> None:
        ran.append(context.partition_key)

    with dg.DagsterInstance.ephemeral() as instance:
        for key in keys:
            assets = [_asset(keys), below, check]
            run = dg.materialize(assets, partition_key=key, instance=instance, raise_on_error=False)
            assert ("success" if run.success else "failure") == expected[key]["run"]
            assert (key in ran) == expected[key]["downstream_ran"]
        assert sorted(instance.get_materialized_partitions(KEY)) == sorted(keys)


def check_memory(given: Case, expected: Case, _tmp: Path) -> None:
    """Check that only the last execution of a check without partitions is kept for the UI."""
    outcomes = iter([outcome == "pass" for _key, outcome in given["checks_run"]])
    keys = [key for key, _outcome in given["checks_run"]]

    @dg.asset_check(asset="asset")
    def check() -> dg.AssetCheckResult:
        return dg.AssetCheckResult(passed=next(outcomes))

    with dg.DagsterInstance.ephemeral() as instance:
        for key in keys:
            dg.materialize([_asset(keys), check], partition_key=key, instance=instance)
        latest = instance.event_log_storage.get_latest_asset_check_execution_by_key([check.check_key])
    assert expected["ui_shows"] == "the last execution"
    status = latest[check.check_key].status.value
    assert status == ("SUCCEEDED" if given["checks_run"][-1][1] == "pass" else "FAILED")


def key_prefix(given: Case, expected: Case, _tmp: Path) -> None:
    """Check which asset key a prefix and a name give."""

    @dg.asset(key_prefix=given["key_prefix"], name=given["name"])
    def asset() -> None:
        """Do nothing."""

    assert list(asset.key.path) == expected["asset_key"]


Rule = Callable[[Case, Case, Path], None]
RULES: tuple[tuple[tuple[str, ...], Rule], ...] = (
    (("partition_keys", "io_manager"), slash_collision),
    (("partition_keys", "range"), key_range),
    (("partition_keys",), partition_keys),
    (("before", "after", "run"), removed_partition),
    (("dynamic", "materialized", "deleted"), removed_still_materialized),
    (("partitioned", "run"), run_without_partition),
    (("partitions", "fails"), one_fails),
    (("partition", "first", "second"), failed_rerun),
    (("report", "upstream_partitions"), report_over_partitions),
    (("check", "passes"), blocking_check),
    (("checks_run",), check_memory),
    (("key_prefix", "name"), key_prefix),
)
