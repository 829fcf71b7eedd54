"""How a Postgres database is reached, shown with its password only to the library that connects."""

from dataclasses import dataclass, field
from urllib.parse import quote


@dataclass(frozen=True)
class PostgresAddress:
    """A database on a server and the role that uses it; the password never shows in its text form."""

    host: str
    port: int
    database: str
    user: str
    password: str = field(repr=False)

    @property
    def url(self) -> str:
        """Return the URL for SQLAlchemy and libpq, with the password."""
        secret = quote(self.password, safe="")
        return f"postgresql://{quote(self.user, safe='')}:{secret}@{self._place}"

    @property
    def jdbc_url(self) -> str:
        """Return the URL for Java, which is given role and password apart."""
        return f"jdbc:postgresql://{self._place}"

    @property
    def safe_url(self) -> str:
        """Return the URL to show: without a password."""
        return f"postgresql://{quote(self.user, safe='')}@{self._place}"

    @property
    def _place(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}/{quote(self.database, safe='')}"
