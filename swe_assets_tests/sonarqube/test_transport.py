"""The transport is patient, bounded, and goes nowhere it was not sent."""

import base64
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from swe_assets.errors import (
    AnalyserError,
    ComponentMissingError,
    SonarReplyError,
    SonarRightsError,
    SonarServerError,
)
from swe_assets.sonarqube.connection import SonarConnection
from swe_assets.sonarqube.health import uses_proxies
from swe_assets.sonarqube.patience import Patience
from swe_assets.sonarqube.transport import Transport
from swe_assets_tests.http_stub import DRIP_S, Served, serving
from swe_assets_tests.sonarqube.stub import PLANTED_TOKEN, STATUS, Routes, Stub, refused, sonar, status

PATH = "api/metrics/search"
GOOD = Served(body={"metrics": []})
BASIC = "Basic " + base64.b64encode(f"{PLANTED_TOKEN}:".encode()).decode()


def ask(stub: Stub) -> dict[str, Any]:
    """Ask for the list of metrics."""
    return stub.transport().ask("GET", PATH, {"ps": 500})


def fails(routes: Routes, kind: type[AnalyserError], words: str, **patience: Any) -> Stub:
    """Ask, and assert how that ends; return the stub with what it was asked."""
    with sonar(routes, **patience) as stub, pytest.raises(kind, match=words):
        ask(stub)
    return stub


@pytest.mark.parametrize(
    "bad", [Served(503), Served(500), Served(429), Served(502, "<html>"), Served(fault="dropped")]
)
def test_a_busy_server_is_asked_again(bad: Served) -> None:
    """A server that fails twice and then answers has answered, after waits that grow."""
    with sonar({PATH: [bad, bad, GOOD]}) as stub:
        assert ask(stub) == {"metrics": []}
        assert stub.time.slept == [1.0, 2.0]


def test_patience_ends() -> None:
    """A server that stays busy is given up after the attempts allowed, and the last cause is said."""
    stub = fails({PATH: Served(503)}, SonarServerError, r"503.*given up after 4 attempts in 7 s", attempts=4)
    assert stub.time.slept == [1.0, 2.0, 4.0]


def test_waits_are_bounded_and_jittered() -> None:
    """Waits double up to the longest, and are lengthened by up to a half."""
    patience = Patience(jitter=lambda: 1.0)
    assert [patience.wait_s(n, None) for n in (1, 2, 5, 6, 60)] == [1.5, 3.0, 24.0, 30.0, 30.0]


def test_retry_after_in_seconds() -> None:
    """The wait that a server names is kept."""
    with sonar({PATH: [Served(429, headers={"Retry-After": "37"}), GOOD]}) as stub:
        ask(stub)
        assert stub.time.slept == [37.0]


def test_retry_after_as_a_date() -> None:
    """A date is kept as well."""
    when = format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)
    with sonar({PATH: [Served(503, headers={"Retry-After": when}), GOOD]}) as stub:
        ask(stub)
        assert 35 < stub.time.slept[0] <= 40


def test_retry_after_beyond_patience() -> None:
    """A wait of an hour is not made but said."""
    busy = Served(429, headers={"Retry-After": "3600"})
    stub = fails({PATH: busy}, SonarServerError, "1 attempts in 0 s, and the server asks to wait 3600 s more")
    assert stub.time.slept == []


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (refused(400, "no"), SonarReplyError),
        (Served(401), SonarRightsError),
        (refused(403, "no"), SonarRightsError),
        (refused(404, "no"), ComponentMissingError),
        (Served(200, "<html>login</html>", {"content-type": "text/html"}), SonarReplyError),
        (Served(200, '{"metrics": ['), SonarReplyError),
    ],
)
def test_a_refusal_is_final(reply: Served, kind: type[AnalyserError]) -> None:
    """A running server that refuses is asked once."""
    assert fails({PATH: reply}, kind, PATH).paths() == [PATH]


@pytest.mark.parametrize(
    "early", [Served(401), refused(404, "Unknown url : /api/x"), Served(404, "<html>starting")]
)
@pytest.mark.parametrize("word", ["STARTING", "RESTARTING", "DB_MIGRATION_RUNNING", "DOWN"])
def test_a_starting_server_is_waited_for(early: Served, word: str) -> None:
    """401 and 404 of a server that is not up yet are no refusals."""
    states = [status(word), status(word), status(word), status()]
    with sonar({STATUS: states, PATH: [early, early, GOOD]}) as stub:
        assert ask(stub) == {"metrics": []}
        assert len(stub.time.slept) == 2


def test_a_server_that_never_gets_up() -> None:
    """A server that stays STARTING is said to be so."""
    fails(
        {STATUS: status("STARTING"), PATH: Served(401)},
        SonarServerError,
        "is not up but STARTING: .*given up after",
    )


