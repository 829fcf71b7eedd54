"""A SonarQube server's accounts on this machine: passwords, tokens and rights, as its web API keeps them."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from swe_assets_tests.http_stub import Asked, Served, serving


@dataclass
class Accounts:
    """The accounts of a server; `fail` names a path that answers 500 once, as where a set-up is cut off."""

    passwords: dict[str, str] = field(default_factory=lambda: {"admin": "admin"})
    tokens: dict[str, str] = field(default_factory=dict)
    rights: set[tuple[str, str]] = field(default_factory=set)
    fail: str = ""
    url: str = ""
    asked: list[Asked] = field(default_factory=list)

    def answer(self, asked: Asked) -> Served:
        """Answer as the web API does for whoever asks."""
        path = asked.path.strip("/")
        if self.fail and self.fail in path:
            self.fail = ""
            return Served(500, {"errors": [{"msg": "cut off"}]})
        who = self._who(asked)
        if path == "api/authentication/validate":
            return Served(body={"valid": who is not None})
        if who != "admin":
            return Served(401 if who is None else 403, {"errors": [{"msg": "Insufficient privileges"}]})
        return self._administer(path, asked.params)

    def _who(self, asked: Asked) -> str | None:
        scheme, _, given = asked.headers.get("authorization", "").partition(" ")
        if scheme != "Basic":
            return None
        login, _, password = base64.b64decode(given).decode().partition(":")
        if not password:
            return self.tokens.get(login)
        return login if self.passwords.get(login) == password else None

    def _administer(self, path: str, given: dict[str, str]) -> Served:
        if path == "api/users/search":
            return Served(body={"users": [{"login": login} for login in self.passwords]})
        if path == "api/users/create":
            self.passwords[given["login"]] = given["password"]
            return Served(body={"user": {"login": given["login"]}})
        if path == "api/users/change_password":
            if len(given["password"]) < 12 or given["previousPassword"] != self.passwords[given["login"]]:
                return Served(400, {"errors": [{"msg": f"refused {given['password']}"}]})
            self.passwords[given["login"]] = given["password"]
        elif path == "api/user_tokens/generate":
            token = f"squ_{len(self.tokens):040d}"
            self.tokens[token] = given["login"]
            return Served(body={"login": given["login"], "token": token})
        elif path == "api/permissions/add_user":
            self.rights.add((given["login"], given["permission"]))
        return Served(204, "")


@contextmanager
def accounts(**fields: object) -> Iterator[Accounts]:
    """Run a server with these accounts."""
    made = Accounts(**fields)  # type: ignore[arg-type] # the fields as the test names them
    with serving(made.answer) as (url, asked):
        made.url, made.asked = url.rstrip("/"), asked
        yield made
