"""A SonarQube web API on this machine: it answers by path, and its client waits without sleeping."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from swe_assets.sonarqube.client import SonarClient
from swe_assets.sonarqube.connection import SonarConnection
from swe_assets.sonarqube.patience import Patience
from swe_assets.sonarqube.transport import Transport
from swe_assets_tests.http_stub import Asked, Served, serving

PLANTED_TOKEN = "squ_planted0f1e2d3c4b5a69788796a5b4c3d2e1f0"
STATUS = "api/system/status"
TREE = "api/measures/component_tree"


def refused(status: int, *messages: str) -> Served:
    """Return an error reply in SonarQube's form."""
    return Served(status, {"errors": [{"msg": text} for text in messages]})


def status(word: str = "UP", version: str = "25.11.0.114957") -> Served:
    """Return the reply of api/system/status."""
    return Served(body={"id": "S1", "version": version, "status": word})


@dataclass
class FakeTime:
    """A clock that moves by what is slept."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        """Let the time go on."""
        self.slept.append(seconds)
        self.now += seconds


@dataclass
class Stub:
    """A running stub: its address, what it was asked, the waits of its client."""

    url: str
    asked: list[Asked]
    time: FakeTime
    patience: Patience

    @property
    def connection(self) -> SonarConnection:
        """Return the connection with a planted token."""
        return SonarConnection(self.url, PLANTED_TOKEN, "a test")

    def client(self) -> SonarClient:
        """Return a client of this server."""
        return SonarClient(self.connection, patience=self.patience)

    def transport(self) -> Transport:
        """Return the transport alone."""
        return Transport(self.connection, self.patience)

    def paths(self) -> list[str]:
        """Return the paths that were asked, without the question for the status."""
        return [asked.path for asked in self.asked if asked.path != STATUS]


Routes = Mapping[str, Served | Sequence[Served]]


@contextmanager
def sonar(routes: Routes, *, context: str = "", **patience: Any) -> Iterator[Stub]:
    """Run a server that answers by path, a list in turn and its last for ever; else as if up, or 404."""
    turns: dict[str, int] = {}

    def answer(asked: Asked) -> Served:
        path = asked.path.removeprefix(f"{context}/") if context else asked.path
        known = {STATUS: status(), **routes}.get(path)
        if known is None:
            return refused(404, f"Unknown url : /{path}")
        if isinstance(known, Served):
            return known
        turns[path] = turns.get(path, -1) + 1
        return list(known)[min(turns[path], len(known) - 1)]

    time = FakeTime()
    bounds = {"clock": lambda: time.now, "sleep": time.sleep, "jitter": lambda: 0.0, **patience}
    with serving(answer) as (url, asked):
        yield Stub(f"{url}{context}".rstrip("/"), asked, time, Patience(**bounds))


def row(path: str, qualifier: str = "FIL", **values: object) -> dict[str, Any]:
    """Return one component of a reply of api/measures; a value that is None is left out."""
    measures = [{"metric": key, "value": str(value)} for key, value in values.items() if value is not None]
    return {"key": f"p:{path}", "qualifier": qualifier, "path": path, "measures": measures}


def page(*rows: dict[str, Any], total: int | None = None, base: Mapping[str, object] | None = None) -> Served:
    """Return one page of api/measures/component_tree, with the values of the component itself."""
    paging = {"pageIndex": 1, "pageSize": 500, "total": len(rows) if total is None else total}
    own = {"key": "p", "qualifier": "TRK", "measures": row("", "TRK", **(base or {}))["measures"]}
    return Served(body={"paging": paging, "baseComponent": own, "components": list(rows)})