def test_a_server_that_waits_for_a_person() -> None:
    """A database migration that nobody started is not waited for; its page is named."""
    routes = {STATUS: status("DB_MIGRATION_NEEDED"), PATH: Served(401)}
    assert fails(routes, SonarServerError, "open http://127.0.0.1:.*/setup").time.slept == []


def test_nothing_listens() -> None:
    """A refused connection says the address and how to start a server."""
    with sonar({}) as stub:
        pass
    with pytest.raises(
        SonarServerError, match=f"{stub.url} .ConnectError.*swe-assets sonar up.*after 9 attempts"
    ):
        ask(stub)


@pytest.mark.parametrize(
    ("version", "word"),
    [
        ("9.9.8.100196", BASIC),
        ("8.9.10.61524", BASIC),
        ("10.0.0.68432", f"Bearer {PLANTED_TOKEN}"),
        ("25.11.0.114957", f"Bearer {PLANTED_TOKEN}"),
        ("2026.1.0.1234", f"Bearer {PLANTED_TOKEN}"),
    ],
)
def test_the_token_goes_as_the_version_takes_it(version: str, word: str) -> None:
    """9.9 takes a token as the user name of Basic, later servers as Bearer; the status is asked without."""
    with sonar({STATUS: status(version=version), PATH: GOOD}) as stub:
        transport = stub.transport()
        transport.ask("GET", PATH, {})
        transport.ask("GET", PATH, {})
    assert [(one.path, one.headers.get("authorization")) for one in stub.asked] == [
        (STATUS, None),
        (PATH, word),
        (PATH, word),
    ]


def test_a_status_without_a_version() -> None:
    """Where the status has no version, api/server/version has it."""
    routes = {STATUS: Served(body={"status": "UP"}), "api/server/version": Served(body="9.9.8.1"), PATH: GOOD}
    with sonar(routes) as stub:
        ask(stub)
    assert stub.asked[-1].headers["authorization"] == BASIC


def test_the_context_path_is_kept() -> None:
    """A server below a path is asked below it."""
    with sonar({PATH: GOOD}, context="sonar/qube") as stub:
        assert ask(stub) == {"metrics": []}


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(code: int) -> None:
    """Another host gets neither a request nor the token, and where the server sends is said."""
    with serving(lambda _: GOOD) as (other, got):
        fails({PATH: Served(code, headers={"location": f"{other}login"})}, SonarReplyError, f"{other}login")
    assert got == []


def test_proxy_variables_do_not_count_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy for the world is not asked for loopback; for another host it is."""
    with serving(lambda _: GOOD) as (proxy, got), sonar({PATH: GOOD}) as stub:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy)
        ask(stub)
        assert got == []
        far = Transport(SonarConnection("http://sonar.example", PLANTED_TOKEN, "a test"), stub.patience)
        assert far.ask("GET", PATH, {}) == {"metrics": []}
    assert {one.headers["host"] for one in got} == {"sonar.example"}


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://127.0.0.1:9000", True),
        ("http://127.1.2.3", True),
        ("http://localhost:9000/x", True),
        ("http://[::1]:9000", True),
        ("http://127.0.0.1.example", False),
        ("http://10.0.0.1", False),
        ("https://localhost.example", False),
    ],
)
def test_what_is_this_machine(url: str, here: bool) -> None:
    """Loopback addresses and names are, whatever only looks like one is not."""
    assert uses_proxies(url) is not here


def test_an_endless_answer_is_refused() -> None:
    """An answer beyond the bound is not kept, and not asked for again."""
    stub = fails({PATH: Served(body="x" * 5000)}, SonarReplyError, "more than 4,000 bytes", body_bytes=4000)
    assert stub.paths() == [PATH]


@pytest.mark.parametrize("fault", ["drip", "drip_head", "silence"])
def test_a_slow_answer_is_bounded(fault: str) -> None:
    """Bytes that drip in for ever, in the head or the body, end with the time for one request."""
    slow = Served(body="y" * 2000, fault=fault)
    started = time.monotonic()
    fails(
        {PATH: slow}, SonarServerError, "no whole answer within 0.4 s", request_s=0.4, read_s=9.0, attempts=1
    )
    assert time.monotonic() - started < 5 < 2000 * DRIP_S


def test_an_answer_that_is_cut_off_is_asked_for_again() -> None:
    """A connection that ends in the middle of a body is a fault of the line."""
    with sonar({PATH: [Served(body={"metrics": [1, 2, 3]}, fault="cut"), GOOD]}) as stub:
        assert ask(stub) == {"metrics": []}


def test_a_silent_server_meets_the_read_time_out() -> None:
    """A server that takes the line and says nothing is left after the read time-out."""
    fails({PATH: Served(fault="silence")}, SonarServerError, "ReadTimeout", read_s=0.2, attempts=1)
