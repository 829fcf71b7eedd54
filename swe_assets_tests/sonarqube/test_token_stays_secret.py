"""The token is nowhere in what is written: logs of every level, errors, tracebacks, addresses."""

import base64
import logging
import traceback
from typing import Any

import pytest

from swe_assets.errors import AnalyserError
from swe_assets_tests.http_stub import Served
from swe_assets_tests.sonarqube.stub import PLANTED_TOKEN, STATUS, refused, sonar, status

PATH = "api/authentication/validate"
BASIC = base64.b64encode(f"{PLANTED_TOKEN}:".encode()).decode()
ECHO = f"Authorization: Bearer {PLANTED_TOKEN} or Basic {BASIC}"
HEADERS = {"x-echo": ECHO, "location": f"https://other/{PLANTED_TOKEN}", "retry-after": "1"}
REPLIES = [
    Served(200, {"valid": ECHO}, HEADERS),
    Served(200, ECHO, HEADERS),
    Served(200, f"<html>{ECHO}</html>", HEADERS),
    Served(200, '{"paging": "' + ECHO, HEADERS),
    Served(302, ECHO, HEADERS),
    refused(400, ECHO, ECHO),
    refused(400, "y" * 390 + PLANTED_TOKEN),
    Served(401, ECHO, HEADERS),
    refused(403, ECHO),
    refused(404, f"The following metric keys are not found: {PLANTED_TOKEN}, {BASIC}"),
    refused(404, ECHO),
    Served(429, ECHO, HEADERS),
    Served(503, f"<html>{ECHO}", HEADERS),
    Served(fault="dropped"),
    Served(body={"valid": ECHO}, fault="cut"),
]


@pytest.mark.parametrize("version", ["9.9.8.100196", "25.11.0.114957"])
@pytest.mark.parametrize("reply", REPLIES, ids=range(len(REPLIES)))
def test_a_server_that_echoes_the_token(
    reply: Served, version: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever a server says back, nothing that leaves holds half of the token or of its Basic form."""
    caplog.set_level(logging.DEBUG)
    with sonar({PATH: reply, STATUS: status(version=version)}, attempts=2) as stub:
        client, transport = stub.client(), stub.transport()
        written: list[Any] = [repr(client), repr(transport), repr(stub.connection)]
        for call in (client.signed_in, lambda: transport.ask("GET", PATH, {})):
            try:
                written.append(call())
            except AnalyserError as failure:
                written += [repr(failure), *traceback.format_exception(failure), repr(vars(failure))]
                assert failure.__cause__ is None
                assert failure.__context__ is None
    everything = "\n".join([*map(str, written), caplog.text, *(repr(vars(one)) for one in caplog.records)])
    sent = {asked.headers["authorization"] for asked in stub.asked if asked.path == PATH}
    assert sent == {f"Basic {BASIC}" if version.startswith("9.") else f"Bearer {PLANTED_TOKEN}"}
    for secret in (PLANTED_TOKEN, BASIC):
        assert secret[: len(secret) // 2] not in everything
        assert secret[len(secret) // 2 :] not in everything


def test_the_token_is_in_no_address() -> None:
    """Only the header carries the token: no path, parameter or body does, and the status is asked without."""
    with sonar({PATH: Served(body={"valid": True})}) as stub:
        assert stub.client().signed_in()
    for asked in stub.asked:
        assert PLANTED_TOKEN not in f"{asked.path}{asked.params}{asked.body!r}"
    assert "authorization" not in stub.asked[0].headers
