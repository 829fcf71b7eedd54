"""`swe-assets sonar up | status | down`: a SonarQube server of this user, or one that is named."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from swe_assets.errors import ConfigurationError, InputError

if TYPE_CHECKING:
    from swe_assets.sonarqube.places import ServerPlaces
    from swe_assets.sonarqube.state import Database

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.group("sonar")
def command() -> None:
    """Start, show or stop a SonarQube server."""


@command.command("up")
@click.option("--archive", type=_FILE, help="Start this zip of SonarQube instead of 25.11 through Maven.")
@click.option("--database", type=click.Choice(["postgres", "h2"]), help="Where its data is; for good.")
@click.option("--migrate", is_flag=True, help="Let a newer version change an older one's data, for good.")
@click.option("--timeout", type=click.FloatRange(min=1), default=900, help="Seconds to wait until it is up.")
@click.option("--url", help="Take a server of your own instead; its token is in SONAR_TOKEN or a file.")
@click.option("--token-file", type=_FILE, help="The file with the token for --url.")
def up(
    archive: Path | None,
    database: "Database | None",
    migrate: bool,
    timeout: float,
    url: str | None,
    token_file: Path | None,
) -> int:
    """Start a SonarQube server for this user on this machine, or remember one of your own; harmless twice.

    JSON on stdout says where it is; its token stays in a file that only you can read.
    """
    from swe_assets.sonarqube.places import default_places
    from swe_assets.sonarqube.server import SonarServer

    places = default_places()
    if url is not None:
        if archive or database or migrate:
            raise click.UsageError("--url names a server that is there: leave out how to start one")
        _remember(url, token_file, places)
    elif token_file is not None:
        raise click.UsageError("--token-file belongs to --url: the private server's token is made")
    else:
        server = SonarServer(places, say=_say)
        server.up(archive=archive, database=database, migrate=migrate, seconds=timeout)
    return _tell(places, as_json=True)


@command.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def status(as_json: bool) -> int:
    """Show the server's state, address, version, processes, database and logs; end with 1 if it is not up."""
    from swe_assets.sonarqube.places import default_places

    return _tell(default_places(), as_json=as_json)


@command.command("down")
def down() -> None:
    """Stop the server and its Postgres, whose data stays; or forget a server of your own."""
    from swe_assets.sonarqube.named import forget
    from swe_assets.sonarqube.places import default_places
    from swe_assets.sonarqube.server import SonarServer

    places = default_places()
    if forget(places):
        _say("forgotten; nothing was stopped there")
        return
    _say("stopped; its data stays" if SonarServer(places, say=_say).down() else "it was not running")


def _remember(url: str, token_file: Path | None, places: "ServerPlaces") -> None:
    """Check a server of the user's with the token from a file or the environment, and remember it."""
    from swe_assets.sonarqube.connection import TOKEN_NAME
    from swe_assets.sonarqube.named import remember

    if token_file is None:
        token = os.environ.get(TOKEN_NAME, "").strip()
        if not token:
            raise ConfigurationError(f"{TOKEN_NAME} is not set: export it, or give --token-file FILE")
    else:
        try:
            token = token_file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as wrong:
            kind = type(wrong).__name__
            raise InputError(f"cannot read {str(token_file)!r} ({kind}): name the token's file") from None
    remember(url, token, places)


def _tell(places: "ServerPlaces", *, as_json: bool) -> int:
    """Print how the server does; return 1 where it is not up."""
    from swe_assets.sonarqube.standing import standing

    found = standing(places)
    record = found.record()
    if as_json:
        click.echo(json.dumps(record, ensure_ascii=False, indent=2))
    else:
        for name, value in record.items():
            if value not in ("", {}, 0):
                shown = ", ".join(f"{a} {b}" for a, b in value.items()) if isinstance(value, dict) else value
                click.echo(f"{name.replace('_', ' '):<16}{shown}")
    return 0 if found.state == "up" else 1


def _say(words: str) -> None:
    click.echo(f"sonar: {words}", err=True)
