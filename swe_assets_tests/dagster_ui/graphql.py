"""The questions and commands that the Dagster UI sends to its web server."""

import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import httpx

LOCATION = "patch_quality"
REPOSITORY = "__repository__"
JOB = "__ASSET_JOB"
RANGE = ("dagster/asset_partition_range_start", "dagster/asset_partition_range_end")
ENDED = {"SUCCESS", "FAILURE", "CANCELED"}

NODES = """query($keys: [AssetKeyInput!]) { assetNodes(assetKeys: $keys) {
  assetKey { path } groupName kinds description jobNames isPartitioned
  owners { ... on TeamAssetOwner { team } }
  partitionStats { numMaterialized numFailed numPartitions }
  assetPartitionStatuses { ... on DefaultPartitionStatuses {
    materializedPartitions failedPartitions unmaterializedPartitions } }
  dependencyKeys { path }
  staleStatus
  assetChecksOrError { ... on AssetChecks { checks { name blocking
    executionForLatestMaterialization { status evaluation { severity description } } } } }
} }"""
LATEST = """query($key: AssetKeyInput!, $partition: String!) { assetNodeOrError(assetKey: $key) {
  ... on AssetNode { latestMaterializationByPartition(partitions: [$partition]) {
    runId partition tags { key value }
    metadataEntries { label ... on TextMetadataEntry { text } ... on IntMetadataEntry { intValue } } }
  staleStatus(partition: $partition)
} } }"""
EVENTS = """query($keys: [AssetKeyInput!]) { assetNodes(assetKeys: $keys) {
  assetMaterializations(limit: 1000) { partition } } }"""
LAUNCH = """mutation($params: ExecutionParams!) { launchRun(executionParams: $params) {
  __typename ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }"""
AGAIN = """mutation($params: ReexecutionParams!) { launchRunReexecution(reexecutionParams: $params) {
  __typename ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }"""
BACKFILL = """mutation($params: LaunchBackfillParams!) { launchPartitionBackfill(backfillParams: $params) {
  __typename ... on LaunchBackfillSuccess { backfillId } ... on PythonError { message } } }"""
BACKFILL_STATUS = """query($id: String!) { partitionBackfillOrError(backfillId: $id) {
  ... on PartitionBackfill { status error { message } } ... on PythonError { message } } }"""
RELOAD = """mutation($name: String!) { reloadRepositoryLocation(repositoryLocationName: $name) {
  __typename ... on WorkspaceLocationEntry { loadStatus locationOrLoadError {
    __typename ... on PythonError { message } } } ... on PythonError { message } } }"""
RUN = """query($id: ID!) { runOrError(runId: $id) { ... on Run {
  status jobName startTime endTime repositoryOrigin { repositoryLocationName }
  assetSelection { path } stepKeysToExecute tags { key value }
  eventConnection { events { __typename ... on ExecutionStepFailureEvent {
    stepKey error { message cause { message } } } } } } } }"""
LAST_RUN = (
    """query { runsOrError(limit: 20) { ... on Runs { results { runId assetSelection { path } } } } }"""
)
RUNS = """query($tag: String!, $value: String!) { runsOrError(filter: {tags: [{key: $tag, value: $value}]}) {
  ... on Runs { results { runId status startTime endTime assetSelection { path } tags { key value } } } } }"""


