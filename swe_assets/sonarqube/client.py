"""SonarQube's web API, as far as a study needs it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any

from swe_assets.errors import (
    ComponentMissingError,
    MetricMissingError,
    SonarReplyError,
    SonarRightsError,
)
from swe_assets.sonarqube.measures import Found, found_in
from swe_assets.sonarqube.metrics import PARSE_WITNESSES, Metric, batches, metrics_in, numeric_only
from swe_assets.sonarqube.pages import PAGE_SIZE, all_rows
from swe_assets.sonarqube.patience import Patience
from swe_assets.sonarqube.tasks import DoneTask, wait_for
from swe_assets.sonarqube.transport import STATUS_PATH, Transport, status_in
from swe_assets.sonarqube.tree import Tree, tree_of
from swe_assets.sonarqube.versions import ServerVersions, plugin_version, python_profile

if TYPE_CHECKING:
    from swe_assets.sonarqube.connection import SonarConnection

_SIMILAR = re.compile(r"already exists(?:: *[\"'](?P<key>[^\"']+)[\"'])?", re.IGNORECASE)


@dataclass(frozen=True)
class Analysis:
    """One analysis of a project: its id, and its date in ISO 8601 as the server writes it."""

    id: str
    date: str


class SonarClient:
    """Asks one server for what a study needs; may be used by several threads.

    Servers 9.9 and newer are understood. Every method but `system_status` is asked again where a server is
    starting or busy, and raises SonarServerError when patience ends, SonarRightsError where the token is
    refused or lacks a right, SonarReplyError for an answer that is none.
    """

    def __init__(self, connection: "SonarConnection", *, patience: Patience | None = None) -> None:
        self._patience = patience or Patience()
        self._transport = Transport(connection, self._patience)

    def __repr__(self) -> str:
        return f"SonarClient({self._transport.url!r})"

    def __enter__(self) -> "SonarClient":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close what is open; the next call opens it again."""
        self._transport.close()

    def system_status(self) -> str:
        """Return UP, STARTING, DOWN, RESTARTING or a DB_MIGRATION_… word, at the first try and without token.

        Raises SonarServerError where nothing answers, SonarReplyError where no SonarQube does.
        """
        answer = self._transport.once(STATUS_PATH)
        status = status_in(answer)
        if not status:
            raise SonarReplyError(
                f"{STATUS_PATH}: not a SonarQube reply ({answer.status}) from {self._transport.url}: "
                "check SONAR_HOST_URL with its context path"
            )
        return status

    def signed_in(self) -> bool:
        """Say whether the server takes the token."""
        return self._get("api/authentication/validate").get("valid") is True

    def versions(self, project: str | None = None) -> ServerVersions:
        """Return what measures depend on; the quality profile is that of a project, else the default."""
        server = self._get(STATUS_PATH).get("version")
        if not isinstance(server, str):
            raise SonarReplyError(f"{STATUS_PATH}: no version: is this a SonarQube server?")
        try:
            plugin = plugin_version(self._get("api/plugins/installed"))
        except (SonarRightsError, ComponentMissingError):
            plugin = None
        asked = {"project": project} if project else {"defaults": "true"}
        found = self._get("api/qualityprofiles/search", language="py", **asked)
        profile = python_profile(found, default=project is None)
        return ServerVersions(
            server, plugin, profile.key, profile.name, profile.updated_at, profile.active_rules
        )

    def numeric_metrics(self) -> tuple[Metric, ...]:
        """Return the metrics with numbers that this server knows and does not hide, in its order."""
        rows = all_rows(self._paged("api/metrics/search", {}), "metrics")
        return numeric_only(metrics_in({"metrics": rows}))

    def ensure_project(self, key: str, name: str) -> None:
        """Make a project, unless it is there.

        Raises SonarReplyError where the key is not allowed (see `project_key`), or where another project has
        it in other letter case.
        """
        try:
            self._transport.ask("POST", "api/projects/create", {"project": key, "name": name})
        except SonarReplyError as refused:
            there = _SIMILAR.search(str(refused))
            if not there:
                raise
            if there["key"] and there["key"] != key:
                raise SonarReplyError(
                    f"project {key!r} cannot be made: {there['key']!r} is there, and the server does not "
                    "tell upper from lower case: make the key by project_key()"
                ) from None

    def delete_project(self, key: str) -> None:
        """Delete a project with all its analyses; one that is not there is deleted."""
        try:
            self._transport.ask("POST", "api/projects/delete", {"project": key})
        except ComponentMissingError:
            return

    def wait_for_task(self, task_id: str, *, timeout: float) -> DoneTask:
        """Return a background task when it has ended well.

        Raises SonarTaskError with the server's own words where it failed, was cancelled or takes longer than
        ``timeout`` seconds, and ComponentMissingError where the server does not know it.
        """
        return wait_for(
            lambda: self._get("api/ce/task", id=task_id, additionalFields="warnings"),
            task_id,
            timeout=timeout,
            clock=self._patience.clock,
            sleep=self._patience.sleep,
        )

    def last_analysis(self, project_key: str) -> Analysis | None:
        """Return a project's newest analysis, None where it has none or is not there."""
        try:
            reply = self._get("api/project_analyses/search", project=project_key, ps=1)
        except ComponentMissingError:
            return None
        rows = reply.get("analyses")
        if not isinstance(rows, list):
            raise SonarReplyError(f"api/project_analyses/search: no list 'analyses' but {sorted(reply)[:8]}")
        return Analysis(str(rows[0]["key"]), str(rows[0]["date"])) if rows else None

    def component_tree(self, component: str, metrics: Sequence[Metric]) -> Tree:
        """Return the measures of a project or module, of its children and of its files.

        Keys are asked 75 a call and components 500 a page; a metric that the server has lost since it was
        listed is not applicable. Raises ComponentMissingError where the component is not there or not to be
        browsed, and SonarReplyError where the components change between two calls.
        """
        keys = [metric.key for metric in metrics]
        if not set(keys) & set(PARSE_WITNESSES):
            keys = [PARSE_WITNESSES[0], *keys]
        own, children = self._below(component, keys, {"strategy": "children"})
        _, files = self._below(component, keys, {"qualifiers": "FIL"})
        return tree_of(own, children, files, metrics, keys)

    def _below(
        self, component: str, keys: Sequence[str], chosen: Mapping[str, str]
    ) -> tuple[Found, list[Found]]:
        """Return a component and what is below it, the values of all batches of keys together."""
        own: Found | None = None
        below: dict[str, Found] = {}
        for batch in batches(keys):
            base, rows = self._batch(component, batch, chosen)
            found = {one.key: one for one in rows}
            if own is None:
                own, below = base, found
                continue
            if list(below) != list(found):
                raise SonarReplyError(
                    f"the components of {component!r} changed while they were read, {len(below)} to "
                    f"{len(found)}: another scan of it has ended; let one at a time write a project, "
                    "then run again"
                )
            own.values.update(base.values)
            for key, one in found.items():
                below[key].values.update(one.values)
        assert own is not None  # noqa: S101 - there is at least one key, so one batch
        return own, list(below.values())

    def _batch(
        self, component: str, keys: Sequence[str], chosen: Mapping[str, str]
    ) -> tuple[Found, list[Found]]:
        """Return a component and what is below it for one call's keys, without those the server has lost."""
        left = list(keys)
        while True:
            try:
                return self._call({"component": component, "metricKeys": ",".join(left), **chosen})
            except MetricMissingError as lost:
                names = set(lost.names)
                if not names & set(left):
                    raise
            left = [key for key in left if key not in names] or [PARSE_WITNESSES[0]]

    def _call(self, params: Mapping[str, str]) -> tuple[Found, list[Found]]:
        """Return a component and what is below it for one call's keys, sorted by path so that pages hold."""
        pages = self._paged("api/measures/component_tree", {**params, "s": "path"})
        first = pages(1)
        rows = all_rows(lambda number: first if number == 1 else pages(number), "components")
        return found_in(first.get("baseComponent")), [found_in(row) for row in rows]

    def _get(self, path: str, **params: str | int) -> dict[str, Any]:
        """Return the object that a path answers."""
        return self._transport.ask("GET", path, params)

    def _paged(self, path: str, params: Mapping[str, str]) -> Callable[[int], Mapping[str, Any]]:
        """Return a function that asks for one page of a path."""
        return lambda number: self._transport.ask("GET", path, {**params, "ps": PAGE_SIZE, "p": number})
