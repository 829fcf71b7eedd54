"""What a server says of itself, and what is no server."""

import pytest

from swe_assets.services.processes import free_port
from swe_assets.sonarqube.health import Answer, ask, uses_proxies
from swe_assets_tests.http_stub import Served, serving


@pytest.mark.parametrize(
    ("served", "answer"),
    [
        (Served(body={"status": "UP", "version": "25.11.0.114957", "id": "x"}), Answer.UP),
        (Served(body={"status": "STARTING", "version": "9.9.0"}), Answer.STARTING),
        (Served(body={"status": "DB_MIGRATION_NEEDED"}), Answer.DB_MIGRATION_NEEDED),
        (Served(body={"status": "DOWN"}), Answer.DOWN),
        (Served(503, "<html>Service Unavailable</html>"), Answer.STARTING),
        (Served(502, ""), Answer.STARTING),
        (Served(200, "<html>welcome</html>"), Answer.FOREIGN),
        (Served(200, ["UP"]), Answer.FOREIGN),
        (Served(200, {"status": "WELL"}), Answer.FOREIGN),
        (Served(404, {"errors": []}), Answer.FOREIGN),
        (Served(302, "", {"location": "/login"}), Answer.FOREIGN),
        (Served(fault="dropped"), Answer.SILENT),
        (Served(fault="silence"), Answer.SILENT),
    ],
)
def test_each_answer(served: Served, answer: Answer) -> None:
    """Each answer of a server, and of what is none, is told apart."""
    with serving(lambda _asked: served) as (url, asked):
        found = ask(url.rstrip("/"), seconds=0.5)
    assert found.answer is answer
    assert asked[0].path.strip("/") == "api/system/status"
    assert "authorization" not in asked[0].headers


def test_nobody_listens() -> None:
    """An address where nobody listens is silent, and the words say why."""
    found = ask(f"http://127.0.0.1:{free_port()}")
    assert (found.answer, "ConnectError" in found.words) == (Answer.SILENT, True)


def test_hostile_words_are_made_visible() -> None:
    """What a foreign server says is shown on one line without control characters."""
    with serving(lambda _asked: Served(200, "\x1b[31m\u202ered\nline")) as (url, _):
        assert not set(ask(url.rstrip("/")).words) & {"\x1b", "\n", "\u202e"}


def test_proxies_are_for_others() -> None:
    """Requests to this machine go by no proxy."""
    assert not any(map(uses_proxies, ("http://127.0.0.1:1", "http://localhost:9", "http://[::1]:9")))
    assert uses_proxies("https://sonar.example")