class Ui:
    """One web server as the browser's code speaks to it."""

    def __init__(self, address: str) -> None:
        self.address = address

    def ask(self, query: str, **variables: Any) -> dict[str, Any]:
        """Send one query and return its data; an error in the reply fails the test."""
        body = {"query": query, "variables": variables}
        reply: dict[str, Any] = httpx.post(f"{self.address}/graphql", json=body, timeout=120).json()
        assert not reply.get("errors"), reply["errors"]
        found: dict[str, Any] = reply["data"]
        return found

    def nodes(self, study: str) -> dict[str, dict[str, Any]]:
        """Return the nodes of a study's assets by name."""
        found = self.ask(NODES)["assetNodes"]
        return {n["assetKey"]["path"][1]: n for n in found if n["assetKey"]["path"][0] == study}

    def partitions(self, study: str, asset: str, state: str = "materialized") -> list[str]:
        """Return the partitions of an asset that are materialized, failed or unmaterialized."""
        found = self.ask(NODES, keys=[{"path": [study, asset]}])["assetNodes"][0]
        ids: list[str] = found["assetPartitionStatuses"][f"{state}Partitions"]
        return ids

    def latest(self, study: str, asset: str, partition: str) -> dict[str, Any]:
        """Return run, metadata, tags and stale status of a partition's latest materialisation."""
        node = self.ask(LATEST, key={"path": [study, asset]}, partition=partition)["assetNodeOrError"]
        (event,) = node["latestMaterializationByPartition"]
        entries = {e["label"]: e.get("text", e.get("intValue")) for e in event["metadataEntries"]}
        tags = {tag["key"]: tag["value"] for tag in event["tags"]}
        return {"run": event["runId"], "metadata": entries, "tags": tags, "stale": node["staleStatus"]}

    def events(self, study: str, asset: str) -> Counter[str]:
        """Return how many materialisations of each partition of an asset are recorded."""
        found = self.ask(EVENTS, keys=[{"path": [study, asset]}])["assetNodes"][0]
        return Counter(event["partition"] for event in found["assetMaterializations"])

    def launch(self, study: str, assets: Sequence[str], tags: dict[str, str]) -> dict[str, Any]:
        """Launch one run of assets as the UI does, wait for its end and return it."""
        selector = {
            "repositoryLocationName": LOCATION,
            "repositoryName": REPOSITORY,
            "pipelineName": JOB,
            "assetSelection": [{"path": [study, asset]} for asset in assets],
            "assetCheckSelection": [],
        }
        listed = [{"key": key, "value": value} for key, value in tags.items()]
        params = {
            "selector": selector,
            "mode": "default",
            "runConfigData": {},
            "executionMetadata": {"tags": listed},
        }
        return self.ended(self._launched(self.ask(LAUNCH, params=params)["launchRun"]))

    def again(self, run_id: str) -> dict[str, Any]:
        """Re-execute all steps of a run, wait for its end and return it."""
        params = {"parentRunId": run_id, "strategy": "ALL_STEPS"}
        return self.ended(self._launched(self.ask(AGAIN, params=params)["launchRunReexecution"]))

    @staticmethod
    def _launched(reply: dict[str, Any]) -> str:
        assert reply["__typename"] == "LaunchRunSuccess", reply
        run_id: str = reply["run"]["runId"]
        return run_id

    def run(self, run_id: str) -> dict[str, Any]:
        """Return a run with its failures."""
        found: dict[str, Any] = self.ask(RUN, id=run_id)["runOrError"]
        return found

    def last_run(self, study: str, asset: str) -> str:
        """Return the id of the latest run that was started for just this asset."""
        runs = self.ask(LAST_RUN)["runsOrError"]["results"]
        found: str = next(r["runId"] for r in runs if r["assetSelection"] == [{"path": [study, asset]}])
        return found

    def reload(self, location: str) -> str:
        """Reload a code location and return how that ended: LOADED, or the error."""
        reply = self.ask(RELOAD, name=location)["reloadRepositoryLocation"]
        found = reply.get("locationOrLoadError", reply)
        return str(found["message"] if "message" in found else reply["loadStatus"])

    def ended(self, run_id: str, seconds: float = 300) -> dict[str, Any]:
        """Wait for a run's end and return it."""
        end = time.monotonic() + seconds
        while (found := self.run(run_id))["status"] not in ENDED:
            assert time.monotonic() < end, found
            time.sleep(0.3)
        return found

    def backfill(self, study: str, assets: Sequence[str], partitions: Sequence[str] | None) -> str:
        """Start a backfill of assets over the partitions, or over all of them, and return its id."""
        selection = [{"path": [study, asset]} for asset in assets]
        which = {"allPartitions": True} if partitions is None else {"partitionNames": list(partitions)}
        reply = self.ask(BACKFILL, params={"assetSelection": selection, **which})["launchPartitionBackfill"]
        assert reply["__typename"] == "LaunchBackfillSuccess", reply
        backfill_id: str = reply["backfillId"]
        return backfill_id

    def backfilled(self, backfill_id: str, seconds: float = 500) -> str:
        """Wait until a backfill is over and return its status."""
        end = time.monotonic() + seconds
        while True:
            found = self.ask(BACKFILL_STATUS, id=backfill_id)["partitionBackfillOrError"]
            if found["status"] not in ("REQUESTED", "COMPLETING", "FAILING", "CANCELING"):
                return f"{found['status']}{found['error'] or ''}"
            assert time.monotonic() < end, found
            time.sleep(0.5)

    def runs_of(self, backfill_id: str) -> list[dict[str, Any]]:
        """Return the runs that a backfill started."""
        found = self.ask(RUNS, tag="dagster/backfill", value=backfill_id)["runsOrError"]
        runs: list[dict[str, Any]] = found["results"]
        return sorted(runs, key=lambda run: float(run["startTime"] or 0))


def failures(run: dict[str, Any]) -> str:
    """Return the messages of a run's failed steps."""
    events = [e for e in run["eventConnection"]["events"] if e["__typename"] == "ExecutionStepFailureEvent"]
    errors = [part for e in events for part in (e["error"], (e["error"] or {}).get("cause")) if part]
    return "\n".join(error["message"] for error in errors)
