"""One HTTP client for SonarQube: bounded, patient, and silent about the token."""

import base64
import json
import logging
import re
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from swe_assets.errors import AnalyserError, SonarReplyError, SonarRightsError, SonarServerError
from swe_assets.llm.keys import REMOVED, withhold_from_logs
from swe_assets.llm.plain_text import excerpt
from swe_assets.sonarqube.deadline import Deadline
from swe_assets.sonarqube.health import uses_proxies
from swe_assets.sonarqube.patience import Patience
from swe_assets.sonarqube.replies import Answer, Failure, failure_of, object_in

if TYPE_CHECKING:
    import httpx

    from swe_assets.sonarqube.connection import SonarConnection

logger = logging.getLogger(__name__)

FIRST_WITH_BEARER = 10
"""The major version from which a server takes a token as Bearer; before, it is the user name of Basic."""

STATUS_PATH = "api/system/status"
VERSION_PATH = "api/server/version"
_MEND = "see `swe-assets sonar status`, start it by `swe-assets sonar up`, or check SONAR_HOST_URL"
_SHORTEST_SECRET = 8


class Transport:
    """Asks one server; no exception, log line or repr that leaves it holds the token.

    A redirect is never followed, so the token goes to no other host; proxy variables count only where the
    address is not this machine. An answer is at most ``patience.body_bytes`` long.
    """

    def __init__(self, connection: "SonarConnection", patience: Patience) -> None:
        self.url = connection.url.rstrip("/")
        self._token, self._source, self._patience = connection.token, connection.source, patience
        self._basic = base64.b64encode(f"{connection.token}:".encode()).decode()
        self._secrets = [one for one in (self._basic, self._token) if len(one) >= _SHORTEST_SECRET]
        self._client: httpx.Client | None = None
        self._scheme: str | None = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Transport({self.url!r})"

    def close(self) -> None:
        """Close what is open; the next request opens it again."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def ask(self, method: str, path: str, params: Mapping[str, str | int]) -> dict[str, Any]:
        """Return the JSON object that a path answers, asked again where a later try may be answered.

        Raises SonarServerError (unreachable, starting or failing after all attempts), SonarRightsError
        (401, 403), MetricMissingError, ComponentMissingError or SonarReplyError (anything else).
        """
        return object_in(self._patient(method, path, params))

    def once(self, path: str) -> Answer:
        """Return what a path answers at the first try, asked without a token.

        Raises SonarServerError where nothing answers.
        """
        answer = self._send("GET", path, {}, "")
        if isinstance(answer, Failure):
            raise answer.error
        return answer

    def _patient(self, method: str, path: str, params: Mapping[str, str | int]) -> Answer:
        """Return the first answer that is no failure, or raise the last failure."""
        patience, started, attempt = self._patience, self._patience.clock(), 1
        while True:
            answer = self._signed(method, path, params)
            failure = answer if isinstance(answer, Failure) else failure_of(answer)
            if failure is None and isinstance(answer, Answer):
                return answer
            assert failure is not None  # noqa: S101 - what is no answer is a failure
            failure = self._weighed(failure)
            spent, wait = patience.clock() - started, patience.wait_s(attempt, failure.wait_s)
            if not failure.retry:
                raise self._told(failure.error)
            if attempt >= patience.attempts or spent + wait > patience.seconds:
                raise _given_up(failure, attempt, spent, wait)
            logger.info("%s, attempt %d: %s; next in %.1f s", path, attempt, failure.error, wait)
            patience.sleep(wait)
            attempt += 1

    def _told(self, error: AnalyserError) -> AnalyserError:
        """Return a refusal of the token with the words where the token was found."""
        if isinstance(error, SonarRightsError) and self._source:
            return SonarRightsError(f"{error} (the token is from {self._source})")
        return error

    def _weighed(self, failure: Failure) -> Failure:
        """Turn a refusal into a failure to try again where the server is only starting."""
        if failure.retry or not failure.maybe_starting:
            return failure
        answer = self._send("GET", STATUS_PATH, {}, "")
        if isinstance(answer, Failure):
            return answer
        status = status_in(answer)
        if status in ("", "UP"):
            return failure
        said = f"SonarQube at {self.url} is not up but {status}: "
        if status == "DB_MIGRATION_NEEDED":
            said += f"its database must be moved to its version: open {self.url}/setup"
            return Failure(SonarServerError(said))
        return Failure(SonarServerError(said + "wait until `swe-assets sonar status` says UP"), retry=True)

    def _signed(self, method: str, path: str, params: Mapping[str, str | int]) -> Answer | Failure:
        """Send with the token, in the way that the server's version takes it."""
        if not self._token:
            return self._send(method, path, params, "")
        scheme = self._scheme
        if scheme is None:
            status = self._send("GET", STATUS_PATH, {}, "")
            if isinstance(status, Failure):
                return status
            scheme = self._scheme = self._scheme_for(status)
        word = f"Basic {self._basic}" if scheme == "Basic" else f"Bearer {self._token}"
        return self._send(method, path, params, word)

    def _scheme_for(self, status: Answer) -> str | None:
        """Return how a server takes a token, by its version; None where it does not tell yet."""
        major = _major(_text_of(status, "version"))
        if major is None:
            version = self._send("GET", VERSION_PATH, {}, "")
            major = _major(version.text) if isinstance(version, Answer) and version.status == 200 else None
        if major is None:
            return None
        return "Bearer" if major >= FIRST_WITH_BEARER else "Basic"

    def _send(
        self, method: str, path: str, params: Mapping[str, str | int], authorization: str
    ) -> Answer | Failure:
        """Make one HTTP request; what goes wrong below HTTP is a failure to try again."""
        import httpx

        headers = {"authorization": authorization} if authorization else {}
        posted = dict(params) if method == "POST" else None
        with Deadline(self._patience.request_s) as deadline:
            try:
                with self._opened().stream(
                    method,
                    f"{self.url}/{path}",
                    params=None if posted else dict(params),
                    data=posted,
                    headers=headers,
                    extensions={"trace": deadline.trace},
                ) as response:
                    return self._read(path, response)
            except (httpx.HTTPError, httpx.InvalidURL) as problem:
                words = f"{type(problem).__name__}: {excerpt(self._cleaned(str(problem)), 200)}"
        if deadline.passed:
            words = f"no whole answer within {self._patience.request_s:g} s"
        said = f"{path}: no answer from SonarQube at {self.url} ({words}); {_MEND}"
        return Failure(SonarServerError(said), retry=True)

    def _read(self, path: str, response: "httpx.Response") -> Answer | Failure:
        """Return an answer with its body, without the token; a failure where it is too long."""
        body, limit = bytearray(), self._patience.body_bytes
        for part in response.iter_bytes(2**16):
            body += part
            if len(body) > limit:
                said = f"{path}: an answer of more than {limit:,} bytes from {self.url}"
                return Failure(SonarReplyError(f"{said}: is that a SonarQube server?"))
        headers = {name: self._cleaned(value) for name, value in response.headers.items()}
        return Answer(path, response.status_code, headers, self._cleaned(body.decode("utf-8", "replace")))

    def _cleaned(self, text: str) -> str:
        """Return a text without the token, which a server may send back."""
        for secret in self._secrets:
            text = text.replace(secret, REMOVED)
        return text

    def _opened(self) -> "httpx.Client":
        """Return the one client, made at the first request."""
        with self._lock:
            if self._client is None:
                self._client = self._made()
            return self._client

    def _made(self) -> "httpx.Client":
        """Return a client that keeps no connection, follows no redirect and logs no token."""
        import httpx
        from pydantic import SecretStr

        for secret in self._secrets:
            withhold_from_logs(SecretStr(secret))
        patience = self._patience
        return httpx.Client(
            trust_env=uses_proxies(self.url),
            follow_redirects=False,
            timeout=httpx.Timeout(patience.read_s, connect=patience.connect_s),
            limits=httpx.Limits(max_keepalive_connections=0),
            headers={"accept": "application/json", "accept-encoding": "identity", "user-agent": "swe-assets"},
        )


def status_in(answer: Answer) -> str:
    """Return the word of api/system/status, such as UP or STARTING; empty where an answer is none.

    502 and 503 count as STARTING: so answers a server before its web API is there, or a proxy before it.
    """
    if answer.status in (502, 503):
        return "STARTING"
    return _text_of(answer, "status") if answer.status == 200 else ""


def _text_of(answer: Answer, key: str) -> str:
    """Return a text field of an answer's object, empty where there is none."""
    try:
        body = json.loads(answer.text)
    except (ValueError, RecursionError):
        return ""
    value = body.get(key) if isinstance(body, dict) else None
    return value if isinstance(value, str) else ""


def _major(version: str) -> int | None:
    """Return the first number of a version, None where the text is none."""
    found = re.match(r"\s*(\d{1,4})\.\d", version, re.ASCII)
    return int(found[1]) if found else None


def _given_up(failure: Failure, attempts: int, spent: float, wait: float) -> SonarServerError:
    """Return the last failure with how long it was tried."""
    asked = f", and the server asks to wait {wait:.0f} s more" if failure.wait_s else ""
    tried = f" (given up after {attempts} attempts in {spent:.0f} s{asked})"
    return SonarServerError(f"{failure.error}{tried}")
