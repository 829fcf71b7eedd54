"""The few calls of SonarQube's web API that set a server up, made as one of its accounts."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from swe_assets.errors import SonarReplyError, SonarRightsError, SonarServerError
from swe_assets.llm.plain_text import excerpt
from swe_assets.sonarqube.health import uses_proxies

if TYPE_CHECKING:
    import httpx

_SECONDS = 60.0


@dataclass(frozen=True)
class Account:
    """An account of a server: its login with its password, or a token alone; neither secret ever shows."""

    login: str
    password: str = field(repr=False, default="")
    token: str = field(repr=False, default="")


class Administration:
    """A server as one of its accounts sees it."""

    def __init__(self, url: str, account: Account) -> None:
        self.url = url
        self.account = account

    def signed_in(self) -> bool:
        """Say whether the server knows the account by this password or token."""
        said = self._call("GET", "api/authentication/validate")
        return bool(said.get("valid")) if isinstance(said, dict) else False

    def get(self, path: str, **fields: str) -> Any:
        """Return a call's JSON answer."""
        return self._call("GET", path, fields)

    def post(self, path: str, **fields: str) -> Any:
        """Make a call that changes something, its fields in the body; return its JSON answer or None."""
        return self._call("POST", path, fields)

    def _call(self, method: str, path: str, fields: dict[str, str] | None = None) -> Any:
        """Make one call; the errors' words hold neither its fields nor the account's secrets."""
        import httpx

        sent = {"params": fields} if method == "GET" else {"data": fields}
        try:
            with httpx.Client(timeout=_SECONDS, trust_env=uses_proxies(self.url)) as client:
                response = client.request(method, f"{self.url}/{path}", headers=self._headers(), **sent)  # type: ignore[arg-type] # httpx names each keyword
        except httpx.HTTPError as wrong:
            raise SonarServerError(
                f"{path} of {self.url} gave no answer: {type(wrong).__name__}; is the server up? "
                "see `swe-assets sonar status`"
            ) from None
        return self._read(response, path)

    def _headers(self) -> dict[str, str]:
        """Return the account's credentials, which go over the wire and nowhere else."""
        import base64

        account = self.account
        # A token instead of a login is the form that every version takes.
        pair = (f"{account.token}:" if account.token else f"{account.login}:{account.password}").encode()
        return {"Authorization": f"Basic {base64.b64encode(pair).decode('ascii')}"}

    def _read(self, response: "httpx.Response", path: str) -> Any:
        """Return the answer's JSON, None where it has none; raise what its status says."""
        code = response.status_code
        if code in (401, 403):
            if path.endswith("validate"):
                return {"valid": False}
            raise SonarRightsError(
                f"{path} of {self.url} refuses {self.account.login!r} (status {code}): {self._said(response)}"
            )
        if code >= 500:
            raise SonarServerError(f"{path} of {self.url} answered {code}: {self._said(response)}")
        if code >= 300:
            raise SonarReplyError(f"{path} of {self.url} answered {code}: {self._said(response)}")
        if not response.content:
            return None
        try:
            return response.json()
        except ValueError:
            raise SonarReplyError(
                f"{path} of {self.url} answered no JSON: {self._said(response)}; is it a SonarQube server?"
            ) from None

    def _said(self, response: "httpx.Response") -> str:
        """Return what the server said, without the account's own secrets should it repeat them."""
        words = response.text
        for secret in (self.account.password, self.account.token):
            words = words.replace(secret, "…") if secret else words
        return repr(excerpt(words))
